import type { RequestCheck } from './requests/request-check.js';
import type { ContractNode } from './source/contract-node.js';
import type { Responses } from './responses/declared-response.js';

/** The service sends these for any operation. */
const ALWAYS_NEEDED = [500, 503];

interface Refusals {
  readonly check: RequestCheck;
  readonly hasBody: boolean;
  readonly isSecured: boolean;
}

/**
 * An operation must declare the errors that the service itself sends for it, and require of them no header that the
 * service does not set. `node` has the responses.
 */
export function checkOwnErrors(node: ContractNode, responses: Responses, refusals: Refusals): void {
  if (!ALWAYS_NEEDED.every((status) => responses.has(status)))
    node.failAtName('an operation must declare 500 and 503: it may fail, and the service may be stopping');
  const { check, hasBody, isSecured } = refusals;
  const needed: [boolean, number, string][] = [
    [isSecured, 401, 'it requires a key'],
    [check.rest !== undefined, 400, 'its parameters and its body can be invalid'],
    [hasBody, 413, 'its body can be too large'],
    [hasBody, 415, 'its body can have another media type'],
    [check.path !== undefined && !responses.has(400), 404, 'its path can be invalid'],
  ];
  for (const [isNeeded, status, reason] of needed) {
    if (isNeeded && !responses.has(status)) node.failAtName(`the operation must declare ${status}: ${reason}`);
  }
  const ofPath = check.path && (responses.has(404) ? 404 : 400);
  for (const status of [...ALWAYS_NEEDED, ...needed.flatMap(([isNeeded, own]) => (isNeeded ? own : [])), ofPath]) {
    // A guard of the application sends 401, with the headers of its scheme.
    if (status !== undefined && status !== 401) checkHeaders(node.need(String(status)));
  }
}

/** Headers that the service sets on every error of an operation; the last three if it is deprecated. */
const ALWAYS_SET = ['cache-control', 'x-content-type-options', 'deprecation', 'sunset', 'link'];

function checkHeaders(response: ContractNode): void {
  const set = new Set([...ALWAYS_SET, ...(response.key === '503' ? ['retry-after'] : [])]);
  const headers = response.get('headers')?.children() ?? [];
  const lacking = headers.find((one) => one.get('required')?.value === true && !set.has(one.key.toLowerCase()));
  lacking?.failAtName(`the service sends ${response.key} without this header; make it optional`);
}
