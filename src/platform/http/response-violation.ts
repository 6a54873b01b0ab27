import { StreamableFile } from '@nestjs/common';
import type { DeclaredResponse } from '../contract/responses/declared-response.js';
import { JSON_TYPE } from '../contract/responses/media-types.js';
import type { Serialiser } from '../contract/responses/serialiser.js';
import { readJson } from '../values/json-reader.js';
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

/**
 * Checks a response that an exception filter, a guard, an interceptor or middleware writes. `args` are those of `end` when
 * it sends the whole body; undefined for a body in parts. Throws a ResponseViolation.
 */
export function assertWritten(response: EdgeResponse, operation: OperationRoute, args?: readonly unknown[]): void {
  if (args) assertWhole(response, operation, args);
  else assertHead(response, operation);
}

function assertWhole(response: EdgeResponse, operation: OperationRoute, args: readonly unknown[]): void {
  const { statusCode: status, req } = response;
  const declared = declaredHead(response, operation);
  // Node sends no body then.
  if (req.method === 'HEAD') return;
  const body = bytesOf(args);
  if (body.length === 0 && declared.mediaTypes.length === 0) return;
  const isJson = assertMediaType(response, operation, declared) === JSON_TYPE;
  // An encoded body, such as a compressed one, cannot be read.
  if (!isJson || !declared.serialise || response.hasHeader('Content-Encoding')) return;
  serialise(operation, status, declared.serialise, parse(body, operation, status));
}

/** Checks only the head: the parts of a body are sent before the whole body could be checked. */
function assertHead(response: EdgeResponse, operation: OperationRoute): void {
  const declared = declaredHead(response, operation);
  if (declared.mediaTypes.length > 0) assertMediaType(response, operation, declared);
}

function declaredHead(response: EdgeResponse, operation: OperationRoute): DeclaredResponse {
  const status = response.statusCode;
  const declared = operation.responses.get(status)!; // another status is refused before
  assertHeaders(response, operation, status, declared);
  return declared;
}

function assertMediaType(
  response: EdgeResponse,
  operation: OperationRoute,
  { mediaTypes }: DeclaredResponse,
): string | undefined {
  const given = response.getHeader('Content-Type');
  const [essence = ''] = String(given ?? '').split(';');
  const mediaType = essence.trim().toLowerCase();
  if (mediaTypes.includes(mediaType)) return mediaType;
  const written = mediaType === '' ? 'missing' : mediaType;
  const reason =
    mediaTypes.length === 0
      ? 'it has a body, which is not declared'
      : `the media type is ${written}, but ${mediaTypes.join(' or ')} is declared`;
  throw new ResponseViolation(operation, response.statusCode, reason);
}

function parse(body: Buffer, operation: OperationRoute, status: number): unknown {
  try {
    return readJson(body);
  } catch (error) {
    throw new ResponseViolation(operation, status, `the body is not valid JSON: ${(error as Error).message}`);
  }
}

/** As Node writes them. */
function bytesOf([chunk, encoding]: readonly unknown[]): Buffer {
  if (typeof chunk === 'string') {
    return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
  }
  return chunk instanceof Uint8Array ? Buffer.from(chunk) : NO_BODY;
}

const NO_BODY = Buffer.alloc(0);
