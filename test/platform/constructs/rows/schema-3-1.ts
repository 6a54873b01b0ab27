import { documentation, refusedSchema, type Row, schemaRow, valueSchema } from '../row.js';

const V31 = '3.1.0';

function unsupported(keyword: string, value: unknown, advice: string): Row {
  return refusedSchema(
    `Schema: ${keyword}`,
    { type: 'string', [keyword]: value },
    `"${keyword}" is not supported; ${advice}`,
    V31,
  );
}

const ITEMS = 'describe all items with "items"';
const MEMBERS = 'describe the members in "properties"';
const COMPONENTS = 'refer to a place in "components"';

const ERROR = { code: 'SOLD', message: 'It is sold.', status: 409 };

/** What OpenAPI 3.1 has in addition, and what 3.0 does not know. */
export const SCHEMA_3_1: readonly Row[] = [
  schemaRow(
    'Schema: type list with null',
    { type: ['string', 'null'] },
    'checked',
    {
      good: ['a', null],
      bad: [[1, 'must be a string']],
    },
    V31,
  ),
  refusedSchema('Schema: type list of no type', { type: [] }, '"type" must name a type', V31),
  refusedSchema(
    'Schema: type list of two types',
    { type: ['string', 'integer'] },
    'several types are not supported; use "oneOf"',
    V31,
  ),
  schemaRow(
    'Schema: type null alone',
    { type: 'null' },
    'checked',
    { good: [null], bad: [['a', 'must be null']] },
    V31,
  ),
  schemaRow(
    'Schema: a list of the type null alone',
    { type: ['null'] },
    'checked',
    { good: [null], bad: [[1, 'must be null']] },
    V31,
  ),
  refusedSchema(
    'Schema: type null alone',
    { type: 'null' },
    'the type null is not part of OpenAPI 3.0; write "{ type: string, nullable: true, enum: [null] }"',
  ),
  refusedSchema(
    'Schema: enum beside the type null',
    { type: 'null', enum: [null] },
    '"enum" has no effect on the type null; remove it',
    V31,
  ),
  schemaRow(
    'Schema: anyOf with the type null',
    { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] },
    'checked',
    {
      good: [null, 'abc'],
      bad: [
        ['abcd', 'must be a string of at most 3 characters'],
        [1, 'must be a string of at most 3 characters'],
      ],
    },
    V31,
  ),
  schemaRow(
    'Schema: anyOf of two types and null',
    { anyOf: [{ type: 'string' }, { type: 'integer', maximum: 9 }, { type: 'null' }] },
    'checked',
    {
      good: [null, 'a', 9],
      bad: [
        [10, 'must be an integer up to 9'],
        [true, 'must match at least one of the 3 declared alternatives, not none'],
      ],
    },
    V31,
  ),
  schemaRow(
    'Schema: an object or null',
    { oneOf: [{ $ref: '#/components/schemas/Error' }, { type: ['string', 'null'], enum: [null] }] },
    'checked',
    { good: [null, ERROR], bad: [['a', 'must be an object']] },
    V31,
  ),
  refusedSchema(
    'Schema: type list',
    { type: ['string', 'null'] },
    'a list of types is not part of OpenAPI 3.0; use "nullable"',
  ),
  refusedSchema(
    'Schema: nullable',
    { type: 'string', nullable: true },
    '"nullable" is not part of OpenAPI 3.1; write "type: [..., \'null\']"',
    V31,
  ),
  schemaRow(
    'Schema: const',
    { type: 'string', const: 'a' },
    'checked',
    { good: ['a'], bad: [['b', 'must be a']] },
    V31,
  ),
  refusedSchema('Schema: const', { type: 'string', const: 'a' }, '"const" is not part of OpenAPI 3.0; remove it'),
  schemaRow(
    'Schema: exclusiveMinimum',
    { type: 'integer', exclusiveMinimum: 1 },
    'checked',
    {
      good: [2],
      bad: [[1, 'must be an integer above 1']],
    },
    V31,
  ),
  schemaRow(
    'Schema: exclusiveMaximum',
    { type: 'integer', exclusiveMaximum: 1 },
    'checked',
    {
      good: [0],
      bad: [[1, 'must be an integer below 1']],
    },
    V31,
  ),
  refusedSchema(
    'Schema: exclusiveMinimum as a number',
    { type: 'integer', exclusiveMinimum: 1 },
    '"exclusiveMinimum" must be true or false',
  ),
  refusedSchema(
    'Schema: exclusiveMaximum as a flag',
    { type: 'integer', exclusiveMaximum: true },
    '"exclusiveMaximum" must be a number',
    V31,
  ),
  documentation('Schema: examples', valueSchema({ type: 'string', examples: ['a'] }), V31),
  documentation('Schema: $comment', valueSchema({ type: 'string', $comment: 'A note.' }), V31),
  documentation(
    'Schema: description beside $ref',
    (contract) => {
      contract.components.schemas.Name = { type: 'string' };
      valueSchema({ $ref: '#/components/schemas/Name', description: 'A name.' })(contract);
    },
    V31,
  ),
  unsupported('if', { type: 'string' }, 'use "oneOf"'),
  unsupported('then', { type: 'string' }, 'use "oneOf"'),
  unsupported('else', { type: 'string' }, 'use "oneOf"'),
  unsupported('prefixItems', [], ITEMS),
  unsupported('contains', {}, ITEMS),
  unsupported('minContains', 1, ITEMS),
  unsupported('maxContains', 1, ITEMS),
  unsupported('unevaluatedItems', false, ITEMS),
  unsupported('patternProperties', {}, MEMBERS),
  unsupported('propertyNames', {}, MEMBERS),
  unsupported('dependentRequired', {}, MEMBERS),
  unsupported('dependentSchemas', {}, MEMBERS),
  unsupported('unevaluatedProperties', false, MEMBERS),
  unsupported('contentEncoding', 'base64', 'use "format"'),
  unsupported('contentMediaType', 'text/plain', 'use "format"'),
  unsupported('contentSchema', {}, 'use "format"'),
  unsupported('$defs', {}, COMPONENTS),
  unsupported('$id', 'a', COMPONENTS),
  unsupported('$schema', 'a', COMPONENTS),
  unsupported('$anchor', 'a', COMPONENTS),
  unsupported('$dynamicAnchor', 'a', COMPONENTS),
  unsupported('$dynamicRef', '#a', COMPONENTS),
  unsupported('$vocabulary', {}, COMPONENTS),
  ...['title', 'description'].map((name) =>
    documentation(`Schema: ${name}`, valueSchema({ type: 'string', [name]: 'A text.' })),
  ),
  documentation('Schema: example', valueSchema({ type: 'string', example: 'a' })),
  documentation('Schema: externalDocs', valueSchema({ type: 'string', externalDocs: { url: '/docs' } })),
  documentation('Schema: deprecated', valueSchema({ type: 'string', deprecated: true })),
  documentation('Schema: x- extension', valueSchema({ type: 'string', 'x-note': { any: 1 } })),
];
