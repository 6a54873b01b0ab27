import { Body, Controller, Module, Post, Query, Res } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, Matches, Max } from 'class-validator';
import type { Response } from 'express';

/** What the last handler received. */
export const received: { query?: unknown; body?: unknown } = {};

/** Ordinary decorators, in part looser than the contract of the test, in part tighter. */
class OrderQuery {
  /** The contract allows 100. */
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Max(500)
  limit?: number;

  @IsOptional()
  @Type(() => Boolean)
  @IsBoolean()
  urgent?: boolean;
}

class Order {
  /** The contract forbids null. */
  @IsOptional()
  @IsString()
  note?: string;

  /** Beyond the contract. */
  @IsOptional()
  @Matches(/^[A-Z]{2}$/)
  @Transform(({ value }: { value: string }) => value.toUpperCase())
  country?: string;
}

@Controller('things')
class OrdersController {
  @Post()
  add(@Query() query: OrderQuery, @Body() body: Order, @Res({ passthrough: true }) response: Response): unknown {
    Object.assign(received, { query, body });
    if (body.note === 'later') response.status(202);
    return body.note === 'bad' ? { total: 'x' } : { total: 1 };
  }
}

@Module({ controllers: [OrdersController] })
export class OrdersModule {}
