import { HttpStatus } from '@nestjs/common';
import type { Operation } from '../platform/contract/contract.js';
import { assertAccepts } from '../platform/http/response/own-headers.js';
import { StartError } from '../platform/process/start-error.js';
import type { RateLimit } from './token-buckets.js';

/** The names of draft-ietf-httpapi-ratelimit-headers-10. */
export const POLICY = 'RateLimit-Policy';
export const LEVEL = 'RateLimit';

type Counted = 'key' | 'address';

const TOO_MANY: number = HttpStatus.TOO_MANY_REQUESTS;

export function policyOf(counted: Counted, { requests, window }: RateLimit): string {
  return `"${counted}";q=${requests};w=${window}`;
}

/** `wait` is in seconds. */
export function levelOf(counted: Counted, remaining: number, wait: number): string {
  return `"${counted}";r=${remaining};t=${wait}`;
}

/** Whether an operation declares for every success how many requests are left. */
export function isInforming({ responses }: Operation): boolean {
  return [...responses].every(([status, { headerNames }]) => status >= 400 || [POLICY, LEVEL].every(isIn(headerNames)));
}

/**
 * Throws a StartError for an operation that does not declare how its requests are refused, and for a header whose schema
 * refuses what it would have.
 */
export function assertDeclared(operation: Operation, limit: RateLimit): void {
  const { responses, position } = operation;
  const refusal = responses.get(TOO_MANY);
  if (!refusal || !['Retry-After', POLICY, LEVEL].every(isIn(refusal.headerNames))) {
    throw new StartError(
      `${position} RATE_LIMIT requires the operation to declare 429 with Retry-After, RateLimit and RateLimit-Policy; declare it, or remove the variable.`,
    );
  }
  const waits = [1, longestWait(limit)];
  assertAccepts(refusal, TOO_MANY, 'Retry-After', waits.map(String));
  for (const counted of ['key', 'address'] as const) {
    assertAccepts(refusal, TOO_MANY, POLICY, [policyOf(counted, limit)]);
    assertAccepts(
      refusal,
      TOO_MANY,
      LEVEL,
      waits.map((wait) => levelOf(counted, 0, wait)),
    );
  }
  if (!isInforming(operation)) return;
  for (const [status, response] of responses) {
    if (status === TOO_MANY) continue;
    assertAccepts(response, status, POLICY, [policyOf('key', limit)]);
    assertAccepts(
      response,
      status,
      LEVEL,
      waits.map((wait) => levelOf('key', limit.requests - 1, wait)),
    );
  }
}

function longestWait({ requests, window }: RateLimit): number {
  return Math.ceil(window / requests);
}

/** Names of headers have no case. */
function isIn(names: ReadonlySet<string>): (name: string) => boolean {
  return (name) => names.has(name.toLowerCase());
}
