import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiProperty, ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';

/** Documents the contract's Error for @nestjs/swagger. */
class ErrorSchema {
  @ApiProperty() code: string;
  @ApiProperty() message: string;
  @ApiProperty({ type: 'integer' }) status: number;
}

const HEADERS: Record<number, ApiResponseOptions['headers']> = {
  401: { 'WWW-Authenticate': { required: true, schema: { type: 'string' } } },
  // Not required: a 403 of a feature lacks it.
  403: { 'WWW-Authenticate': { schema: { type: 'string' } } },
  429: {
    'Retry-After': { required: true, schema: { type: 'integer', minimum: 1 } },
    RateLimit: { schema: { type: 'string' } },
    'RateLimit-Policy': { schema: { type: 'string' } },
  },
  503: { 'Retry-After': { required: true, schema: { type: 'integer', minimum: 1 } } },
};

/** The metadata of a handler with the statuses of its errors. */
export const ERROR_STATUSES = 'error-statuses';

/** Documents statuses whose response is an Error body, with their header fields. The start refuses undeclared ones. */
export function ErrorResponses(...statuses: number[]): MethodDecorator & ClassDecorator {
  return applyDecorators(
    SetMetadata(ERROR_STATUSES, statuses),
    ...statuses.map((status) => ApiResponse({ status, type: ErrorSchema, headers: HEADERS[status] })),
  );
}
