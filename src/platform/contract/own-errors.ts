import type { Operation } from './contract.js';
import type { Responses } from './responses/declared-response.js';
import type { ContractNode } from './source/contract-node.js';

/** The headers that the service sends only with some statuses. */
const EXTRA: Readonly<Record<string, readonly string[]>> = {
  409: ['retry-after'],
  429: ['retry-after', 'ratelimit', 'ratelimit-policy'],
  503: ['retry-after'],
};

/** The codes that the service itself sends with each of these statuses. */
const CODES: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'NOT_ACCEPTABLE',
  408: 'REQUEST_TIMEOUT',
  409: 'REQUEST_IN_PROGRESS',
  413: 'PAYLOAD_TOO_LARGE',
  414: 'URI_TOO_LONG',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'IDEMPOTENCY_KEY_REUSED',
  429: 'TOO_MANY_REQUESTS',
  431: 'REQUEST_HEADER_FIELDS_TOO_LARGE',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

/** What the service sends to a request before it has an operation. */
export const PROTOCOL_STATUSES: readonly number[] = [204, 400, 404, 405, 408, 414, 431, 500, 503];

/** Throws a StartError for an error without an operation whose schema refuses the code of the service. `node` is that of all. */
export function checkProtocolCodes(node: ContractNode, responses: Responses): void {
  const sent = PROTOCOL_STATUSES.filter((status) => responses.has(status));
  for (const status of sent) checkCode(node.need(String(status)), status, responses);
}

/**
 * Throws a StartError unless an operation declares the errors that the service itself sends for it, and requires no
 * header that the service does not set on them. `node` is that of its responses.
 */
export function checkOwnErrors(node: ContractNode, operation: Operation): void {
  const { responses } = operation;
  assertDeclares(node, neededBy(operation));
  const own = ownStatuses(operation);
  for (const status of own) checkCode(node.need(String(status)), status, responses);
  // A guard of the application sends these, with the headers of its scheme.
  const sent = own.filter((status) => status !== 401 && status !== 403);
  for (const status of sent) checkHeaders(node.need(String(status)), headersSetBy(operation));
}

/** A status, and why an operation needs it: the end of a sentence. */
type NeededStatus = readonly [status: number, reason: string];

/** Throws a StartError that names all of the statuses which `responses` lacks. */
export function assertDeclares(responses: ContractNode, needed: readonly NeededStatus[]): void {
  const lacking = needed.filter(([status]) => !responses.get(String(status)));
  if (lacking.length === 0) return;
  // `400, 413 and 500`
  const statuses = new Intl.ListFormat('en-GB').format(lacking.map(([status]) => `${status}`));
  const reasons = lacking.map(([, reason], at) => (at > 0 && at === lacking.length - 1 ? `and ${reason}` : reason));
  responses.failAtName(`the operation must declare ${statuses}: ${reasons.join(', ')}`);
}

function neededBy({ scheme, method, check, requestBody, responses }: Operation): NeededStatus[] {
  // A path that is invalid gets 400 where there is no 404.
  const needs404 = check.path !== undefined && check.rest === undefined && !responses.has(400);
  const all: [boolean, ...NeededStatus][] = [
    [check.rest !== undefined, 400, 'its parameters and its body can be invalid'],
    [scheme !== undefined, 401, 'it requires a key'],
    [scheme !== undefined && method !== 'GET', 403, 'its key may be for reading only'],
    [needs404, 404, 'its path can be invalid'],
    [requestBody !== undefined, 413, 'its body can be too large'],
    [requestBody !== undefined, 415, 'its body can have another media type'],
    [true, 500, 'it may fail'],
    [true, 503, 'the service may be stopping'],
  ];
  return all.flatMap(([isNeeded, ...needed]) => (isNeeded ? [needed] : []));
}

/** The errors that the service itself sends for an operation. */
export function ownStatuses(operation: Operation): number[] {
  const { responses, check, scheme, mediaTypes, takesIdempotencyKey } = operation;
  const own = neededBy(operation).map(([status]) => status);
  if (check.path) own.push(responses.has(404) ? 404 : 400);
  if (mediaTypes && responses.has(406)) own.push(406);
  if (takesIdempotencyKey) own.push(409, 422);
  // The rate of requests with a key may be limited.
  if (scheme !== undefined && responses.has(429)) own.push(429);
  return own;
}

/** The headers that the service sets on each error of an operation and that a contract may declare, in lower case. */
function headersSetBy({ deprecation, mediaTypes }: Operation): string[] {
  const hasLink = deprecation?.successor !== undefined || deprecation?.documentation !== undefined;
  return [
    'cache-control',
    'x-content-type-options',
    'x-request-id',
    ...(deprecation ? ['deprecation', 'sunset'] : []),
    ...(hasLink ? ['link'] : []),
    ...(mediaTypes ? ['vary'] : []),
  ];
}

/** An Error that the schema of its response refuses would become a 500. */
function checkCode(response: ContractNode, status: number, responses: Responses): void {
  const code = CODES[status];
  try {
    responses.get(status)?.serialise?.({ code, message: 'A sentence.', status });
  } catch {
    const schema = response.need('content').need('application/json').need('schema');
    schema.fail(`the service sends ${status} with the code "${code}", which the schema must accept`);
  }
}

function checkHeaders(response: ContractNode, set: readonly string[]): void {
  const own = new Set([...set, ...(EXTRA[response.key] ?? [])]);
  const headers = response.get('headers')?.children() ?? [];
  const lacking = headers.find((one) => one.get('required')?.value === true && !own.has(one.key.toLowerCase()));
  lacking?.failAtName(`the service sends ${response.key} without this header; make it optional`);
}
