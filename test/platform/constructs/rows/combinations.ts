import { json, type Part, postOf } from '../base-contract.js';
import { honoured, type Probe, refused, type Row, schemaRow, valueSchema } from '../row.js';

function header(schema: object): Row['edit'] {
  return (contract) => (postOf(contract).responses[201].headers = { 'X-A': { schema } });
}

function errorSchema(edit: (schema: Part) => void): Row['edit'] {
  return (contract) => edit(contract.components.schemas.Error.properties);
}

function returned(answer: unknown, text: string): Probe {
  return { status: 201, body: {}, answer: { value: answer }, text: `{"value":${text}}` };
}

const SECRET = { pin: { type: 'string', writeOnly: true } };

/** Constructs that act together, and names that JavaScript treats specially. */
export const COMBINATIONS: readonly Row[] = [
  honoured(
    'writeOnly beside additionalProperties true',
    valueSchema({ type: 'object', properties: SECRET, additionalProperties: true }),
    'never returned',
    [returned({ pin: 'a', b: 1 }, '{"b":1}')],
  ),
  honoured(
    'writeOnly beside additionalProperties with a schema',
    valueSchema({ type: 'object', minProperties: 1, properties: SECRET, additionalProperties: { type: 'integer' } }),
    'never returned',
    [returned({ pin: 'a', b: 1 }, '{"b":1}')],
  ),
  honoured(
    'a member of a response that every object inherits',
    valueSchema({ type: 'object', properties: { constructor: { type: 'string' }, valueOf: { type: 'string' } } }),
    'absent unless it is its own',
    [returned({}, '{}'), returned({ valueOf: 'a' }, '{"valueOf":"a"}')],
  ),
  honoured('a header with maxLength alone', header({ type: 'string', maxLength: 5 }), 'checked', [
    { status: 201, body: {}, answerHeaders: { 'X-A': 'abcde' } },
    { status: 500, body: {}, answerHeaders: { 'X-A': 'abcdef' } },
  ]),
  refused(
    'allOf of a header',
    header({ allOf: [{ type: 'integer' }] }),
    '"allOf" of a header is not supported; declare one type',
  ),
  refused(
    'a header that may be null',
    header({ type: 'string', nullable: true }),
    'a header cannot be null; leave it out instead',
  ),
  schemaRow(
    'const beside the type null',
    { type: ['string', 'null'], const: 'a' },
    'null is refused',
    { good: ['a'], bad: [[null, 'must be a']] },
    '3.1.0',
  ),
  honoured('a Date of a response that is invalid', valueSchema({ type: 'string' }), 'a 500, not null', [
    { status: 500, body: {}, answer: { value: new Date(Number.NaN) } },
  ]),
  refused(
    'a media type in upper case',
    (contract) => (postOf(contract).responses[201].content = { 'Text/CSV': { schema: { type: 'string' } } }),
    '"Text/CSV" must be in lower case; write text/csv',
  ),
  refused(
    'an error that is not JSON',
    (contract) =>
      (postOf(contract).responses[400] = {
        description: 'x',
        content: { 'text/plain': { schema: { type: 'string' } } },
      }),
    'the body of an error must be application/json',
  ),
  refused(
    'an error with a member that no error has',
    (contract) => {
      const content = json({ type: 'object', required: ['a'], properties: { a: { type: 'string' } } });
      postOf(contract).responses[400] = { description: 'x', content };
    },
    'the schema of an error must accept any text as "message", beside "code" and "status"',
  ),
  refused(
    'an error whose message has a limit',
    errorSchema(({ message }) => (message.maxLength = 50)),
    'the schema of an error must accept any text as "message", beside "code" and "status"',
  ),
];
