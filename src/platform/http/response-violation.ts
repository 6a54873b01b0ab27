import { StreamableFile } from '@nestjs/common';
import { Readable } from 'node:stream';
import type { DeclaredResponse } from '../contract/responses/declared-response.js';
import type { Serialiser } from '../contract/responses/serialiser.js';
import type { EdgeResponse } from './request/edge-request.js';
import type { OperationRoute } from './request/operation-route.js';

/** The service broke its contract: the caller gets a 500, and the log the reason. */
export class ResponseViolation extends Error {
  constructor({ id, method }: OperationRoute, status: number, reason: string) {
    const note = method === 'GET' ? '' : '; the handler had finished, so its changes are stored';
    super(`${id} returned ${status}: ${reason}${note}`);
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

/**
 * Gives a body that is not JSON the media type that the contract declares. Throws a ResponseViolation for another one, and
 * for a body that would be written as JSON.
 */
export function setMediaType(
  response: EdgeResponse,
  operation: OperationRoute,
  mediaType: string,
  body: unknown,
): void {
  const given = response.getHeader('Content-Type') ?? typeOf(body);
  const [essence = ''] = String(given ?? mediaType).split(';');
  const fail = (reason: string) => {
    throw new ResponseViolation(operation, response.statusCode, reason);
  };
  if (essence.trim().toLowerCase() !== mediaType)
    fail(`the media type is ${essence}, but openapi.yaml declares ${mediaType}`);
  if (!isText(body)) fail(`a body of the media type ${mediaType} must be text, a buffer or a stream`);
  if (response.getHeader('Content-Type') === undefined) response.setHeader('Content-Type', mediaType);
}

/** Nest's default is the type of any file. */
function typeOf(body: unknown): string | undefined {
  const type = body instanceof StreamableFile ? body.getHeaders().type : undefined;
  return type === 'application/octet-stream' ? undefined : type;
}

function isText(body: unknown): boolean {
  return (
    typeof body === 'string' || body instanceof Uint8Array || body instanceof StreamableFile || body instanceof Readable
  );
}
