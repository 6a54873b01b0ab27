import type { Responses } from '../contract/contract.js';
import { ErrorBody, FAILED } from '../errors/error-body.js';
import type { EdgeResponse } from './request/edge-request.js';

/** Seconds. A restart or a lock on the database usually passes within that time. */
export const RETRY_AFTER = 1;

/** Sends an Error body as the operation declares it. */
export function sendError(response: EdgeResponse, body: ErrorBody): void {
  const { operation } = response.req;
  setErrorHeaders(response, body);
  const declared = operation?.responses.get(body.status);
  if (declared?.hasBody === false) response.writeHead(body.status).end();
  else response.sendJson(body.status, declared?.serialise?.(body) ?? body.toJson());
}

/** Sends a 500 without anything that could fail again. */
export function sendFailed(response: EdgeResponse): void {
  setErrorHeaders(response, FAILED);
  response.sendJson(FAILED.status, FAILED.toJson());
}

function setErrorHeaders(response: EdgeResponse, { status }: ErrorBody): void {
  const { operation } = response.req;
  if (operation) removeHeadersOfOthers(response, operation.responses, status);
  // Errors are never cacheable, even where the handler allowed it.
  response.setHeader('Cache-Control', 'no-store');
  if (status === 503) response.setHeader('Retry-After', RETRY_AFTER);
}

/**
 * Removes headers that the operation declares, but not for this status: the handler may have set them before it failed, such
 * as the `Location` of what does not exist.
 */
function removeHeadersOfOthers(response: EdgeResponse, responses: Responses, status: number): void {
  if (response.getHeaderNames().length === 0) return;
  const declared = new Set(responses.get(status)?.headers.map((name) => name.toLowerCase()));
  for (const name of [...responses.values()].flatMap(({ headers }) => headers)) {
    if (!declared.has(name.toLowerCase())) response.removeHeader(name);
  }
}
