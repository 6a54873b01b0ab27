import { json, type Part, postOf } from '../base-contract.js';
import { honoured, refused, type Row } from '../row.js';

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

const UNIT = { type: 'object', properties: { unit: { type: 'string', default: 'kg' } } };
const OTHERS = { a: { type: 'string' }, b: { type: 'string' } };

function unit(schema: object): object {
  return { type: 'object', properties: { unit: { type: 'string', ...schema } } };
}

/** Only in a request: a response refuses some of these parts anyway. */
function requestOnly(schema: object): Row['edit'] {
  return body(schema, BASE);
}

function filled(request: object, seen: object): Row['probes'] {
  return [{ status: 201, body: request, seen: { body: seen } }];
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
  honoured(
    'default that every part accepts',
    requestOnly({ allOf: [UNIT, unit({ enum: ['kg', 'g'], default: 'kg' }), unit({ minLength: 2 })] }),
    'filled in',
    filled({}, { unit: 'kg' }),
  ),
  honoured(
    'default that one of several alternatives accepts',
    requestOnly({ allOf: [UNIT, { anyOf: [unit({ minLength: 3 }), unit({ maxLength: 2 })] }] }),
    'filled in',
    filled({}, { unit: 'kg' }),
  ),
  honoured(
    'default inside an alternative, beside one that refuses it',
    requestOnly({
      oneOf: [{ allOf: [UNIT, { type: 'object', required: ['a'] }] }, { ...unit({ minLength: 3 }), required: ['b'] }],
    }),
    'filled in',
    filled({ a: 'x' }, { a: 'x', unit: 'kg' }),
  ),
  honoured(
    'default that may change which alternative matches',
    requestOnly({
      allOf: [
        UNIT,
        {
          oneOf: [
            { ...unit({ enum: ['kg', 't'] }), required: ['a'] },
            { ...unit({ enum: ['l'] }), required: ['b'] },
          ],
        },
      ],
    }),
    'filled in; a request that breaks the contract with it is refused',
    [
      ...filled({ a: 'x' }, { a: 'x', unit: 'kg' }),
      ...filled({ b: 'x', unit: 'l' }, { b: 'x', unit: 'l' }),
      {
        status: 400,
        body: { b: 'x' },
        message:
          'The body must match exactly one of the 2 declared alternatives, not none, with the defaults filled in',
      },
    ],
  ),
  ...(
    [
      ['may be null', { type: 'object', nullable: true, properties: { a: { type: 'string' } } }],
      ['are lists', { type: 'array', items: { type: 'string' } }],
    ] as const
  ).map(([what, part]) =>
    refused(
      `properties beside allOf whose parts ${what}`,
      requestOnly({ allOf: [part], properties: { c: { type: 'string' } } }),
      '"properties" beside "allOf" needs "type: object", because no part demands an object',
    ),
  ),
  honoured(
    'allOf of an integer and a number',
    requestOnly({
      type: 'object',
      properties: { n: { allOf: [{ type: 'integer' }, { type: 'number', multipleOf: 2 }] } },
    }),
    'an integer that a double holds',
    [
      { status: 201, body: { n: 2n ** 54n } },
      {
        status: 400,
        body: { n: 2n ** 54n + 2n },
        message: 'n must be a number that a double holds without rounding, such as one of at most 15 digits',
      },
      { status: 400, body: { n: 0.5 }, message: 'n must be an integer; n must be a number that is a multiple of 2' },
    ],
  ),
  honoured(
    'default that may make items equal',
    requestOnly({
      type: 'object',
      properties: {
        list: {
          type: 'array',
          uniqueItems: true,
          items: { type: 'object', additionalProperties: false, properties: { ...UNIT.properties } },
        },
      },
    }),
    'filled in; a request that breaks the contract with it is refused',
    [
      ...filled({ list: [{}, { unit: 'g' }] }, { list: [{ unit: 'kg' }, { unit: 'g' }] }),
      {
        status: 400,
        body: { list: [{}, { unit: 'kg' }] },
        message: 'list must be an array without duplicates, with the defaults filled in',
      },
    ],
  ),
  honoured(
    'default of a member that another part declares readOnly',
    requestOnly({ allOf: [UNIT, unit({ readOnly: true })] }),
    'not filled in: the member must not be sent',
    [
      { status: 201, body: {}, seen: { body: {} } },
      { status: 400, body: { unit: 'g' }, message: 'unit is read-only and must not be sent' },
    ],
  ),
  honoured(
    'default beside maxProperties that all members keep',
    requestOnly({
      type: 'object',
      maxProperties: 3,
      properties: { ...UNIT.properties, ...OTHERS },
      additionalProperties: false,
    }),
    'filled in',
    filled({ a: 'x', b: 'x' }, { a: 'x', b: 'x', unit: 'kg' }),
  ),
  honoured(
    'default beside maxProperties, of the only members that another part allows',
    requestOnly({
      allOf: [
        { type: 'object', maxProperties: 2, properties: { ...UNIT.properties, ...OTHERS } },
        {
          type: 'object',
          additionalProperties: false,
          properties: { unit: { type: 'string' }, a: { type: 'string' } },
        },
      ],
    }),
    'filled in',
    filled({ a: 'x' }, { a: 'x', unit: 'kg' }),
  ),
  refused(
    'default that another part refuses',
    requestOnly({ allOf: [UNIT, unit({ minLength: 3 })] }),
    'the default must be a string of at least 3 characters',
  ),
  refused(
    'default that allOf refuses beside its parts',
    requestOnly({ allOf: [UNIT], ...unit({ minLength: 3 }) }),
    'the default must be a string of at least 3 characters',
  ),
  refused(
    'default that each alternative refuses',
    requestOnly({ allOf: [UNIT, { oneOf: [unit({ minLength: 3 }), unit({ enum: ['g'] })] }] }),
    'the default must be a string of at least 3 characters; the default must be one of g',
  ),
  refused(
    'default inside an alternative that a part beside it refuses',
    requestOnly({ allOf: [{ oneOf: [UNIT, { type: 'object', required: ['b'] }] }, unit({ minLength: 3 })] }),
    'the default must be a string of at least 3 characters',
  ),
  refused(
    'default of a member that another part does not allow',
    requestOnly({ allOf: [UNIT, { type: 'object', additionalProperties: false, properties: OTHERS }] }),
    '"additionalProperties" of another part forbids "unit"; declare it there, too',
  ),
  refused(
    'default that the further members of another part exclude',
    requestOnly({ allOf: [UNIT, { type: 'object', additionalProperties: { type: 'integer' } }] }),
    'the default must be an integer',
  ),
  refused(
    'two defaults of one member',
    requestOnly({ allOf: [UNIT, unit({ default: 'g' })] }),
    'another part declares another default; remove one of them',
  ),
  refused(
    'default of a member that another part requires',
    requestOnly({ allOf: [UNIT, { type: 'object', required: ['unit'] }] }),
    '"default" has no effect on a required member; remove one of them',
  ),
  refused(
    'default of a member that each alternative requires',
    requestOnly({
      allOf: [
        UNIT,
        {
          oneOf: [
            { type: 'object', required: ['unit', 'a'] },
            { type: 'object', required: ['unit', 'b'] },
          ],
        },
      ],
    }),
    '"default" has no effect on a required member; remove one of them',
  ),
  ...(
    [
      [
        'of a part',
        {
          allOf: [
            { type: 'object', required: ['a'] },
            { type: 'object', additionalProperties: false },
          ],
        },
      ],
      ['beside allOf', { type: 'object', allOf: [{ type: 'object', required: ['a'] }], additionalProperties: false }],
      ['of the same schema', { type: 'object', required: ['a'], properties: {}, additionalProperties: false }],
    ] as const
  ).map(([what, schema]) =>
    refused(
      `additionalProperties false ${what}, without a required member`,
      requestOnly(schema),
      '"additionalProperties" forbids "a", which is required; declare "a" here too, or remove "additionalProperties"',
    ),
  ),
  honoured(
    'additionalProperties false of an alternative that no request can match',
    requestOnly({
      oneOf: [
        { type: 'object', required: ['a'], additionalProperties: false },
        { type: 'object', required: ['b'], properties: { b: { type: 'string' } } },
      ],
    }),
    'the others are checked',
    [{ status: 201, body: { b: 'x' } }],
  ),
  refused(
    'default beside maxProperties that other members reach',
    requestOnly({
      type: 'object',
      maxProperties: 2,
      properties: { ...UNIT.properties, ...OTHERS },
      additionalProperties: false,
    }),
    '"default" may add a member beyond "maxProperties"; remove one of them, or forbid further members',
  ),
  refused(
    'default beside maxProperties of undeclared members',
    requestOnly({ ...UNIT, maxProperties: 2 }),
    '"default" may add a member beyond "maxProperties"; remove one of them, or forbid further members',
  ),
];
