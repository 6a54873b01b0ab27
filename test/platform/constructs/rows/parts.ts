import { json, type Part, postOf } from '../base-contract.js';
import { honoured, type Row } from '../row.js';

const ID = { id: { type: 'integer', readOnly: true } };
const BASE = { type: 'object', properties: { ...ID, name: { type: 'string' } } };
const BOTH_REQUIRED = { type: 'object', required: ['id', 'name'] };
const SECRET = { type: 'object', properties: { name: { type: 'string' }, pin: { type: 'string', writeOnly: true } } };

/** The schema of the body of a request, and of its response unless that has another one. */
function body(schema: object, ofResponse = schema): Row['edit'] {
  return (contract: Part) => {
    contract.components.schemas.Base = BASE;
    postOf(contract).requestBody.content = json(schema);
    postOf(contract).responses[201].content = json(ofResponse);
  };
}

const READ_ONLY: Row['probes'] = [
  { status: 201, body: { name: 'a' }, answer: { id: 1, name: 'a' }, text: '{"id":1,"name":"a"}' },
  { status: 400, body: { id: 1, name: 'a' }, message: 'id is read-only and must not be sent' },
  { status: 400, body: {}, message: 'name is required' },
  { status: 500, body: { name: 'a' }, answer: { name: 'a' } },
];

/** What the parts of a schema say about one another's members. */
export const PARTS: readonly Row[] = [
  honoured(
    'required in another part than readOnly',
    body({ allOf: [{ $ref: '#/components/schemas/Base' }, BOTH_REQUIRED] }),
    'required in responses only',
    READ_ONLY,
  ),
  honoured(
    'required beside allOf, readOnly in a part',
    body({ allOf: [{ $ref: '#/components/schemas/Base' }], required: ['id', 'name'] }),
    'required in responses only',
    READ_ONLY,
  ),
  honoured(
    'readOnly in one of two parts that declare the member',
    body({ allOf: [{ $ref: '#/components/schemas/Base' }, { ...BASE, required: ['id', 'name'] }] }),
    'must not be sent',
    READ_ONLY,
  ),
  honoured(
    'required in an alternative, readOnly beside it',
    body(
      {
        allOf: [
          { $ref: '#/components/schemas/Base' },
          { oneOf: [BOTH_REQUIRED, { type: 'object', required: ['id', 'size'] }] },
        ],
      },
      BASE,
    ),
    'required in responses only',
    [
      { status: 201, body: { name: 'a' }, answer: { id: 1 } },
      {
        status: 400,
        body: { name: 'a', size: 1 },
        message: 'The body must match exactly one of the 2 declared alternatives, not 2',
      },
    ],
  ),
  honoured(
    'required in alternatives, each of which declares it readOnly',
    body(
      {
        allOf: [
          { type: 'object', required: ['id'] },
          { oneOf: [BASE, { type: 'object', properties: ID, required: ['size'] }] },
        ],
      },
      BASE,
    ),
    'required in responses only',
    [
      { status: 201, body: {}, answer: {} },
      {
        status: 400,
        body: { id: 1 },
        message:
          'id is read-only and must not be sent; The body must match exactly one of the 2 declared alternatives, not none',
      },
    ],
  ),
  honoured(
    'required in another part than writeOnly, inside an alternative of a response',
    body(BASE, {
      oneOf: [
        { allOf: [SECRET, { type: 'object', required: ['pin', 'name'] }] },
        { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } },
      ],
    }),
    'required in requests only',
    [
      { status: 201, body: {}, answer: { name: 'a' } },
      { status: 500, body: {}, answer: {} },
    ],
  ),
];
