import { Logger } from '@nestjs/common';
import type { DeclaredResponse } from '../contract/responses/declared-response.js';
import { essenceOf } from '../contract/responses/media-types.js';
import { ErrorBody, FAILED } from '../errors/error-body.js';
import { Overloaded } from '../errors/overloaded.js';
import type { EdgeResponse } from './request/edge-request.js';
import { RETRY_AFTER } from './request/fixed-headers.js';
import type { OperationRoute } from './request/operation-route.js';
import { assertHeaders, contradictingHeaders, ResponseViolation, serialise } from './response-violation.js';

const logger = new Logger('ErrorResponse');

/** Sends an Error body as the operation declares it, or a 500 when the error breaks the contract. */
export function sendError(response: EdgeResponse, body: ErrorBody): void {
  const { operation } = response.req;
  let text = '';
  try {
    // An exception may stand for a response that is no error, such as 304 or a redirection.
    if (operation && body.status < 400) {
      sendWithoutBody(response, operation, body.status);
      return;
    }
    setErrorHeaders(response, body);
    text = operation ? declaredText(response, operation, body) : body.toJson();
  } catch (error) {
    logger.error({ err: error, operationId: operation?.id, requestId: response.req.requestId }, FAILED.message);
    sendFailed(response);
    return;
  }
  response.sendJson(body.status, text);
}

const UNDONE = 'an exception undoes the changes of a request with an Idempotency-Key; return the response instead';

/** Throws a ResponseViolation. */
function sendWithoutBody(response: EdgeResponse, operation: OperationRoute, status: number): void {
  // An exception with an undeclared status has become a 500.
  const declared = operation.responses.get(status)!;
  assertHeaders(response, operation, status, declared);
  if (response.req.keyed) throw new ResponseViolation(operation, status, UNDONE);
  if (declared.mediaTypes.length > 0)
    throw new ResponseViolation(operation, status, 'an exception has no body for it, but the contract declares one');
  response.sendEmpty(status);
}

/** Throws a ResponseViolation. */
function declaredText(response: EdgeResponse, operation: OperationRoute, body: ErrorBody): string {
  const declared = operation.responses.get(body.status);
  if (!declared) return body.toJson();
  assertHeaders(response, operation, body.status, declared);
  // The start refuses a contract whose errors are not JSON.
  return serialise(operation, body.status, declared.serialise!, body.members);
}

/** Sends a 500 without anything that could fail again. */
export function sendFailed(response: EdgeResponse): void {
  setErrorHeaders(response, FAILED);
  for (const { name, violationOf } of declaredResponse(response, FAILED.status)?.headers ?? [])
    if (violationOf(response.getHeader(name)) !== undefined) response.removeHeader(name);
  response.sendJson(FAILED.status, FAILED.toJson());
}

/**
 * Logs why a response must not be written, and sends a 500 instead; a 503 when there is no room for it. Cuts the connection
 * when its head is sent.
 */
export function refuseWrite(response: EdgeResponse, reason: Error): void {
  const { req } = response;
  const isOverloaded = reason instanceof Overloaded;
  if (!isOverloaded)
    logger.error({ err: reason, operationId: req.operation?.id, requestId: req.requestId }, FAILED.message);
  // Part of it is sent: the caller must not mistake it for a complete one.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  req.keyed?.refuse();
  // The middleware that wrote the refused response has set them for it.
  if (req.earlyHeaders === 'all') req.earlyHeaders = undefined;
  req.isHandling = false;
  // A source of events ends only with its connection.
  if (essenceOf(response.getHeader('Content-Type')) === 'text/event-stream') response.setHeader('Connection', 'close');
  // They belong to the response that is refused.
  for (const name of REFUSED_HEADERS) response.removeHeader(name);
  // Middleware that wraps them may be passing on that response, and would not pass on another one.
  for (const name of WRITERS) delete (response as Partial<EdgeResponse>)[name];
  if (isOverloaded) sendError(response, ErrorBody.ofDomainError(reason));
  else sendFailed(response);
}

const REFUSED_HEADERS = [
  'Cache-Control',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Range',
  'ETag',
  'Expires',
  'Last-Modified',
  'Pragma',
  'Retry-After',
  'Trailer',
  'Transfer-Encoding',
  'X-Accel-Buffering',
];

/** The methods that middleware replaces in a response. Deleting them restores those of the class. */
const WRITERS = ['writeHead', 'write', 'end', 'json', 'send'] as const;

function setErrorHeaders(response: EdgeResponse, { status }: ErrorBody): void {
  const declared = declaredResponse(response, status);
  // It is that of another response, and may have characters that HTTP cannot send.
  response.statusMessage = '';
  // They belong to the body that the error replaces.
  for (const name of contradictingHeaders(response)) response.removeHeader(name);
  // The handler may have set them before it failed, such as the `Location` of what does not exist.
  for (const name of declared?.headersOfOthers ?? []) restoreHeader(response, name);
  // A browser would save the error as the file that the handler meant to send.
  if (!declared?.headerNames.has('content-disposition')) response.removeHeader('Content-Disposition');
  // A handler may have allowed it for another response: an error is cacheable only where the contract says so.
  if (!keepsCacheControl(response, status, declared)) response.setHeader('Cache-Control', 'no-store');
  if (status === 503 && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', RETRY_AFTER);
}

/** Gives a header the value that middleware had set before the handler, or removes it. */
function restoreHeader(response: EdgeResponse, name: string): void {
  const { earlyHeaders } = response.req;
  if (earlyHeaders === 'all') return;
  const early = earlyHeaders?.[name];
  if (early === undefined) response.removeHeader(name);
  else response.setHeader(name, early);
}

/**
 * Whether the feature has set a Cache-Control that the contract declares for this error, and accepts. It may have set it for
 * its successes: then an error whose schema names another value, such as `no-store`, does not get it.
 */
function keepsCacheControl(response: EdgeResponse, status: number, declared: DeclaredResponse | undefined): boolean {
  const value = response.getHeader('Cache-Control');
  if (value === undefined || NEVER_CACHED.has(status)) return false;
  if (!declared?.headerNames.has('cache-control')) return false;
  const rule = declared.headers.find(({ name }) => name === 'cache-control');
  return rule?.violationOf(value) === undefined;
}

/** A key may become valid, a limit end and the service recover at any moment, whatever the contract declares. */
const NEVER_CACHED = new Set([401, 403, 429, FAILED.status, 503]);

function declaredResponse({ req }: EdgeResponse, status: number): DeclaredResponse | undefined {
  return req.operation?.responses.get(status);
}
