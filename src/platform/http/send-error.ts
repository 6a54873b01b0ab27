import type { DeclaredResponse } from '../contract/responses/declared-response.js';
import { ErrorBody, FAILED } from '../errors/error-body.js';
import type { EdgeResponse } from './request/edge-request.js';

/** Seconds. A restart or a lock on the database usually passes within that time. */
export const RETRY_AFTER = 1;

/** Sends an Error body as the operation declares it. */
export function sendError(response: EdgeResponse, body: ErrorBody): void {
  setErrorHeaders(response, body);
  const declared = declaredResponse(response, body.status);
  if (declared?.hasBody === false) response.writeHead(body.status).end();
  else response.sendJson(body.status, declared?.serialise?.(body) ?? body.toJson());
}

/** Sends a 500 without anything that could fail again. */
export function sendFailed(response: EdgeResponse): void {
  setErrorHeaders(response, FAILED);
  response.sendJson(FAILED.status, FAILED.toJson());
}

function setErrorHeaders(response: EdgeResponse, { status }: ErrorBody): void {
  // The handler may have set them before it failed, such as the `Location` of what does not exist.
  for (const name of declaredResponse(response, status)?.headersOfOthers ?? []) response.removeHeader(name);
  // Errors are never cacheable, even where the handler allowed it.
  response.setHeader('Cache-Control', 'no-store');
  if (status === 503) response.setHeader('Retry-After', RETRY_AFTER);
}

function declaredResponse({ req }: EdgeResponse, status: number): DeclaredResponse | undefined {
  return req.operation?.responses.get(status);
}
