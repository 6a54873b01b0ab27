import type { Operation } from '../../contract/contract.js';
import { ownStatuses } from '../../contract/own-errors.js';
import type {
  DeclaredResponse,
  HeaderRule,
  HeaderValue,
  Responses,
} from '../../contract/responses/declared-response.js';
import { StartError } from '../../process/start-error.js';
import { REQUEST_ID } from '../outcomes/request-id.js';
import { type FixedHeaders, hasItems, LISTS, RETRY_AFTER } from '../request/fixed-headers.js';

/** An id of the service, and the shortest, longest and strangest ones that a caller may choose. */
export const REQUEST_IDS = ['0192f8a0-7c00-7000-8000-000000000000', 'a', '0', '._~+/=:@-', 'a'.repeat(128)];

/**
 * The responses of an operation, whose rules also hold for the headers that the service adds. Throws a StartError for a rule
 * that a value of the service breaks.
 */
export function responsesWith(operation: Operation, fixed: FixedHeaders): Responses {
  return new Map(
    [...operation.responses].map(([status, response]) => [status, withRules(operation, status, response, fixed)]),
  );
}

function withRules(
  operation: Operation,
  status: number,
  response: DeclaredResponse,
  fixed: FixedHeaders,
): DeclaredResponse {
  const isOwn = ownStatuses(operation).includes(status);
  if (status === 503 || (status === 409 && operation.takesIdempotencyKey))
    assertAccepts(response, status, 'Retry-After', [String(RETRY_AFTER)]);
  assertAccepts(response, status, REQUEST_ID, REQUEST_IDS);
  for (const [name, value] of fixed.pairs) {
    // A handler chooses these: only what the service sends without one is known.
    if (isOwn || !(name === 'Cache-Control' || LISTS.has(name))) assertAccepts(response, status, name, [value]);
  }
  return { ...response, headers: response.headers.map((rule) => besideFixed(rule, fixed)) };
}

/**
 * Throws a StartError for a header of a response that refuses one of the values that are sent; `setting` is the environment
 * variable because of which they are.
 */
export function assertAccepts(
  { headers }: DeclaredResponse,
  status: number,
  name: string,
  values: readonly string[],
  setting?: string,
): void {
  const rule = headers.find((one) => one.name === name.toLowerCase());
  const refused = values.find((value) => rule?.violationOf(value) !== undefined);
  if (!rule || refused === undefined) return;
  const because = setting === undefined ? '' : `with ${setting}, `;
  throw new StartError(
    `${rule.position} ${because}the service sends "${name}: ${refused}" with ${status}, which the schema must accept.`,
  );
}

/** The rule of a header for what is sent: the value that the service adds, or the one that a handler has set. */
function besideFixed(rule: HeaderRule, { pairs }: FixedHeaders): HeaderRule {
  const { violationOf } = rule;
  // The service sets it later, to a value that the start has tried.
  if (rule.name === REQUEST_ID.toLowerCase()) {
    return { ...rule, violationOf: (id) => (id === undefined ? undefined : violationOf(id)) };
  }
  const [name, value] = pairs.find(([one]) => one.toLowerCase() === rule.name) ?? [];
  if (name === undefined || value === undefined) return rule;
  const violation = violationOf(value);
  if (!LISTS.has(name)) {
    return { ...rule, violationOf: (given) => (given === undefined ? violation : violationOf(given)) };
  }
  // A handler does not know of that part: its own is what the contract declares.
  const withReason = (sentence: string | undefined) =>
    sentence === undefined ? undefined : `with the ${name} that the service adds (${value}), ${sentence}`;
  return {
    ...rule,
    violationOf: (given: HeaderValue) => {
      if (given === undefined) return withReason(violation);
      if (hasItems(given, value)) return violationOf(given);
      return withReason(violationOf([given, value].flat().map(String)));
    },
  };
}
