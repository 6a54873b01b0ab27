import { PROTOCOL_STATUSES } from '../../contract/own-errors.js';
import type { DeclaredResponse, Responses } from '../../contract/responses/declared-response.js';
import { StartError } from '../../process/start-error.js';
import { REQUEST_ID } from '../outcomes/request-id.js';
import { COMMON_HEADERS, RETRY_AFTER } from '../request/fixed-headers.js';
import { assertAccepts, REQUEST_IDS } from './own-headers.js';

/** Those that the service sends after the middleware, which may have added headers; OPTIONS gets 204 or 404. */
export const AFTER_MIDDLEWARE = new Set([204, 404, 405, 500]);

/**
 * Throws a StartError for what the contract declares for requests without an operation and the service does not send.
 * `allowed` are the values of `Allow`; `hasMiddleware` is whether middleware may respond itself or add headers.
 */
export function assertProtocol(responses: Responses, allowed: readonly string[], hasMiddleware: boolean): void {
  for (const [status, response] of responses) {
    if (PROTOCOL_STATUSES.includes(status)) {
      const sent = headersWith(status, allowed);
      for (const [name, values] of sent) assertAccepts(response, status, name, values);
      if (!hasMiddleware || !AFTER_MIDDLEWARE.has(status)) assertSent(response, status, sent);
    } else if (!hasMiddleware) {
      throw new StartError(
        `${response.position} the service sends no ${status} to a request without an operation; remove it here.`,
      );
    }
  }
}

type Values = readonly (readonly [name: string, values: readonly string[]])[];

function headersWith(status: number, allowed: readonly string[]): Values {
  return [
    ...COMMON_HEADERS.pairs.map(([name, value]) => [name, [value]] as const),
    [REQUEST_ID, REQUEST_IDS],
    ...(status === 204 || status === 405 ? [['Allow', allowed] as const] : []),
    ...(status === 503 ? [['Retry-After', [String(RETRY_AFTER)]] as const] : []),
  ];
}

function assertSent({ headers }: DeclaredResponse, status: number, sent: Values): void {
  const names = new Set(sent.map(([name]) => name.toLowerCase()));
  const lacking = headers.find(({ name, violationOf }) => violationOf(undefined) !== undefined && !names.has(name));
  if (lacking)
    throw new StartError(`${lacking.position} the service sends ${status} without this header; make it optional.`);
}
