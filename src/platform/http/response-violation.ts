import { isDeepStrictEqual } from 'node:util';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { StreamableFile } from '@nestjs/common';
import type { DeclaredResponse } from '../contract/responses/declared-response.js';
import { essenceOf, hasJsonParameter, JSON_TYPE } from '../contract/responses/media-types.js';
import type { Serialiser } from '../contract/responses/serialiser.js';
import { readJson } from '../values/json-reader.js';
import type { EdgeResponse } from './request/edge-request.js';
import type { OperationRoute } from './request/operation-route.js';
import { noteOnChanges, reasonToRefuse } from './response/refused-writes.js';

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

/**
 * Throws a ResponseViolation for a header that is missing or breaks its schema, unless middleware may still set it:
 * `assertLastHeaders` follows.
 */
export function assertHeaders(
  response: EdgeResponse,
  operation: OperationRoute,
  status: number,
  { headers }: DeclaredResponse,
  body?: unknown,
): void {
  for (const { name, violationOf } of headers) {
    let violation = violationOf(response.getHeader(name) ?? headerOfFile(body, name));
    if (violation !== undefined && response.isHeadReplaced) {
      if (!response.req.keyed) continue;
      // The response to a request with an Idempotency-Key is stored before it is written.
      response.askForHeaders();
      violation = violationOf(response.getHeader(name));
    }
    if (violation !== undefined) throw new ResponseViolation(operation, status, violation);
  }
}

/** Throws for the headers that are sent, or for a status with which the response must not be sent. */
export function assertLastHeaders(response: EdgeResponse, operation: OperationRoute): void {
  const { statusCode: status, statusMessage, req } = response;
  // Middleware may have changed it.
  const reason = reasonToRefuse(req, operation, status, statusMessage);
  if (reason) throw reason;
  // Another status is refused.
  for (const { name, violationOf } of operation.responses.get(status)!.headers) {
    const violation = violationOf(response.getHeader(name));
    if (violation !== undefined) throw new ResponseViolation(operation, status, violation);
  }
}

/** The header that Nest sets when it sends a file. */
function headerOfFile(body: unknown, name: string): string | string[] | undefined {
  const isDisposition = body instanceof StreamableFile && name.toLowerCase() === 'content-disposition';
  return isDisposition ? body.getHeaders().disposition : undefined;
}

/** HTTP itself gives these no body: there, handlers may return what they like. RFC 9110, sections 15.3.5, 15.3.6, 15.4.5. */
const BODILESS = new Set([204, 205, 304]);

/** Throws a ResponseViolation for what a handler returns with a status that declares no content: it would be lost. */
export function assertNothing(operation: OperationRoute, status: number, body: unknown): void {
  // Nothing is lost.
  if (body === undefined || body === null || body === '' || BODILESS.has(status)) return;
  throw new ResponseViolation(operation, status, UNDECLARED_BODY);
}

const UNDECLARED_BODY = 'it has a body, which is not declared';

const HEADERS_OF_FORMS = ['Content-Encoding', 'Transfer-Encoding', 'Trailer'];

/** The headers that contradict plain JSON: no client could read the body. */
export function contradictingHeaders(response: EdgeResponse): string[] {
  // Middleware that replaces `end` may compress the body there.
  const mayCompress = Object.hasOwn(response, 'end');
  return HEADERS_OF_FORMS.filter((name) => response.hasHeader(name) && !(mayCompress && name === 'Content-Encoding'));
}

/** Throws a ResponseViolation for a header that contradicts plain JSON. */
export function assertPlain(response: EdgeResponse, operation: OperationRoute, status: number): void {
  const [name] = contradictingHeaders(response);
  if (name !== undefined)
    throw new ResponseViolation(operation, status, `the header ${name} is set, but the body is sent as plain JSON`);
  const type = response.getHeader('Content-Type');
  if (type === undefined) return;
  const essence = essenceOf(type);
  if (essence !== JSON_TYPE)
    throw new ResponseViolation(operation, status, `the media type is ${essence}, but the body is sent as JSON`);
  const value = String(type);
  if (hasJsonParameter(value))
    throw new ResponseViolation(operation, status, `the Content-Type is ${value}, but JSON is sent as ${JSON_TYPE}`);
}

/**
 * Checks the head of a response that an exception filter, a guard, an interceptor or middleware writes in parts. Whether
 * its parts must wait until the whole body can be checked. Throws a ResponseViolation.
 */
export function assertHead(response: EdgeResponse, operation: OperationRoute): boolean {
  const declared = declaredHead(response, operation);
  const isJson = declared.mediaTypes.length > 0 && assertMediaType(response, operation, declared) === JSON_TYPE;
  return isJson && declared.serialise !== undefined;
}

/**
 * Checks such a response with its whole body. The body to send: JSON that has more than what is declared is written again
 * without that, as for handlers. Throws a ResponseViolation.
 */
export function checkedBody(response: EdgeResponse, operation: OperationRoute, body: Buffer): Buffer {
  const { statusCode: status, req } = response;
  const declared = declaredHead(response, operation);
  // Node sends no body then, and the length of the one that a GET would send is unknown.
  if (req.method === 'HEAD') {
    if (declared.serialise) response.removeHeader('Content-Length');
    return body;
  }
  if (body.length === 0 && declared.mediaTypes.length === 0) return body;
  const isJson = assertMediaType(response, operation, declared) === JSON_TYPE;
  if (!isJson || !declared.serialise) return body;
  const given = parse(decode(body, response, operation), operation, status);
  const declaredJson = Buffer.from(serialise(operation, status, declared.serialise, given));
  if (isDeepStrictEqual(readJson(declaredJson), given)) return body;
  response.removeHeader('Content-Encoding');
  if (response.hasHeader('Content-Length')) response.setHeader('Content-Length', declaredJson.length);
  return declaredJson;
}

/**
 * Throws a ResponseViolation for a body that is longer than its Content-Length, or ends before it: a client would take the
 * surplus for its next response, or the beginning of its next response for what is missing.
 */
export function assertLength(
  response: EdgeResponse,
  operation: OperationRoute,
  bytes: number,
  hasEnded: boolean,
): void {
  const declared = response.getHeader('Content-Length');
  const { statusCode: status, req } = response;
  // Otherwise Node sends no body, and the length is that of another response.
  if (declared === undefined || req.method === 'HEAD' || status === 204 || status === 304) return;
  const violation = lengthViolation(String(declared), bytes, hasEnded);
  if (violation !== undefined) throw new ResponseViolation(operation, status, violation);
}

/** What is wrong with a body of so many bytes, which may get more unless it has ended. */
export function lengthViolation(declared: string, bytes: number, hasEnded: boolean): string | undefined {
  const length = /^\d+$/.test(declared) ? Number(declared) : NaN;
  if (hasEnded ? bytes === length : bytes <= length) return undefined;
  return `its Content-Length is ${declared}, but its body has ${hasEnded ? '' : 'at least '}${bytes} bytes`;
}

const DECODERS = new Map([
  ['br', brotliDecompressSync],
  ['deflate', inflateSync],
  ['gzip', gunzipSync],
  ['identity', (body: Buffer) => body],
]);

/** Middleware may have compressed the body. */
function decode(body: Buffer, response: EdgeResponse, operation: OperationRoute): Buffer {
  const coding = String(response.getHeader('Content-Encoding') ?? 'identity').toLowerCase();
  const { statusCode: status } = response;
  const decoder = DECODERS.get(coding);
  if (!decoder) throw new ResponseViolation(operation, status, `the coding ${coding} of the body cannot be checked`);
  try {
    return decoder(body);
  } catch (error) {
    throw new ResponseViolation(operation, status, `the body is not valid ${coding}: ${(error as Error).message}`);
  }
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
  const mediaType = essenceOf(response.getHeader('Content-Type'));
  if (mediaTypes.includes(mediaType)) return mediaType;
  const written = mediaType === '' ? 'missing' : mediaType;
  const reason =
    mediaTypes.length === 0
      ? UNDECLARED_BODY
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
