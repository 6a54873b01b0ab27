import { json, postOf } from '../base-contract.js';
import { honoured, type Probe, refusedSchema, type Row, schemaRow, valueSchema } from '../row.js';

const DATE_TIME = 'must be a date and time, such as 2030-12-05T10:30:00Z';
const ROUNDED = 'must be a number that a double holds without rounding, such as one of at most 15 digits';
const INT64 = 'must be an integer from -9223372036854775808 to 9223372036854775807';

function format(name: string, type: string, good: unknown[], bad: unknown[], demand: string): Row {
  const values = { good, bad: bad.map((value) => [value, demand] as const) };
  return schemaRow(`Schema: format ${name}`, { type, format: name }, 'checked', values);
}

/** Bounds that exclude every value. */
const RANGES: readonly (readonly [string, { readonly type: string; readonly [keyword: string]: unknown }, string])[] = [
  ['minimum above maximum', { type: 'integer', minimum: 5, maximum: 1 }, 'from 5 to 1'],
  ['minimum above maximum, of a number', { type: 'number', minimum: 1.5, maximum: 1 }, 'from 1.5 to 1'],
  [
    'minimum beyond the format',
    { type: 'integer', format: 'int32', minimum: 3000000000 },
    'from 3000000000 to 2147483647',
  ],
  [
    'maximum beyond the format',
    { type: 'integer', format: 'int64', maximum: -9223372036854775809n },
    'from -9223372036854775808 to -9223372036854775809',
  ],
  [
    'equal bounds, one of them excluded',
    { type: 'number', minimum: 1, maximum: 1, exclusiveMaximum: true },
    'from 1 and below 1',
  ],
  [
    'bounds without an integer between them',
    { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: true },
    'above 1 and below 2',
  ],
  ['bounds between two integers', { type: 'integer', minimum: 1.2, maximum: 1.8 }, 'from 1.2 to 1.8'],
];

/** Types, formats and the limits of single values. */
export const SCHEMA_VALUES: readonly Row[] = [
  schemaRow('Schema: type string', { type: 'string' }, 'checked', {
    good: ['', 'a', '\u{1f408}'],
    bad: [
      [1, 'must be a string'],
      [null, 'must be a string'],
    ],
  }),
  honoured(
    'Schema: text that is not Unicode',
    valueSchema({ type: 'string' }),
    'unpaired surrogates are refused, and a 500 in responses',
    [
      { status: 400, body: { value: '\ud800' }, message: 'value must be a string' },
      { status: 500, body: {}, answer: { value: '\ud800' } },
      { status: 201, body: { value: '\u{1f408}"' }, answer: { value: '\u{1f408}"' } },
    ],
  ),
  schemaRow('Schema: type integer', { type: 'integer' }, 'checked; exact beyond 2^53, as a bigint', {
    good: [0, -1, 9007199254740993n],
    bad: [
      [1.5, 'must be an integer'],
      ['1', 'must be an integer'],
    ],
  }),
  schemaRow('Schema: type number', { type: 'number' }, 'checked; a number in the code', {
    good: [0.1, -5, 1e20],
    bad: [['1', 'must be a number']],
  }),
  honoured(
    'Schema: type number, without loss',
    valueSchema({ type: 'number' }),
    'what would come back as another number is refused, unless the format is float or double',
    [
      { status: 201, body: '{"value":1e23}', seen: { body: { value: 1e23 } }, answer: { value: 1e23 } },
      { status: 201, body: '{"value":-1e+200}', seen: { body: { value: -1e200 } }, answer: { value: -1e200 } },
      { status: 201, body: `{"value":${2 ** 60}}`, seen: { body: { value: 2 ** 60 } }, answer: { value: 2 ** 60 } },
      { status: 400, body: `{"value":${2n ** 60n}}`, message: `value ${ROUNDED}` },
      { status: 201, body: {}, answer: { value: 2n ** 60n }, text: `{"value":${2n ** 60n}}` },
      { status: 201, body: '{"value":0.30000000000000004}', answer: { value: 0.1 + 0.2 } },
      { status: 400, body: '{"value":9007199254740993}', message: `value ${ROUNDED}` },
      { status: 400, body: '{"value":1.00000000000000000001}', message: `value ${ROUNDED}` },
      { status: 400, body: '{"value":123456789012345.678901}', message: `value ${ROUNDED}` },
      { status: 201, body: '{"value":100000000000000000000}', seen: { body: { value: 1e20 } }, answer: {} },
    ],
  ),
  honoured(
    'Schema: type number, with bounds and values beyond 2^53',
    valueSchema({
      oneOf: [
        { type: 'number', minimum: 10n ** 23n, maximum: 10n ** 24n },
        { type: 'number', enum: [10n ** 22n, 0] },
      ],
    }),
    'compared as the numbers that are sent',
    [
      ...['1e23', '1e22', '0', '1e24'].map((text): Probe => ({
        status: 201,
        body: `{"value":${text}}`,
        seen: { body: { value: Number(text) } },
        answer: { value: Number(text) },
      })),
      { status: 201, body: {}, answer: { value: 10n ** 23n + 1n }, text: `{"value":${10n ** 23n + 1n}}` },
      { status: 201, body: {}, answer: { value: 10n ** 24n }, text: `{"value":${10n ** 24n}}` },
      {
        status: 400,
        body: '{"value":9e22}',
        message: 'value must match exactly one of the 2 declared alternatives, not none',
      },
      { status: 500, body: {}, answer: { value: 9e22 } },
    ],
  ),
  schemaRow('Schema: type boolean', { type: 'boolean' }, 'checked', {
    good: [true, false],
    bad: [
      ['true', 'must be true or false'],
      [0, 'must be true or false'],
    ],
  }),
  schemaRow('Schema: type array', { type: 'array', items: { type: 'string' } }, 'checked', {
    good: [[], ['a']],
    bad: [[{}, 'must be an array']],
  }),
  schemaRow(
    'Schema: type object',
    { type: 'object', properties: { a: { type: 'string' } } },
    'checked; a response has declared members only',
    {
      good: [{}],
      bad: [
        [[], 'must be an object'],
        ['a', 'must be an object'],
      ],
    },
  ),
  refusedSchema(
    'Schema: additionalProperties without a type',
    { type: 'object', additionalProperties: {} },
    'paths./things.post.requestBody.content.application/json.schema.properties.value.additionalProperties lacks "type"; for members of any kind, write "true"',
  ),
  refusedSchema(
    'Schema: type object with no properties, in a response',
    { type: 'object', properties: {} },
    'an object of a response has only declared members, so this one is always empty; add "properties" or "additionalProperties: true", or "maxProperties: 0" if it is meant to be',
  ),
  refusedSchema(
    'Schema: type object alone, in a response',
    { type: 'object' },
    'an object of a response has only declared members, so this one is always empty; add "properties" or "additionalProperties: true", or "maxProperties: 0" if it is meant to be',
  ),
  honoured(
    'Schema: type object alone, in a request',
    (contract) => {
      const body = { type: 'object', properties: { value: { type: 'object' } } };
      postOf(contract).requestBody.content = json(body);
    },
    'undeclared members are passed on',
    [{ status: 201, body: { value: { a: { b: 1 } } }, seen: { body: { value: { a: { b: 1 } } } } }],
  ),
  ...[
    [
      'maxProperties 0',
      { type: 'object', maxProperties: 0 },
      'value must be an object with exactly 0 members',
    ] as const,
    [
      'additionalProperties false, without members',
      { type: 'object', additionalProperties: false },
      'value.a is not declared',
    ] as const,
  ].map(([keywords, schema, message]) =>
    honoured(
      `Schema: ${keywords}, in a response`,
      valueSchema(schema),
      'must be empty: no member that a handler returns is lost',
      [
        { status: 201, body: { value: {} }, answer: { value: {} }, text: '{"value":{}}' },
        { status: 201, body: {}, answer: { value: { a: undefined } }, text: '{"value":{}}' },
        { status: 400, body: { value: { a: 1 } }, message },
        { status: 500, body: {}, answer: { value: { a: 1 } } },
        { status: 500, body: {}, answer: { value: new Map() } },
        { status: 500, body: {}, answer: { value: null } },
      ],
    ),
  ),
  honoured(
    'Schema: maxProperties 0, as one of several alternatives of a response',
    valueSchema({
      oneOf: [
        { type: 'object', maxProperties: 0 },
        { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
      ],
    }),
    'only an empty object matches it',
    [
      { status: 201, body: {}, answer: { value: {} }, text: '{"value":{}}' },
      { status: 201, body: {}, answer: { value: { a: 1, b: 2 } }, text: '{"value":{"a":1}}' },
      { status: 500, body: {}, answer: { value: { b: 2 } } },
    ],
  ),
  refusedSchema('Schema: type file', { type: 'file' }, 'the type "file" is not supported'),
  refusedSchema(
    'Schema: no type',
    { description: 'Any.' },
    'paths./things.post.requestBody.content.application/json.schema.properties.value lacks "type"; name the type, because a value of any type is not supported',
  ),
  schemaRow('Schema: nullable', { type: 'string', nullable: true }, 'checked', {
    good: [null, 'a'],
    bad: [[1, 'must be a string']],
  }),
  refusedSchema(
    'Schema: nullable without type',
    { nullable: true, oneOf: [{ type: 'string' }] },
    '"nullable" needs "type" beside it; add "{ type: string, nullable: true, enum: [null] }" to "oneOf"',
  ),
  schemaRow(
    'Schema: nullable false beside allOf',
    { nullable: false, allOf: [{ type: 'string' }] },
    'without effect, as it is the default',
    { good: ['a'], bad: [[null, 'must be a string']] },
  ),
  refusedSchema(
    'Schema: nullable beside allOf, without type',
    { nullable: true, allOf: [{ type: 'string' }] },
    '"nullable" needs "type" beside it; for a reference that may be null, write "oneOf" with it and "{ type: string, nullable: true, enum: [null] }"',
  ),
  refusedSchema(
    'Schema: nullable beside allOf',
    { type: 'object', nullable: true, allOf: [{ type: 'object' }] },
    'a schema with "allOf" cannot be null; for a reference that may be null, write "oneOf" with it and "{ type: string, nullable: true, enum: [null] }"',
  ),
  refusedSchema(
    'Schema: null as a type beside allOf',
    { type: ['object', 'null'], allOf: [{ type: 'object' }] },
    `a schema with "allOf" cannot be null; for a reference that may be null, write "oneOf" with it and "{ type: 'null' }"`,
    '3.1.0',
  ),
  schemaRow('Schema: enum', { type: 'string', enum: ['a', 'b'] }, 'checked', {
    good: ['a'],
    bad: [
      ['c', 'must be one of a, b'],
      [null, 'must be one of a, b'],
    ],
  }),
  schemaRow('Schema: enum of integers', { type: 'integer', enum: [1, 2] }, 'checked', {
    good: [1, 2],
    bad: [
      [3, 'must be one of 1, 2'],
      ['1', 'must be one of 1, 2'],
    ],
  }),
  schemaRow('Schema: enum with null', { type: 'string', nullable: true, enum: ['a', null] }, 'checked', {
    good: ['a', null],
    bad: [['c', 'must be one of a, null']],
  }),
  refusedSchema(
    'Schema: nullable enum without null',
    { type: 'string', nullable: true, enum: ['a'] },
    '"enum" must list null if the value may be null, and only then',
  ),
  refusedSchema(
    'Schema: enum of another type',
    { type: 'string', enum: [1] },
    'the value is not of the type string; list values of that type',
  ),
  refusedSchema(
    'Schema: enum of an integer with an exponent',
    { type: 'integer', enum: [1e21] },
    'write all digits of an integer beyond 2^53, without exponent and fraction',
  ),
  refusedSchema('Schema: empty enum', { type: 'string', enum: [] }, '"enum" must not be empty'),
  refusedSchema(
    'Schema: enum of objects',
    { type: 'object', enum: [{}] },
    '"enum" has no effect on the type object; remove it',
  ),
  honoured('Schema: default', valueSchema({ type: 'string', default: 'x' }), 'given to an absent member of a request', [
    { status: 201, body: {}, seen: { body: { value: 'x' } }, answer: {} },
    { status: 201, body: { value: 'a' }, seen: { body: { value: 'a' } }, answer: { value: 'a' } },
  ]),
  honoured(
    'Schema: default of an integer beyond 2^53',
    valueSchema({ type: 'integer', default: 1e21 }),
    'read like a request, as a bigint',
    [{ status: 201, body: {}, seen: { body: { value: 10n ** 21n } }, answer: { value: 10n ** 21n } }],
  ),
  honoured(
    'Schema: default with an integer beyond 2^53 inside',
    valueSchema({ type: 'array', items: { type: 'integer' }, default: [1e21, 1] }),
    'read like a request, as a bigint',
    [{ status: 201, body: {}, seen: { body: { value: [10n ** 21n, 1] } }, answer: { value: [10n ** 21n] } }],
  ),
  refusedSchema(
    'Schema: default that breaks the schema',
    { type: 'string', maxLength: 1, default: 'ab' },
    'the default must be a string of at most 1 character',
  ),
  format(
    'int32',
    'integer',
    [2147483647, -2147483648],
    [2147483648, -2147483649],
    'must be an integer from -2147483648 to 2147483647',
  ),
  format(
    'int64',
    'integer',
    [9223372036854775807n, -9223372036854775808n],
    [9223372036854775808n, -9223372036854775809n],
    INT64,
  ),
  format(
    'float',
    'number',
    [0.5, 3.4028234663852886e38],
    ['a', 3.5e38, -1e39],
    'must be a number from -3.4028234663852886e+38 to 3.4028234663852886e+38',
  ),
  format('double', 'number', [0.1], ['a'], 'must be a number'),
  honoured(
    'Schema: format double, of a number beyond it',
    valueSchema({ type: 'number', format: 'double', minimum: 0 }),
    'refused',
    [
      { status: 201, body: '{"value":1.7e308}' },
      {
        status: 400,
        body: '{"value":1e309}',
        message: 'value must be a number that a double holds, of at most 1.8e308',
      },
      { status: 400, body: '{"value":-1}', message: 'value must be a number from 0' },
    ],
  ),
  honoured('Schema: rounding of a double', valueSchema({ type: 'number', format: 'double' }), 'the nearest double', [
    { status: 201, body: '{"value":9007199254740993}', seen: { body: { value: 9007199254740992 } }, answer: {} },
  ]),
  format('date', 'string', ['2024-02-29'], ['2023-02-29', '2023-13-01', '1 May'], 'must be a date, such as 2030-12-05'),
  format(
    'date-time',
    'string',
    ['2024-02-29T23:59:59.5+01:00', '2024-01-01T00:00:00Z'],
    ['2024-01-01', '2023-02-29T00:00:00Z', '2024-01-01T24:00:00Z'],
    DATE_TIME,
  ),
  format('uuid', 'string', ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567'], 'must be a UUID'),
  format('email', 'string', ['a.b@example.com'], ['a', 'a@', 'a b@example.com'], 'must be an email address'),
  format('hostname', 'string', ['example.com', 'localhost'], ['-a', 'a..b'], 'must be a host name'),
  format('ipv4', 'string', ['127.0.0.1'], ['127.0.0.256', '::1'], 'must be an IPv4 address'),
  format('ipv6', 'string', ['::1'], ['127.0.0.1', 'fe80::1%eth0'], 'must be an IPv6 address'),
  format(
    'uri',
    'string',
    ['https://example.com/a?b#c', 'urn:a:b', 'http://me@[::1]:80/a?b#c'],
    ['/a', 'a b', 'https://example.com/[a]', 'https://example.com?a[b]=c', 'http://[::1', 'http://[::1]a'],
    'must be a URI',
  ),
  format(
    'uri-reference',
    'string',
    ['/a', '?b', 'https://example.com', '//[::1]/a'],
    ['a b', '<', '/[a]', '?a[b]'],
    'must be a URI reference',
  ),
  format('byte', 'string', ['', 'YQ==', 'YWJj'], ['a', '****'], 'must be base64'),
  format('password', 'string', ['secret'], [1], 'must be a string'),
  refusedSchema(
    'Schema: binary in JSON',
    { type: 'string', format: 'binary' },
    'the format "binary" is for a response that is not JSON; use "byte"',
  ),
  refusedSchema(
    'Schema: unknown format',
    { type: 'string', format: 'phone' },
    'the format "phone" of the type string is not supported; supported: date, date-time, uuid, email, hostname, ipv4, ipv6, uri, uri-reference, byte, password, binary',
  ),
  refusedSchema(
    'Schema: format of another type',
    { type: 'integer', format: 'date' },
    'the format "date" of the type integer is not supported; supported: int32, int64',
  ),
  schemaRow('Schema: minimum', { type: 'integer', minimum: 1 }, 'checked, exactly', {
    good: [1],
    bad: [[0, 'must be an integer from 1']],
  }),
  schemaRow('Schema: maximum', { type: 'integer', maximum: 9007199254740993n }, 'checked, exactly', {
    good: [9007199254740993n],
    bad: [[9007199254740994n, 'must be an integer up to 9007199254740993']],
  }),
  schemaRow('Schema: exclusiveMinimum as a flag', { type: 'number', minimum: 0, exclusiveMinimum: true }, 'checked', {
    good: [0.1],
    bad: [[0, 'must be a number above 0']],
  }),
  schemaRow('Schema: exclusiveMaximum as a flag', { type: 'number', maximum: 1, exclusiveMaximum: true }, 'checked', {
    good: [0.9],
    bad: [[1, 'must be a number below 1']],
  }),
  schemaRow('Schema: multipleOf', { type: 'number', multipleOf: 0.1 }, 'checked, exactly for decimals', {
    good: [0.3, 1],
    bad: [[0.35, 'must be a number that is a multiple of 0.1']],
  }),
  honoured('Schema: multipleOf, almost', valueSchema({ type: 'number', multipleOf: 0.01 }), 'refused, not rounded', [
    { status: 201, body: '{"value":1.10}', answer: { value: 1.1 } },
    { status: 400, body: '{"value":0.010000000000000000001}', message: `value ${ROUNDED}` },
  ]),
  refusedSchema('Schema: multipleOf 0', { type: 'integer', multipleOf: 0 }, '"multipleOf" must be above 0'),
  refusedSchema('Schema: minimum that is text', { type: 'integer', minimum: '1' }, '"minimum" must be a number'),
  refusedSchema(
    'Schema: minimum of a string',
    { type: 'string', minimum: 1 },
    '"minimum" has no effect on the type string; remove it',
  ),
  schemaRow('Schema: minLength', { type: 'string', minLength: 2 }, 'checked, in characters of Unicode', {
    good: ['ab', '\u{1f408}\u{1f408}'],
    bad: [
      ['a', 'must be a string of at least 2 characters'],
      ['\u{1f408}', 'must be a string of at least 2 characters'],
    ],
  }),
  schemaRow('Schema: maxLength', { type: 'string', maxLength: 2 }, 'checked, in characters of Unicode', {
    good: ['', 'ab', '\u{1f408}\u{1f408}'],
    bad: [['abc', 'must be a string of at most 2 characters']],
  }),
  refusedSchema(
    'Schema: negative maxLength',
    { type: 'string', maxLength: -1 },
    '"maxLength" must be an integer from 0',
  ),
  schemaRow('Schema: pattern', { type: 'string', pattern: '^[a-z]+$' }, 'checked, as an expression of ECMAScript', {
    good: ['a'],
    bad: [['1', 'must be a string that matches ^[a-z]+$']],
  }),
  schemaRow(
    'Schema: pattern with too many ways to match for V8',
    { type: 'string', pattern: '^(a+)+$' },
    'checked in linear time',
    {
      good: ['a'.repeat(1_000)],
      bad: [[`${'a'.repeat(24)}!`, 'must be a string that matches ^(a+)+$']],
    },
  ),
  schemaRow(
    'Schema: pattern with lookahead',
    { type: 'string', maxLength: 100, pattern: String.raw`^(?=.*\d).{8,}$` },
    'checked',
    {
      good: ['abcdefg1'],
      bad: [['abcdefgh', String.raw`must be a string of at most 100 characters that matches ^(?=.*\d).{8,}$`]],
    },
  ),
  ...[
    ['lookahead', '^(?:(?=[a-z]+1)[a-z0-9])+$'],
    ['a backreference', String.raw`^(a+)+\1$`],
  ].map(([part, pattern]) =>
    refusedSchema(
      `Schema: pattern with ${part} and too many ways to match`,
      { type: 'string', pattern },
      'this pattern may need so many steps for a text that no other request is served; write it without lookahead, lookbehind, backreferences and flags, or lower "maxLength"',
    ),
  ),
  refusedSchema(
    'Schema: pattern with too many repetitions',
    { type: 'string', pattern: '^(a{1,100}b?){1,100}$' },
    'this pattern may need so many steps for a text that no other request is served; lower its repetitions or "maxLength"',
  ),
  schemaRow(
    'Schema: x-demand',
    { type: 'string', pattern: '^a$', 'x-demand': 'must be the letter a' },
    'words the error message',
    {
      good: ['a'],
      bad: [['1', 'must be the letter a']],
    },
  ),
  refusedSchema(
    'Schema: x-demnad',
    { type: 'string', 'x-demnad': 'must be the letter a' },
    '"x-demnad" has no effect; write "x-demand", or another name',
  ),
  refusedSchema(
    'Schema: x-demand beside $ref',
    { $ref: '#/components/schemas/Error', 'x-demand': 'must be an error' },
    '"x-demand" beside "$ref" has no effect; put the reference into "allOf", or remove it',
  ),
  refusedSchema(
    'Schema: pattern that is no expression',
    { type: 'string', pattern: '(' },
    '"pattern" must be a regular expression of ECMAScript',
  ),
  ...[String.raw`^[\w-]+\@x$`, String.raw`^[\w\-\@]+$`].map((pattern) =>
    refusedSchema(
      `Schema: pattern ${pattern}`,
      { type: 'string', pattern },
      String.raw`"pattern" must be a regular expression of ECMAScript with the flag "u"; remove the backslash from "\@"`,
    ),
  ),
  schemaRow('Schema: pattern with escapes', { type: 'string', pattern: String.raw`^[\w\-]+\/\.$` }, 'checked', {
    good: ['a-b/.'],
    bad: [['a@/.', String.raw`must be a string that matches ^[\w\-]+\/\.$`]],
  }),
  ...RANGES.map(([name, schema, range]) =>
    refusedSchema(`Schema: ${name}`, schema, `no ${schema.type} is ${range}; correct the bounds`),
  ),
  ...[
    ['minLength', 'maxLength', { type: 'string' }] as const,
    ['minItems', 'maxItems', { type: 'array', items: { type: 'string' } }] as const,
    ['minProperties', 'maxProperties', { type: 'object', additionalProperties: true }] as const,
  ].map(([least, most, schema]) =>
    refusedSchema(
      `Schema: ${least} above ${most}`,
      { ...schema, [least]: 2, [most]: 1 },
      `"${least}" must not be above "${most}"`,
    ),
  ),
  schemaRow('Schema: limits that allow one value', { type: 'integer', minimum: 1, maximum: 1 }, 'checked', {
    good: [1],
    bad: [[2, 'must be an integer from 1 to 1']],
  }),
  schemaRow('Schema: lengths that allow one length', { type: 'string', minLength: 2, maxLength: 2 }, 'checked', {
    good: ['ab'],
    bad: [['a', 'must be a string of exactly 2 characters']],
  }),
  schemaRow(
    'Schema: open bounds of a number',
    { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: true },
    'checked',
    { good: [1.5], bad: [[1, 'must be a number above 1 and below 2']] },
  ),
  schemaRow(
    'Schema: a bound beyond that of the format',
    { type: 'integer', format: 'int32', maximum: 3000000000 },
    'checked; the tighter bound counts',
    { good: [2147483647], bad: [[2147483648, 'must be an integer from -2147483648 to 2147483647']] },
  ),
];
