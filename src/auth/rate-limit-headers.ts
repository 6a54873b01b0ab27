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
export function isInforming(operation: Operation): boolean {
  return lackingIn(operation).length === 0;
}

/** What the successes of an operation do not declare: the headers would be sent with all of them, or with none. */
function lackingIn({ responses }: Operation): (readonly [status: number, name: string])[] {
  return [...responses].flatMap(([status, { headerNames }]) =>
    status >= 400
      ? []
      : [POLICY, LEVEL].filter((name) => !isIn(headerNames)(name)).map((name) => [status, name] as const),
  );
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
  const [lacking] = lackingIn(operation);
  if (lacking) {
    assertNoneDeclared(operation, lacking);
    return;
  }
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

/** Throws a StartError where another success declares one of the headers: it would not have it. */
function assertNoneDeclared({ responses }: Operation, [lacking, missing]: readonly [number, string]): void {
  for (const [status, { headerNames, position }] of responses) {
    const name = [POLICY, LEVEL].find(isIn(headerNames));
    if (status >= 400 || name === undefined) continue;
    throw new StartError(
      `${position} ${status} declares ${name}, but ${lacking} lacks ${missing}; with RATE_LIMIT, declare RateLimit and RateLimit-Policy for each success of the operation, or for none.`,
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
