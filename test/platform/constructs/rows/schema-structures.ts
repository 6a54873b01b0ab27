import { json, postOf } from '../base-contract.js';
import { honoured, refused, refusedSchema, type Row, schemaRow, valueSchema } from '../row.js';

const SIZED = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } };
const CLOSED = { ...SIZED, additionalProperties: false };
const COUNTED =
  'undeclared members count, but a DTO drops them; add "additionalProperties: false" beside "properties", or remove "minProperties"';
const DROPPED =
  'items that differ only in undeclared members, which a DTO drops, would become equal; add "additionalProperties: false" to each object in "items", or remove "uniqueItems"';
const FEW =
  'no more than 2 members are declared here, so that no object can match; declare more, or lower "minProperties"';
const NESTED = { type: 'object', required: ['o'], properties: { o: { ...SIZED, minProperties: 1 } } };
const CAT = {
  type: 'object',
  required: ['kind', 'lives'],
  properties: { kind: { type: 'string' }, lives: { type: 'integer' } },
};
const DOG = {
  type: 'object',
  required: ['kind', 'tricks'],
  properties: { kind: { type: 'string' }, tricks: { type: 'integer' } },
};
const ANIMAL = { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] };

/** The schema of the member `value` in the response alone. */
function returning(value: object): Row['edit'] {
  return (contract) => {
    postOf(contract).responses[201].content = json({ type: 'object', properties: { value } });
  };
}

/** `value` is an animal; the schemas of cats and dogs are in the components. */
function animals(schema: object): Row['edit'] {
  return (contract) => {
    Object.assign(contract.components.schemas, { Cat: CAT, Dog: DOG });
    valueSchema(schema)(contract);
  };
}

const POINTERS: readonly (readonly [string, string])[] = [
  ['through a path', '#/paths/~1things/post/requestBody/content/application~1json/schema'],
  ['with a pointer that is encoded', '#/paths/%7E1things/post/requestBody/content/application%7e1json/schema'],
  ['with encoded slashes in names', '#/paths/%2Fthings/post/requestBody/content/application%2Fjson/schema'],
];

const cat = { kind: 'Cat', lives: 9 };

/** Objects, arrays and compositions. */
export const SCHEMA_STRUCTURES: readonly Row[] = [
  schemaRow('Schema: items', { type: 'array', items: { type: 'integer' } }, 'checked', {
    good: [[1]],
    bad: [],
  }),
  honoured(
    'Schema: items, each of them',
    valueSchema({ type: 'array', items: { type: 'integer' } }),
    'the sentence names the index',
    [
      {
        status: 400,
        body: { value: [1, 'a', null] },
        message: 'value.1 must be an integer; value.2 must be an integer',
      },
      { status: 500, body: {}, answer: { value: ['a'] } },
    ],
  ),
  refusedSchema(
    'Schema: array without items',
    { type: 'array' },
    'paths./things.post.requestBody.content.application/json.schema.properties.value lacks "items"',
  ),
  schemaRow('Schema: minItems', { type: 'array', items: { type: 'integer' }, minItems: 1 }, 'checked', {
    good: [[1]],
    bad: [[[], 'must be an array of at least 1 item']],
  }),
  schemaRow('Schema: maxItems', { type: 'array', items: { type: 'integer' }, maxItems: 1 }, 'checked', {
    good: [[], [1]],
    bad: [[[1, 2], 'must be an array of at most 1 item']],
  }),
  schemaRow(
    'Schema: uniqueItems',
    { type: 'array', uniqueItems: true, items: CLOSED },
    'checked; the order of members does not count',
    {
      good: [[{ a: 1 }, { a: 2 }]],
      bad: [
        [
          [
            { a: 1, b: 2 },
            { b: 2, a: 1 },
          ],
          'must be an array without duplicates',
        ],
      ],
    },
  ),
  honoured(
    'Schema: properties',
    valueSchema({ type: 'object', properties: { a: { type: 'integer' } } }),
    'checked; the sentence names the member',
    [
      { status: 201, body: { value: { a: 1, other: 2 } }, answer: { value: { a: 1 } } },
      { status: 400, body: { value: { a: 'x' } }, message: 'value.a must be an integer' },
      { status: 500, body: {}, answer: { value: { a: 'x' } } },
      { status: 201, body: {}, answer: { value: { a: 1, secret: 2 } }, text: '{"value":{"a":1}}' },
    ],
  ),
  honoured(
    'Schema: required',
    valueSchema({ type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }),
    'checked',
    [
      { status: 201, body: { value: { a: 1 } }, answer: { value: { a: 1 } } },
      { status: 400, body: { value: {} }, message: 'value.a is required' },
      { status: 500, body: {}, answer: { value: {} } },
    ],
  ),
  honoured(
    'Schema: names that every object inherits',
    valueSchema({ type: 'object', required: ['constructor'], properties: { constructor: { type: 'integer' } } }),
    'ordinary names',
    [
      { status: 400, body: { value: {} }, message: 'value.constructor is required' },
      { status: 201, body: { value: { constructor: 1 } }, answer: {} },
    ],
  ),
  honoured(
    'Schema: additionalProperties false',
    valueSchema(CLOSED),
    'checked in requests; responses never have undeclared members',
    [
      { status: 201, body: { value: { a: 1 } }, answer: { value: { a: 1 } } },
      { status: 400, body: { value: { a: 1, c: 1 } }, message: 'value.c is not declared' },
      { status: 201, body: {}, answer: { value: { a: 1, c: 1 } }, text: '{"value":{"a":1}}' },
    ],
  ),
  honoured(
    'Schema: additionalProperties true',
    valueSchema({ ...SIZED, additionalProperties: true }),
    'undeclared members are passed on',
    [
      {
        status: 201,
        body: { value: { c: 'x' } },
        seen: { body: { value: { c: 'x' } } },
        answer: { value: { c: 'x' } },
      },
    ],
  ),
  honoured(
    'Schema: additionalProperties with a schema',
    valueSchema({ type: 'object', additionalProperties: { type: 'integer' } }),
    'checked',
    [
      { status: 201, body: { value: { c: 1 } }, answer: { value: { c: 1 } } },
      { status: 400, body: { value: { c: 'x' } }, message: 'value.c must be an integer' },
      { status: 500, body: {}, answer: { value: { c: 'x' } } },
    ],
  ),
  schemaRow('Schema: minProperties', { ...SIZED, additionalProperties: false, minProperties: 1 }, 'checked', {
    good: [{ a: 1 }],
    bad: [[{}, 'must be an object with at least 1 member']],
  }),
  schemaRow(
    'Schema: minProperties of an object that requires as many',
    { ...SIZED, required: ['a'], minProperties: 1 },
    'checked',
    { good: [{ a: 1 }], bad: [[{}, 'must be an object with at least 1 member; value.a is required']] },
  ),
  refused(
    'Schema: minProperties of an object with undeclared members, in a request',
    valueSchema({ ...SIZED, minProperties: 1 }),
    COUNTED,
  ),
  refused(
    'Schema: minProperties of an object that requires a readOnly member',
    valueSchema({
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'integer', readOnly: true }, b: { type: 'integer' } },
      minProperties: 1,
    }),
    COUNTED,
  ),
  ...[
    ['minProperties of a readOnly member', { ...SIZED, minProperties: 1, readOnly: true }],
    ['uniqueItems of a readOnly member', { type: 'array', uniqueItems: true, items: SIZED, readOnly: true }],
    ['uniqueItems of one item at most', { type: 'array', uniqueItems: true, maxItems: 1, items: SIZED }],
    [
      'uniqueItems of objects with a readOnly object',
      {
        type: 'array',
        uniqueItems: true,
        items: { ...CLOSED, properties: { a: { type: 'integer' }, o: { ...SIZED, readOnly: true } } },
      },
    ],
  ].map(([name, schema]) =>
    honoured(`Schema: ${name as string}`, valueSchema(schema as object), 'checked', [
      { status: 201, body: {}, answer: {} },
    ]),
  ),
  refused(
    'Schema: uniqueItems of objects with undeclared members, in a request',
    valueSchema({ type: 'array', uniqueItems: true, items: SIZED }),
    DROPPED,
  ),
  refused(
    'Schema: uniqueItems of objects that contain one with undeclared members, in a request',
    valueSchema({
      type: 'array',
      uniqueItems: true,
      items: { type: 'object', additionalProperties: false, properties: { o: { oneOf: [{ type: 'string' }, SIZED] } } },
    }),
    DROPPED,
  ),
  refused('Schema: minProperties beyond the members', valueSchema({ ...CLOSED, minProperties: 3 }), FEW),
  refused('Schema: minProperties beyond the members of a response', returning({ ...SIZED, minProperties: 3 }), FEW),
  ...(['minProperties', 'maxProperties'] as const).map((size) =>
    refused(
      `Schema: ${size} of an alternative, in a response`,
      returning({
        oneOf: [
          { ...SIZED, [size]: 1 },
          { type: 'object', properties: { c: { type: 'integer' } } },
        ],
      }),
      `members that only another alternative declares count; add "additionalProperties: false" beside "properties", or remove "${size}"`,
    ),
  ),
  refused(
    'Schema: minProperties of a member that several alternatives of a response declare',
    returning({
      oneOf: [NESTED, { ...NESTED, properties: { o: { type: 'object', properties: { c: { type: 'integer' } } } } }],
    }),
    'members that only another alternative declares count; add "additionalProperties: false" beside "properties", or remove "minProperties"',
  ),
  honoured(
    'Schema: minProperties of a member that one alternative of a response declares',
    returning({ oneOf: [NESTED, { type: 'object', required: ['c'], properties: { c: { type: 'integer' } } }] }),
    'counts the members that are written',
    [
      { status: 201, body: {}, answer: { value: { o: { a: 1 } } }, text: '{"value":{"o":{"a":1}}}' },
      { status: 500, body: {}, answer: { value: { o: {} } } },
    ],
  ),
  honoured(
    'Schema: minProperties of a response',
    valueSchema({ ...SIZED, additionalProperties: false, minProperties: 2 }),
    'counts the members that are written',
    [
      { status: 201, body: {}, answer: { value: { a: 1, b: 2 } } },
      { status: 500, body: {}, answer: { value: { a: 1, b: undefined } } },
      { status: 500, body: {}, answer: { value: { a: 1, undeclared: 2 } } },
    ],
  ),
  honoured(
    'Schema: maxProperties of a response',
    valueSchema({ ...SIZED, maxProperties: 1, additionalProperties: { type: 'integer' } }),
    'counts the members that are written',
    [
      { status: 201, body: {}, answer: { value: { a: 1, b: undefined, c: undefined } }, text: '{"value":{"a":1}}' },
      { status: 500, body: {}, answer: { value: { a: 1, c: 2 } } },
    ],
  ),
  schemaRow('Schema: maxProperties', { ...SIZED, maxProperties: 1 }, 'checked', {
    good: [{ a: 1 }],
    bad: [[{ a: 1, b: 2 }, 'must be an object with at most 1 member']],
  }),
  honoured('Schema: readOnly', valueSchema({ type: 'integer', readOnly: true }), 'must not be sent; returned', [
    { status: 400, body: { value: 1 }, message: 'value is read-only and must not be sent' },
    { status: 201, body: {}, answer: { value: 1 } },
  ]),
  honoured(
    'Schema: required readOnly',
    (contract) => {
      const content = json({
        type: 'object',
        required: ['value'],
        properties: { value: { type: 'integer', readOnly: true } },
      });
      postOf(contract).requestBody.content = content;
      postOf(contract).responses[201].content = content;
    },
    'required in responses only',
    [
      { status: 201, body: {}, answer: { value: 1 } },
      { status: 500, body: {}, answer: {} },
    ],
  ),
  honoured('Schema: writeOnly', valueSchema({ type: 'string', writeOnly: true }), 'accepted; never returned', [
    { status: 201, body: { value: 'a' }, answer: { value: 'a' }, text: '{}' },
    { status: 400, body: { value: 1 }, message: 'value must be a string' },
  ]),
  refusedSchema(
    'Schema: readOnly and writeOnly',
    { type: 'string', readOnly: true, writeOnly: true },
    'a member cannot be both readOnly and writeOnly; remove one',
  ),
  honoured(
    'Schema: allOf',
    valueSchema({ allOf: [{ type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }, SIZED] }),
    'every part is checked',
    [
      { status: 201, body: { value: { a: 1, b: 2 } }, answer: { value: { a: 1, b: 2 } } },
      { status: 400, body: { value: { b: 'x' } }, message: 'value.a is required; value.b must be an integer' },
      { status: 500, body: {}, answer: { value: { b: 1 } } },
    ],
  ),
  refused(
    'Schema: additionalProperties inside allOf, in a response',
    valueSchema({ allOf: [{ type: 'object', additionalProperties: true }] }),
    '"additionalProperties" inside "allOf" is not supported in a response',
  ),
  honoured(
    'Schema: additionalProperties false inside allOf, beside no other members',
    valueSchema({
      allOf: [
        { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } }, additionalProperties: false },
        {
          type: 'object',
          required: ['a'],
          properties: { a: { type: 'integer' }, pin: { type: 'string', writeOnly: true } },
        },
      ],
    }),
    'checked in requests; responses never have undeclared members',
    [
      {
        status: 201,
        body: { value: { a: 1 } },
        answer: { value: { a: 1, b: 2, c: 3 } },
        text: '{"value":{"a":1,"b":2}}',
      },
      { status: 400, body: { value: { a: 1, c: 1 } }, message: 'value.c is not declared' },
    ],
  ),
  refused(
    'Schema: additionalProperties false inside allOf, beside other members of a response',
    valueSchema({
      allOf: [
        { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false },
        { type: 'object', properties: { b: { type: 'integer' } } },
      ],
    }),
    '"additionalProperties" applies to "b", which stands elsewhere in the "allOf"; declare "b" here too, or remove "additionalProperties"',
  ),
  refused(
    'Schema: additionalProperties false beside allOf, whose members a response has',
    valueSchema({
      allOf: [{ type: 'object', properties: { a: { type: 'integer' } } }],
      properties: { b: { type: 'integer' } },
      additionalProperties: false,
    }),
    '"additionalProperties" applies to "a", which stands elsewhere in the "allOf"; declare "a" here too, or remove "additionalProperties"',
  ),
  refused(
    'Schema: additionalProperties with a schema beside allOf, whose members a response has',
    valueSchema({
      allOf: [{ type: 'object', properties: { a: { type: 'string' } } }],
      additionalProperties: { type: 'integer' },
    }),
    '"additionalProperties" applies to "a", which stands elsewhere in the "allOf"; declare "a" here too, or remove "additionalProperties"',
  ),
  refused(
    'Schema: additionalProperties false inside allOf, beside undeclared members of a response',
    valueSchema({
      allOf: [{ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }],
      additionalProperties: true,
    }),
    '"additionalProperties" inside the "allOf" allows no further members; remove that one or this one',
  ),
  refused(
    'Schema: maxProperties beside allOf, in a response',
    valueSchema({ allOf: [{ type: 'object', properties: { a: { type: 'integer' } } }], maxProperties: 1 }),
    '"maxProperties" beside "allOf" is not supported in a response',
  ),
  refused(
    'Schema: another type beside allOf, in a response',
    valueSchema({ allOf: [{ type: 'object' }], type: 'string' }),
    '"type" beside "allOf" must be object in a response',
  ),
  refused(
    'Schema: oneOf inside allOf, in a response',
    valueSchema({ allOf: [{ oneOf: [{ type: 'object' }] }] }),
    '"oneOf" inside "allOf" is not supported in a response',
  ),
  refused(
    'Schema: nested allOf, in a response',
    valueSchema({ allOf: [{ allOf: [{ type: 'object' }] }] }),
    '"allOf" inside "allOf" is not supported in a response; list its parts in the outer one',
  ),
  refusedSchema('Schema: empty allOf', { allOf: [] }, '"allOf" must not be empty'),
  schemaRow(
    'Schema: oneOf',
    { oneOf: [{ type: 'integer', minimum: 5 }, { type: 'integer', multipleOf: 2 }, { type: 'boolean' }] },
    'exactly one alternative must match',
    {
      good: [5, 2, true],
      bad: [
        [6, 'must match exactly one of the 3 declared alternatives, not 2'],
        ['a', 'must match exactly one of the 3 declared alternatives, not none'],
      ],
    },
  ),
  schemaRow(
    'Schema: anyOf',
    {
      anyOf: [
        { type: 'integer', minimum: 5 },
        { type: 'integer', multipleOf: 2 },
      ],
    },
    'at least one alternative must match',
    {
      good: [5, 2, 6],
      bad: [[3, 'must match at least one of the 2 declared alternatives, not none']],
    },
  ),
  schemaRow(
    'Schema: alternatives of different types',
    {
      oneOf: [
        {
          allOf: [
            { type: 'object', properties: { a: { type: 'integer' } } },
            { type: 'object', required: ['a'] },
          ],
        },
        { type: 'number', minimum: 5 },
        { type: 'array', items: { anyOf: [{ type: 'boolean' }, { type: 'string', maxLength: 1 }] } },
        { type: 'string', maxLength: 1 },
        { type: 'string', minLength: 3 },
        { type: 'boolean', nullable: true, enum: [true, null] },
      ],
    },
    'what a value lacks is named if only one alternative has its type',
    {
      good: [{ a: 1 }, 5, [true], 'a', null],
      bad: [
        [4, 'must be a number from 5'],
        ['ab', 'must match exactly one of the 6 declared alternatives, not none'],
        [false, 'must be one of true, null'],
      ],
    },
  ),
  honoured(
    'Schema: alternatives of different types, with members and items',
    valueSchema({
      anyOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
        { type: 'array', items: { oneOf: [{ type: 'boolean' }, { type: 'string', maxLength: 1 }] } },
        { type: 'string', nullable: true, enum: [null] },
      ],
    }),
    'the sentences name the member or item',
    [
      { status: 400, body: { value: {} }, message: 'value.a is required' },
      { status: 400, body: { value: ['ab'] }, message: 'value.0 must be a string of at most 1 character' },
      {
        status: 400,
        body: { value: 'ab' },
        message: 'value must match at least one of the 3 declared alternatives, not none',
      },
    ],
  ),
  refusedSchema(
    'Schema: type beside oneOf',
    { type: 'string', oneOf: [{ type: 'string' }] },
    '"type" beside "oneOf" is not supported; put both into "allOf"',
  ),
  honoured(
    'Schema: discriminator',
    animals({ ...ANIMAL, discriminator: { propertyName: 'kind' } }),
    'chooses the alternative by the name of its schema',
    [
      { status: 201, body: { value: cat }, answer: { value: cat } },
      { status: 400, body: { value: { kind: 'Dog' } }, message: 'value.tricks is required' },
      { status: 400, body: { value: { kind: 'Cow' } }, message: 'value.kind must be one of Cat, Dog' },
      { status: 400, body: { value: {} }, message: 'value.kind is required' },
      { status: 500, body: {}, answer: { value: { kind: 'Cow' } } },
    ],
  ),
  honoured(
    'Schema: mapping of a discriminator',
    animals({
      ...ANIMAL,
      discriminator: { propertyName: 'kind', mapping: { c: 'Cat', d: '#/components/schemas/Dog' } },
    }),
    'chooses the alternative by the mapped value',
    [
      { status: 201, body: { value: { kind: 'c', lives: 9 } }, answer: { value: { kind: 'd', tricks: 1 } } },
      { status: 400, body: { value: cat }, message: 'value.kind must be one of c, d' },
    ],
  ),
  refused(
    'Schema: mapping that leads elsewhere',
    animals({ ...ANIMAL, discriminator: { propertyName: 'kind', mapping: { c: 'Cow' } } }),
    'the mapping "c" must lead to one of the alternatives',
  ),
  refusedSchema(
    'Schema: discriminator of references into schemas',
    { oneOf: [{ $ref: '#/components/schemas/Error/properties/code' }], discriminator: { propertyName: 'kind' } },
    'an alternative beside "discriminator" must be a reference to a schema in "components"',
  ),
  refusedSchema(
    'Schema: discriminator of inline schemas',
    { oneOf: [{ type: 'object' }], discriminator: { propertyName: 'kind' } },
    'an alternative beside "discriminator" must be a reference to a schema in "components"',
  ),
  refused(
    'Schema: discriminator of an alternative that may lack it',
    animals({ ...ANIMAL, discriminator: { propertyName: 'lives' } }),
    'the alternative "Dog" must require "lives" and declare it, neither readOnly nor writeOnly',
  ),
  refused(
    'Schema: discriminator that is writeOnly',
    (contract) => {
      animals({ ...ANIMAL, discriminator: { propertyName: 'kind' } })(contract);
      const { properties } = contract.components.schemas.Cat;
      contract.components.schemas.Cat = {
        ...CAT,
        properties: { ...properties, kind: { type: 'string', writeOnly: true } },
      };
    },
    'the alternative "Cat" must require "kind" and declare it, neither readOnly nor writeOnly',
  ),
  refusedSchema(
    'Schema: discriminator alone',
    { type: 'object', discriminator: { propertyName: 'kind' } },
    '"discriminator" needs "oneOf" or "anyOf" beside it',
  ),
  refusedSchema(
    'Schema: not',
    { type: 'string', not: { type: 'string' } },
    '"not" is not supported; describe what is allowed',
  ),
  refusedSchema('Schema: xml', { type: 'string', xml: {} }, '"xml" is not supported; only JSON is written; remove it'),
  refusedSchema(
    'Schema: unknown member',
    { type: 'string', maxLenght: 1 },
    '"maxLenght" is not a member of a schema; remove it, or let its name begin with "x-"',
  ),
  refusedSchema(
    'Schema: true instead of a schema',
    { type: 'array', items: true },
    'a schema that is true or false is not supported; describe the value',
  ),
  honoured('Schema: $ref', animals({ $ref: '#/components/schemas/Cat' }), 'followed within the document', [
    { status: 400, body: { value: {} }, message: 'value.kind is required; value.lives is required' },
    { status: 201, body: { value: cat }, answer: { value: cat } },
  ]),
  ...POINTERS.map(([name, reference]) =>
    honoured(
      `Schema: $ref ${name}`,
      (contract) => {
        postOf(contract).requestBody.content = json({ type: 'object', properties: { a: { type: 'integer' } } });
        postOf(contract).responses[201].content = json({ $ref: reference });
      },
      'followed within the document',
      [
        { status: 201, body: {}, answer: { a: 1 } },
        { status: 500, body: {}, answer: { a: 'x' } },
      ],
    ),
  ),
  refused(
    'Schema: $ref with a name that is not encoded',
    (contract) => (postOf(contract).responses[201].content = json({ $ref: '#/components/schemas/100%' })),
    '"$ref" #/components/schemas/100% does not exist; add 100% to "components.schemas"',
  ),
  honoured(
    'Schema: $ref that may be null',
    animals({ oneOf: [{ $ref: '#/components/schemas/Cat' }, { type: 'string', nullable: true, enum: [null] }] }),
    'as an alternative to "{ type: string, nullable: true, enum: [null] }"',
    [
      { status: 400, body: { value: 'a' }, message: 'value must be an object' },
      { status: 201, body: { value: null }, answer: { value: null } },
      { status: 201, body: { value: cat }, answer: { value: cat } },
    ],
  ),
  refused(
    'Schema: member beside $ref',
    animals({ $ref: '#/components/schemas/Cat', nullable: true }),
    '"nullable" beside "$ref" is not supported; put the reference into "allOf", or remove it',
  ),
  refused(
    'Schema: $ref that contains itself',
    (contract) => {
      contract.components.schemas.Node = {
        type: 'object',
        properties: { next: { $ref: '#/components/schemas/Node' } },
      };
      valueSchema({ $ref: '#/components/schemas/Node' })(contract);
    },
    'recursive schemas are not supported',
  ),
  refused(
    'Schema: $ref to another file',
    valueSchema({ $ref: 'other.yaml' }),
    '"$ref" must begin with "#/"; move what it refers to into this file',
  ),
];
