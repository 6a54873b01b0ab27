import type { EdgeResponse } from './request/edge-request.js';
import type { ErrorBody } from '../errors/error-body.js';

/** Seconds: long enough to matter, short enough for a restart or a lock to pass. */
const RETRY_AFTER = 1;

/** Answers with an Error body. True, for callers that tell whether they have answered. */
export function refuse(response: EdgeResponse, body: ErrorBody): true {
  setRefusalHeaders(response, body);
  response.sendJson(body.status, JSON.stringify(body));
  return true;
}

/** What a refusal carries, whatever a handler meant its answer to carry: nobody is to keep it. */
export function setRefusalHeaders(response: EdgeResponse, { status }: ErrorBody): void {
  response.setHeader('Cache-Control', 'no-store');
  if (status === 503) response.setHeader('Retry-After', RETRY_AFTER);
}
