import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsOptional, IsString, Length, Max, Min, ValidateNested } from 'class-validator';
import { Toy } from '../toy.dto.js';

export class Part {
  @IsString()
  name: string;

  @IsInt()
  @Min(1)
  @Max(9)
  count: number;
}

export class ToySet {
  @ValidateNested()
  @Type(() => Toy)
  maker: Toy;

  @IsArray()
  @ArrayMaxSize(2)
  @ValidateNested({ each: true })
  @Type(() => Part)
  parts: Part[];

  @IsString({ each: true })
  @Length(1, 5, { each: true })
  tags: string[];
}

export class Wish {
  @IsOptional()
  @IsString()
  note?: string;
}
