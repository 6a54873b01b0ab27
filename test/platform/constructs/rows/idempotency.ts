import { getOf, type Part, postOf } from '../base-contract.js';
import { honoured, refused } from '../row.js';

const KEY = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 3 } };
const RETRY_AFTER = { 'Retry-After': { required: true, schema: { type: 'integer', minimum: 1 } } };

/** An operation that takes a key, before one part of it is changed. */
const keyed =
  (edit: (contract: Part) => void = () => undefined) =>
  (contract: Part): void => {
    const { parameters, responses } = postOf(contract);
    parameters.push(structuredClone(KEY));
    responses[422] = structuredClone(responses[400]);
    responses[409] = { ...structuredClone(responses[400]), headers: structuredClone(RETRY_AFTER) };
    edit(contract);
  };

/** The header that the platform acts on. What it does is tested in test/database/keyed. */
export const IDEMPOTENCY = [
  honoured('Idempotency-Key', keyed(), 'a request that changes something is answered once; see above', [
    { status: 201, headers: { 'idempotency-key': 'a' }, body: {}, answer: { a: 1 } },
    // Nothing was changed, so that nothing is stored.
    { status: 201, headers: { 'idempotency-key': 'a' }, body: {}, answer: { a: 2 } },
    {
      status: 400,
      headers: { 'idempotency-key': 'abcd' },
      body: {},
      message: 'header Idempotency-Key must be a string of at most 3 characters',
    },
  ]),
  refused(
    'Idempotency-Key: GET',
    keyed((contract) => getOf(contract).parameters.push(structuredClone(KEY))),
    'the header Idempotency-Key has no effect on GET, which changes nothing; remove it',
  ),
  refused(
    'Idempotency-Key: public operation',
    keyed((contract) => (postOf(contract).security = [])),
    'the header Idempotency-Key needs an operation that requires a key: keys of several callers could be the same',
  ),
  refused(
    'Idempotency-Key: integer',
    keyed((contract) => (postOf(contract).parameters[0].schema = { type: 'integer' })),
    'the header Idempotency-Key must be of the type string',
  ),
  refused(
    'Idempotency-Key: no 409',
    keyed((contract) => delete postOf(contract).responses[409]),
    'the operation must declare 409: a request with the same Idempotency-Key may still be running',
  ),
  refused(
    'Idempotency-Key: neither 409 nor 422',
    keyed((contract) => [409, 422].forEach((status) => delete postOf(contract).responses[status])),
    'the operation must declare 409 and 422: a request with the same Idempotency-Key may still be running, and an Idempotency-Key may be used for another request',
  ),
  refused(
    'Idempotency-Key: no 422',
    keyed((contract) => delete postOf(contract).responses[422]),
    'the operation must declare 422: an Idempotency-Key may be used for another request',
  ),
  refused(
    'Idempotency-Key: 409 without Retry-After',
    keyed((contract) => delete postOf(contract).responses[409].headers),
    'the response must declare the header Retry-After',
  ),
  refused(
    'Idempotency-Key: response that is not JSON',
    keyed((contract) => (postOf(contract).responses[201].content = { 'text/plain': { schema: { type: 'string' } } })),
    'a response other than application/json cannot be stored for an Idempotency-Key; use application/json',
  ),
];
