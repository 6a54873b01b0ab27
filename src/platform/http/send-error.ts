import { ErrorBody, FAILED } from '../errors/error-body.js';
import { Overloaded } from '../errors/overloaded.js';
import type { EdgeResponse } from './request/edge-request.js';

/** Seconds. A restart or a lock on the database usually passes within that time. */
const RETRY_AFTER = 1;

/** Sends an Error body as the operation declares it. */
export function sendError(response: EdgeResponse, body: ErrorBody): void {
  setErrorHeaders(response, body);
  const declared = response.req.operation?.responses.get(body.status);
  if (declared?.hasBody === false) response.writeHead(body.status).end();
  else response.sendJson(body.status, declared?.serialise?.(body) ?? body.toJson());
}

export const OVERLOADED = ErrorBody.ofDomainError(new Overloaded());
const OVERLOADED_TEXT = OVERLOADED.toJson();
const OVERLOADED_HEADERS = Object.entries({
  'Content-Type': 'application/json',
  'Content-Length': OVERLOADED_TEXT.length,
  'Cache-Control': 'no-store',
  'Retry-After': RETRY_AFTER,
}).flat();

/** Sends a 503 at the least cost: an overloaded service does this most of the time. */
export function sendOverloaded(response: EdgeResponse): void {
  response.writeHead(OVERLOADED.status, OVERLOADED_HEADERS).end(OVERLOADED_TEXT, 'latin1');
}

/** Sends a 500 without anything that could fail again. */
export function sendFailed(response: EdgeResponse): void {
  setErrorHeaders(response, FAILED);
  response.sendJson(FAILED.status, FAILED.toJson());
}

function setErrorHeaders(response: EdgeResponse, { status }: ErrorBody): void {
  // Errors are never cacheable, even where the handler allowed it.
  response.setHeader('Cache-Control', 'no-store');
  if (status === 503) response.setHeader('Retry-After', RETRY_AFTER);
}
