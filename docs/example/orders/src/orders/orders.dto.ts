import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsDate, IsInt, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { readCursor } from '../platform/paging/cursor.js';
import { CursorParameter, EnumField, Int64Field, IntegerParameter, TextField } from '../platform/validation/fields.js';
import { OrderStatus } from './order-status.js';

/*
 * The contract has checked each value before. So these rules give it its type in the code and its documentation; one that
 * is narrower than the contract would apply as well.
 */

const UTC_TIME = {
  type: 'string',
  format: 'date-time',
  pattern: String.raw`^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$`,
} as const;
const toDate = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? new Date(value) : value);

export class Customer {
  @TextField()
  @ApiProperty({ maxLength: 200 })
  @MaxLength(200)
  name: string;

  @ApiProperty({ format: 'email', maxLength: 254 })
  @IsString()
  email: string;
}

export class Extra {
  @TextField()
  @ApiProperty({ maxLength: 200 })
  @MaxLength(200)
  name: string;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100 })
  @IsInt()
  quantity: number;
}

export class NewOrder {
  @Int64Field()
  petId: bigint;

  @ApiProperty()
  @ValidateNested()
  @Type(() => Customer)
  customer: Customer;

  @ApiProperty({ type: [Extra], maxItems: 20 })
  @ValidateNested({ each: true })
  @Type(() => Extra)
  extras: Extra[];

  @ApiProperty({ pattern: String.raw`^(0|[1-9]\d{0,7})\.\d\d$` })
  @IsString()
  price: string;

  @ApiProperty(UTC_TIME)
  @Transform(toDate)
  @IsDate()
  deliverBy: Date;
}

export class Order extends NewOrder {
  @Int64Field()
  id: bigint;

  @EnumField(OrderStatus, 'OrderStatus')
  status: OrderStatus;
}

export class OrderChanges {
  @EnumField(OrderStatus, 'OrderStatus', { required: false })
  status?: OrderStatus;

  @ApiProperty({ ...UTC_TIME, required: false })
  @IsOptional()
  @Transform(toDate)
  @IsDate()
  deliverBy?: Date;
}

export class ListOrdersQuery {
  @IntegerParameter({ minimum: 1, maximum: 100, default: 20 })
  limit = 20;

  @EnumField(OrderStatus, 'OrderStatus', { required: false })
  status?: OrderStatus;

  @ApiProperty({ ...UTC_TIME, required: false })
  @IsOptional()
  @Transform(toDate)
  @IsDate()
  deliverFrom?: Date;

  @ApiProperty({ ...UTC_TIME, required: false })
  @IsOptional()
  @Transform(toDate)
  @IsDate()
  deliverBefore?: Date;

  /** The id at which the page starts. */
  @CursorParameter(readCursor)
  cursor?: bigint;
}
