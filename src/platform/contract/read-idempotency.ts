import { assertDeclares } from './own-errors.js';
import type { ContractNode } from './source/contract-node.js';

const NAME = 'idempotency-key';

/** Methods that change nothing. */
const SAFE = new Set(['get', 'head', 'options', 'trace']);

/**
 * Whether an operation has the header parameter Idempotency-Key, by which retries are recognised. Throws a StartError where
 * that could not be honoured.
 */
export function takesIdempotencyKey(
  node: ContractNode,
  parameters: readonly ContractNode[],
  isSecured: boolean,
): boolean {
  const parameter = parameters.find(isIdempotencyKey);
  if (!parameter) return false;
  const fail = (reason: string) => parameter.failAtName(`the header Idempotency-Key ${reason}`);
  if (SAFE.has(node.key)) fail(`has no effect on ${node.key.toUpperCase()}, which changes nothing; remove it`);
  if (!isSecured) fail('needs an operation that requires a key: keys of several callers could be the same');
  if (parameter.need('schema').get('type')?.value !== 'string') fail('must be of the type string');
  const responses = node.need('responses');
  assertDeclares(responses, STATUSES);
  const hasRetryAfter = responses
    .need('409')
    .get('headers')
    ?.children()
    .some(({ key }) => /^retry-after$/i.test(key));
  if (!hasRetryAfter) responses.need('409').failAtName('the response must declare the header Retry-After');
  for (const response of responses.children()) {
    const other = response
      .get('content')
      ?.children()
      .find(({ key }) => key !== 'application/json');
    other?.failAtName(
      'a response other than application/json cannot be stored for an Idempotency-Key; use application/json',
    );
  }
  return true;
}

const STATUSES = [
  [409, 'a request with the same Idempotency-Key may still be running'],
  [422, 'an Idempotency-Key may be used for another request'],
] as const;

function isIdempotencyKey(parameter: ContractNode): boolean {
  return parameter.need('in').value === 'header' && parameter.need('name').text().toLowerCase() === NAME;
}
