import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';

/** The contract's Error, as @nestjs/swagger documents it. */
class ErrorSchema {
  @ApiProperty() code: string;
  @ApiProperty() message: string;
  @ApiProperty({ type: 'integer' }) status: number;
}

const HEADERS: Record<number, ApiResponseOptions['headers']> = {
  401: { 'WWW-Authenticate': { required: true, schema: { type: 'string' } } },
  503: { 'Retry-After': { required: true, schema: { type: 'integer', minimum: 1 } } },
};

/** Documents statuses that are answered with an Error body and the header fields that belong to them. */
export function Refuses(...statuses: number[]): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ...statuses.map((status) => ApiResponse({ status, type: ErrorSchema, headers: HEADERS[status] })),
  );
}
