import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

const STATUSES = ['available', 'pending', 'sold'];

export class ListPetsDto {
  @IsInt()
  @Min(1)
  @Max(100)
  @Type(() => Number)
  limit = 20;

  @IsOptional()
  @IsIn(STATUSES)
  status?: string;
}

export class CreatePetDto {
  @IsString()
  name: string;

  @IsInt()
  categoryId: number;

  @IsOptional()
  @IsIn(STATUSES)
  status?: string;
}
