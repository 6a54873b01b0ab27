import { StreamableFile } from '@nestjs/common';
import type { DeclaredResponse } from '../contract/responses/declared-response.js';
import type { Serialiser } from '../contract/responses/serialiser.js';
import type { EdgeResponse } from './request/edge-request.js';
import type { OperationRoute } from './request/operation-route.js';
import { noteOnChanges } from './server/refused-writes.js';

/** The service broke its contract: the caller gets a 500, and the log the reason. */
export class ResponseViolation extends Error {
  constructor(operation: OperationRoute, status: number, reason: string) {
    super(`${operation.id} returned ${status}: ${reason}${status < 400 ? noteOnChanges(operation) : ''}`);
    this.name = new.target.name;
  }
}

/** The body as JSON. Throws a ResponseViolation for one that breaks its schema. */
export function serialise(operation: OperationRoute, status: number, write: Serialiser, body: unknown): string {
  if (body instanceof StreamableFile)
    throw new ResponseViolation(operation, status, 'a stream cannot be written as JSON');
  try {
    return write(body);
  } catch (error) {
    throw new ResponseViolation(operation, status, (error as Error).message);
  }
}

/** Throws a ResponseViolation for a header that is missing or breaks its schema. */
export function assertHeaders(
  response: EdgeResponse,
  operation: OperationRoute,
  status: number,
  { headers }: DeclaredResponse,
): void {
  for (const { name, violationOf } of headers) {
    const violation = violationOf(response.getHeader(name));
    if (violation !== undefined) throw new ResponseViolation(operation, status, violation);
  }
}
