import { ConflictException } from '@nestjs/common';
import { DomainError } from '../../../../src/platform/errors/domain-error.js';
import { InexactNumber } from '../../../../src/platform/values/json-reader.js';
import { json, type Part, postOf } from '../base-contract.js';
import { honoured, type Probe, refused, refusedSchema, type Row, schemaRow, valueSchema } from '../row.js';

function header(schema: object): Row['edit'] {
  return (contract) => (postOf(contract).responses[201].headers = { 'X-A': { schema } });
}

function parameter(one: object): Row['edit'] {
  return (contract) => (postOf(contract).parameters = [one]);
}

function errorSchema(edit: (schema: Part) => void): Row['edit'] {
  return (contract) => edit(contract.components.schemas.Error.properties);
}

class OrderClosed extends DomainError {
  readonly code = 'ORDER_CLOSED';
  readonly kind = 'conflict';
}

/** An Error with codes of its own. */
function conflict(code: object, more: object = {}): object {
  const own = { type: 'object', properties: { code, ...more } };
  return { description: 'x', content: json({ allOf: [{ $ref: '#/components/schemas/Error' }, own] }) };
}

function returned(answer: unknown, text: string): Probe {
  return { status: 201, body: {}, answer: { value: answer }, text: `{"value":${text}}` };
}

const SECRET = { pin: { type: 'string', writeOnly: true } };
const FILTER = { name: 'f', in: 'query', style: 'deepObject' };
const NUMBERED = { type: 'object', properties: { n: { type: 'integer' } } };
const NULL = { type: 'string', nullable: true, enum: [null] };
const KIND = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };

const FULL = {
  type: 'object',
  required: ['id', 'email'],
  properties: { id: { type: 'integer' }, email: { type: 'string', format: 'email' } },
};

class Tagged {
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  get kind(): string {
    return this.#kind;
  }
}

/** Rows that lead to one another. */
function circular(...kinds: string[]): object[] {
  const rows: { kind: string; others?: object[] }[] = kinds.map((kind) => ({ kind }));
  for (const row of rows) row.others = rows;
  return rows;
}

/** An object with texts. */
function of(name: string, isRequired = false, ...others: string[]): object {
  const properties = Object.fromEntries([name, ...others].map((one) => [one, { type: 'string' }]));
  return { type: 'object', properties, ...(isRequired && { required: [name] }) };
}

/** An `allOf` whose parts declare the member `o`. */
function together(...schemas: object[]): object {
  return { allOf: schemas.map((o) => ({ type: 'object', properties: { o } })) };
}

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
    'allOf of objects that declare the same object',
    valueSchema(together(of('x', true), of('y'))),
    'written as all of them declare it',
    [
      returned({ o: { x: 'a', y: 'b', z: 'c' } }, '{"o":{"x":"a","y":"b"}}'),
      returned({ o: { x: 'a' } }, '{"o":{"x":"a"}}'),
      { status: 500, body: {}, answer: { value: { o: { y: 'b' } } } },
    ],
  ),
  honoured(
    'allOf of objects that declare the same list',
    valueSchema(together({ type: 'array', items: of('x') }, { type: 'array', items: of('y') })),
    'written as all of them declare it',
    [returned({ o: [{ x: 'a', y: 'b' }, { y: 'c' }] }, '{"o":[{"x":"a","y":"b"},{"y":"c"}]}')],
  ),
  honoured(
    'allOf of objects that declare the same object, writeOnly inside of one',
    valueSchema(together({ type: 'object', properties: { ...SECRET, x: { type: 'string' } } }, of('x', false, 'pin'))),
    'never returned',
    [returned({ o: { x: 'a', pin: 'b' } }, '{"o":{"x":"a"}}')],
  ),
  honoured(
    'allOf of objects that declare the same reference',
    (contract) => {
      const id = { type: 'integer', maximum: 2n ** 63n - 1n };
      contract.components.schemas.Person = { type: 'object', properties: { id, x: { type: 'string' } } };
      const person = { $ref: '#/components/schemas/Person' };
      valueSchema(together(person, person))(contract);
    },
    'written as it declares it',
    [returned({ o: { id: 2n ** 63n - 1n, x: 'a' } }, '{"o":{"id":9223372036854775807,"x":"a"}}')],
  ),
  honoured(
    'allOf of objects that declare the same reference that may be null, or the same map',
    (contract) => {
      contract.components.schemas.Person = of('x', true);
      const nullable = { oneOf: [{ $ref: '#/components/schemas/Person' }, NULL] };
      const map = { type: 'object', additionalProperties: { type: 'string' } };
      const both = together(nullable, nullable) as { allOf: Part[] };
      for (const part of both.allOf) part.properties.m = map;
      valueSchema(both)(contract);
    },
    'written as it declares it',
    [
      returned({ o: { x: 'a' }, m: { b: 'c' } }, '{"o":{"x":"a"},"m":{"b":"c"}}'),
      returned({ o: null, m: {} }, '{"o":null,"m":{}}'),
    ],
  ),
  honoured(
    'allOf of objects that declare the same reference, one of them with a description',
    (contract) => {
      contract.components.schemas.Person = of('x', true);
      const person = { $ref: '#/components/schemas/Person' };
      valueSchema(together(person, { allOf: [person], description: 'Someone.' }))(contract);
    },
    'written as it declares it',
    [returned({ o: { x: 'a' } }, '{"o":{"x":"a"}}')],
  ),
  refused(
    'allOf of objects that declare a member which contains itself',
    (contract) => {
      const { schemas } = contract.components;
      schemas.Node = { type: 'object', properties: { o: { $ref: '#/components/schemas/Node' } } };
      schemas.Other = { type: 'object', properties: { o: { $ref: '#/components/schemas/Other' } } };
      const [node, other] = ['Node', 'Other'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
      postOf(contract).responses[201].content = json({ allOf: [node, other] });
    },
    'recursive schemas are not supported',
  ),
  honoured(
    'anyOf of lists, of which one has uniqueItems',
    valueSchema({
      anyOf: [
        { type: 'array', uniqueItems: true, items: { type: 'integer' } },
        { type: 'array', maxItems: 3, items: { type: 'integer' } },
      ],
    }),
    'one of them must match',
    [returned([1, 1], '[1,1]'), returned([1, 2, 3, 4], '[1,2,3,4]')],
  ),
  honoured(
    'anyOf of lists of objects, of which one has uniqueItems',
    valueSchema({
      anyOf: [
        { type: 'array', uniqueItems: true, items: { ...KIND, additionalProperties: false } },
        { type: 'array', items: { ...KIND, properties: { ...KIND.properties, n: { type: 'integer' } } } },
      ],
    }),
    'a list with duplicates as it is written belongs to the other one',
    [
      returned(
        [
          { kind: 'a', n: 1 },
          { kind: 'a', n: 2 },
        ],
        '[{"kind":"a","n":1},{"kind":"a","n":2}]',
      ),
      returned([{ kind: 'a' }, { kind: 'b' }], '[{"kind":"a"},{"kind":"b"}]'),
    ],
  ),
  refused(
    'allOf of objects that declare the same member as an object and a list',
    valueSchema(together(of('x'), { type: 'array', items: of('y') })),
    'another part of "allOf" declares "o" differently; in a response, both must be objects or lists with declared members',
  ),
  honoured(
    'uniqueItems of instances with accessors, and of those that contain themselves',
    valueSchema({ type: 'array', uniqueItems: true, items: { ...KIND, additionalProperties: false } }),
    'a response is checked as it is written',
    [
      returned([new Tagged('a'), new Tagged('b')], '[{"kind":"a"},{"kind":"b"}]'),
      returned(circular('a', 'b'), '[{"kind":"a"},{"kind":"b"}]'),
    ],
  ),
  honoured(
    'discriminator of an instance with an accessor',
    (contract) => {
      contract.components.schemas.Cat = KIND;
      const union = { oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator: { propertyName: 'kind' } };
      valueSchema(union)(contract);
    },
    'the alternative is chosen',
    [returned(new Tagged('Cat'), '{"kind":"Cat"}')],
  ),
  honoured(
    'oneOf of objects, of which a row has null for what it lacks',
    valueSchema({
      oneOf: [
        { type: 'object', required: ['email'], properties: { email: { type: 'string' } } },
        { type: 'object', required: ['phone'], properties: { phone: { type: 'string' } } },
        { type: 'object', properties: { note: { type: 'string' } } },
      ],
    }),
    'a response is checked as it is written',
    [
      returned({ email: null, phone: null, note: 'a' }, '{"note":"a"}'),
      { status: 500, body: {}, answer: { value: { email: 'a', phone: null, note: null } } },
    ],
  ),
  honoured(
    'uniqueItems of items with undeclared or writeOnly members',
    valueSchema({
      type: 'array',
      uniqueItems: true,
      items: { type: 'object', additionalProperties: false, properties: { a: { type: 'integer' }, ...SECRET } },
    }),
    'a response is checked as it is written',
    [
      {
        status: 500,
        body: {},
        answer: {
          value: [
            { a: 1, b: 1 },
            { a: 1, b: 2 },
          ],
        },
      },
      {
        status: 500,
        body: {},
        answer: {
          value: [
            { a: 1, pin: 'a' },
            { a: 1, pin: 'b' },
          ],
        },
      },
      returned(
        [
          { a: 1, b: 1 },
          { a: 2, b: 1 },
        ],
        '[{"a":1},{"a":2}]',
      ),
    ],
  ),
  honoured(
    'uniqueItems of numbers and times',
    valueSchema({ type: 'array', uniqueItems: true, items: { oneOf: [{ type: 'number' }, { type: 'string' }] } }),
    'a response is checked as it is written',
    [
      { status: 500, body: {}, answer: { value: [1e21, 10n ** 21n] } },
      { status: 500, body: {}, answer: { value: [new Date(0), new Date(0).toISOString()] } },
      returned([1, 2], '[1,2]'),
    ],
  ),
  honoured(
    'a member of a response that every object inherits',
    valueSchema({ type: 'object', properties: { constructor: { type: 'string' }, valueOf: { type: 'string' } } }),
    'absent unless it is its own',
    [returned({}, '{}'), returned({ valueOf: 'a' }, '{"valueOf":"a"}')],
  ),
  honoured(
    'a header that every object inherits',
    parameter({ name: 'constructor', in: 'header', schema: { type: 'integer' } }),
    'absent unless it is sent',
    [
      { status: 201, body: {} },
      { status: 400, body: {}, headers: { constructor: 'x' }, message: 'header constructor must be an integer' },
    ],
  ),
  refused(
    'a parameter with the name __proto__',
    parameter({ name: '__proto__', in: 'query', schema: { type: 'string' } }),
    'a parameter cannot have the name "__proto__"; rename it',
  ),
  refusedSchema(
    'a member with the name __proto__',
    { type: 'object', properties: JSON.parse('{"__proto__": {"type": "string"}}') as object },
    'a member cannot have the name "__proto__"; rename it',
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
  honoured(
    'enum of a number beyond 2^53',
    valueSchema({ type: 'number', enum: [9007199254740994n] }),
    'compared as a double',
    [
      { status: 201, body: { value: 9007199254740994n } },
      { status: 400, body: { value: 9007199254740995n }, message: 'value must be one of 9007199254740994' },
    ],
  ),
  honoured(
    'enum of a number beyond 2^53, in a response',
    valueSchema({ type: 'number', enum: [9007199254740992n, 2n ** 60n] }),
    'the number, or the same bigint',
    [
      returned(2 ** 53, '9007199254740992'),
      returned(2n ** 53n, '9007199254740992'),
      returned(2n ** 60n, '1152921504606846976'),
      { status: 500, body: {}, answer: { value: 2n ** 53n + 1n } },
    ],
  ),
  honoured(
    'enum of an integer beyond 2^53, in a response',
    valueSchema({ type: 'integer', enum: [9007199254740992n, 1] }),
    'the bigint: a number may have been rounded',
    [returned(2n ** 53n, '9007199254740992'), returned(1n, '1'), { status: 500, body: {}, answer: { value: 2 ** 53 } }],
  ),
  refusedSchema(
    'enum of a number that no double holds',
    { type: 'number', enum: [9007199254740993n] },
    'a number is a double, which cannot hold 9007199254740993; use the type integer',
  ),
  refusedSchema(
    'enum beside a rule that it breaks',
    { type: 'string', enum: ['a', 'bb'], maxLength: 1 },
    'the value breaks the rules beside it: it must be a string of at most 1 character',
  ),
  schemaRow('enum beside a rule that it keeps', { type: 'integer', format: 'int32', enum: [1, 2] }, 'checked', {
    good: [1],
    bad: [[3, 'must be one of 1, 2']],
  }),
  refusedSchema(
    'const beside enum that lacks it',
    { type: 'string', enum: ['a'], const: 'b' },
    '"const" must be one of "enum"',
    '3.1.0',
  ),
  schemaRow(
    'const beside the type null',
    { type: ['string', 'null'], const: 'a' },
    'null is refused',
    { good: ['a'], bad: [[null, 'must be a']] },
    '3.1.0',
  ),
  refusedSchema(
    'exclusiveMinimum without minimum',
    { type: 'integer', exclusiveMinimum: true },
    '"exclusiveMinimum" needs "minimum" beside it',
  ),
  schemaRow(
    'exclusiveMinimum false without minimum',
    { type: 'integer', exclusiveMinimum: false, maximum: 9, exclusiveMaximum: false },
    'without effect, as it is the default',
    { good: [-1, 9], bad: [[10, 'must be an integer up to 9']] },
  ),
  honoured('a Date of a response that is invalid', valueSchema({ type: 'string' }), 'a 500, not null', [
    { status: 500, body: {}, answer: { value: new Date(Number.NaN) } },
  ]),
  honoured(
    'deepObject of allOf',
    parameter({ ...FILTER, schema: { allOf: [NUMBERED] } }),
    'members of each part are read as their type',
    [{ status: 201, body: {}, target: '?f[n]=1', seen: { query: { f: { n: 1 } } } }],
  ),
  honoured('deepObject beside its bare name', parameter({ ...FILTER, schema: NUMBERED }), 'refused', [
    { status: 400, body: {}, target: '?f[n]=1&f=x', message: 'f must be an object' },
  ]),
  refused(
    'deepObject with additionalProperties of a schema',
    parameter({ ...FILTER, schema: { type: 'object', additionalProperties: { type: 'integer' } } }),
    '"additionalProperties" of a parameter must be true or false; declare its members',
  ),
  refusedSchema(
    'readOnly of items',
    { type: 'array', items: { type: 'string', readOnly: true } },
    '"readOnly" has an effect only on a member in "properties"; move it there',
  ),
  refusedSchema(
    'default inside allOf',
    { allOf: [{ type: 'object', default: {} }] },
    '"default" has an effect only on a member in "properties"; move it there',
  ),
  refused(
    'a mapping with the name of another alternative',
    (contract) => {
      Object.assign(contract.components.schemas, { Cat: KIND, Dog: KIND });
      valueSchema({
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: { propertyName: 'kind', mapping: { Dog: 'Cat' } },
      })(contract);
    },
    'the mapping "Dog" hides the alternative of that name; map both',
  ),
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
    'an error without content',
    (contract) => (postOf(contract).responses[400] = { description: 'x' }),
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
    'an error as FastAPI declares it',
    (contract) => {
      const content = json({ type: 'object', properties: { detail: { type: 'string' } } });
      postOf(contract).responses[400] = { description: 'x', content };
    },
    'the schema of an error must declare "code", "message" and "status": what it does not declare is not sent',
  ),
  refused(
    'an error as ASP.NET declares it',
    (contract) => {
      const texts = { type: { type: 'string' }, title: { type: 'string' }, detail: { type: 'string' } };
      const problem = { ...texts, status: { type: 'integer', format: 'int32' } };
      postOf(contract).responses[400] = { description: 'x', content: json({ type: 'object', properties: problem }) };
    },
    'the schema of an error must declare "code", "message" and "status": what it does not declare is not sent',
  ),
  honoured(
    'an error whose members are undeclared, and allowed',
    (contract) => {
      const content = json({ type: 'object', additionalProperties: true });
      postOf(contract).responses[400] = { description: 'x', content };
    },
    'is sent as other errors are',
    [{ status: 400, body: [], answer: { code: 'BAD_REQUEST', message: 'The body must be an object.', status: 400 } }],
  ),
  refused(
    'an error whose message has a limit',
    errorSchema(({ message }) => (message.maxLength = 50)),
    'the schema of an error must accept any text as "message", beside "code" and "status"',
  ),
  honoured(
    'an error whose code a part of allOf lists',
    (contract) => (postOf(contract).responses[409] = conflict({ type: 'string', enum: ['ORDER_CLOSED'] })),
    'checked',
    [
      { status: 409, body: {}, answer: new OrderClosed('Closed.'), message: 'Closed.' },
      { status: 500, body: {}, answer: new ConflictException() },
    ],
  ),
  honoured(
    'an error whose code has a pattern',
    (contract) => (postOf(contract).responses[409] = conflict({ type: 'string', pattern: '^ORDER_' })),
    'checked',
    [
      { status: 409, body: {}, answer: new OrderClosed('Closed.'), message: 'Closed.' },
      { status: 500, body: {}, answer: new ConflictException() },
    ],
  ),
  honoured(
    'an error with an optional member of its own',
    (contract) => {
      const details = { type: 'array', items: { type: 'string' } };
      postOf(contract).responses[409] = conflict({ type: 'string' }, { details });
    },
    'an HttpException sends its `code` and the declared members of its response object',
    [
      {
        status: 409,
        body: {},
        answer: new ConflictException({ code: 'ORDER_CLOSED', message: 'Closed.', details: ['a'], secret: 'b' }),
        text: '{"code":"ORDER_CLOSED","message":"Closed.","status":409,"details":["a"]}',
      },
      {
        status: 409,
        body: {},
        answer: new ConflictException({ code: 7, message: 'Closed.', status: 200 }),
        text: '{"code":"CONFLICT","message":"Closed.","status":409}',
      },
      { status: 500, body: {}, answer: new ConflictException({ message: 'Closed.', details: 7 }) },
    ],
  ),
  refused(
    'an error whose code has a pattern that the service itself does not keep',
    (contract) => (postOf(contract).responses[400] = conflict({ type: 'string', pattern: '^ORDER_' })),
    'the service sends 400 with the code "BAD_REQUEST", which the schema must accept',
  ),
  refused(
    'an error whose message has a pattern',
    errorSchema(({ message }) => (message.pattern = '^[^<>]*$')),
    'the schema of an error must accept any text as "message", beside "code" and "status"',
  ),
  refused(
    'an error whose message has a limit, beside a pattern of its code',
    (contract) => {
      const message = { type: 'string', maxLength: 50 };
      postOf(contract).responses[409] = conflict({ type: 'string', pattern: '^ORDER_' }, { message });
    },
    'the schema of an error must accept any text as "message", beside "code" and "status"',
  ),
  refused(
    'an error whose code is no text',
    errorSchema(({ code }) => (code.type = 'integer')),
    'the schema of an error must accept a text as "code"',
  ),
  refused(
    'an error whose codes exclude each other',
    (contract) => {
      const coded = (code: string) => ({ type: 'object', properties: { code: { type: 'string', enum: [code] } } });
      const allOf = [{ $ref: '#/components/schemas/Error' }, coded('ORDER_CLOSED'), coded('CONFLICT')];
      postOf(contract).responses[409] = { description: 'x', content: json({ allOf }) };
    },
    'the schema of an error must accept a text as "code"',
  ),
  honoured(
    'an undeclared member whose name is not Unicode',
    (contract) => {
      errorSchema(({ message }) => (message.minLength = 1))(contract);
      valueSchema({ type: 'object', additionalProperties: false })(contract);
    },
    'refused, as invalid JSON is',
    [
      {
        status: 400,
        body: String.raw`{"value":{"\ud800":1}}`,
        message: 'The body is not valid JSON: half of a surrogate pair in the member name at position 10.',
      },
    ],
  ),
  honoured(
    'more than 100 violations',
    valueSchema({ type: 'array', items: { type: 'boolean' } }),
    'the message has the first 100 sentences, and the number of the others',
    [
      {
        status: 400,
        body: { value: Array.from({ length: 103 }, () => 1) },
        message: [
          ...Array.from({ length: 100 }, (_, index) => `value.${index} must be true or false`),
          '3 more values break the contract',
        ].join('; '),
      },
    ],
  ),
  honoured(
    'anyOf of objects, several of which match',
    valueSchema({
      anyOf: [
        { type: 'object', properties: { a: { type: 'integer', default: 1 } } },
        { type: 'object', properties: { b: { type: 'integer', default: 2 }, c: { type: 'number', format: 'double' } } },
      ],
    }),
    'all that match act: their defaults are filled in, and their members returned',
    [
      { status: 201, body: { value: {} }, seen: { body: { value: { a: 1, b: 2 } } } },
      returned({ b: 2n ** 53n, a: 5, c: 0.5, d: 1 }, '{"a":5,"b":9007199254740992,"c":0.5}'),
    ],
  ),
  honoured(
    'anyOf of objects with additionalProperties false, several of which match',
    valueSchema({
      anyOf: [
        { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false },
        { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'number' } }, additionalProperties: false },
        { type: 'object', properties: { c: { type: 'integer' } }, additionalProperties: false },
      ],
    }),
    'a response has the members of all that match, if one of them allows them all; otherwise it is a 500',
    [
      returned({ a: 2n ** 53n, b: 0.5 }, '{"a":9007199254740992,"b":0.5}'),
      { status: 500, body: {}, answer: { value: { a: 1, c: 1 } } },
      {
        status: 400,
        body: { value: { a: 1, c: 1 } },
        message: 'value must match at least one of the 3 declared alternatives, not none',
      },
    ],
  ),
  honoured(
    'anyOf of an integer and a number with the format double',
    valueSchema({ anyOf: [{ type: 'number', format: 'double' }, { type: 'integer' }] }),
    'an integer keeps its digits',
    [
      { status: 201, body: '{"value":9007199254740993}', seen: { body: { value: 9_007_199_254_740_993n } } },
      { status: 201, body: '{"value":0.10000000000000001}', seen: { body: { value: 0.1 } } },
      returned(9_007_199_254_740_993n, '9007199254740993'),
    ],
  ),
  honoured(
    'a response with members of an alternative that it does not match',
    valueSchema({ anyOf: [FULL, { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }] }),
    'is a 500; null is left out, and so is what no alternative declares',
    [
      returned({ id: 1, email: 'a@b.test', secret: 1 }, '{"id":1,"email":"a@b.test"}'),
      returned({ id: 1, email: null, secret: 1 }, '{"id":1}'),
      { status: 500, body: {}, answer: { value: { id: 1, email: 'not an email' } } },
    ],
  ),
  honoured(
    'oneOf of objects that additionalProperties false tells apart',
    valueSchema({
      oneOf: [
        { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false },
        { type: 'object', properties: { b: { type: 'integer' } }, additionalProperties: false },
      ],
    }),
    'a response belongs to the alternative that declares all its members',
    [
      { status: 201, body: { value: { b: 1 } }, answer: { value: { b: 1 } }, text: '{"value":{"b":1}}' },
      {
        status: 400,
        body: { value: {} },
        message: 'value must match exactly one of the 2 declared alternatives, not 2',
      },
      { status: 500, body: {}, answer: { value: {} } },
    ],
  ),
  honoured(
    'allOf of parts that may be null',
    valueSchema({ allOf: [{ type: 'object', nullable: true, properties: { a: { type: 'integer' } } }] }),
    'null is accepted and returned if all parts accept it',
    [{ status: 201, body: { value: null }, answer: { value: null }, text: '{"value":null}' }],
  ),
  honoured(
    'allOf of one text or number',
    valueSchema({ allOf: [{ type: 'string', enum: ['EUR', 'CHF'] }], description: 'x', default: 'EUR' }),
    'as the part, with what is beside it',
    [
      { status: 201, body: { value: 'CHF' }, answer: { value: 'CHF' }, text: '{"value":"CHF"}' },
      { status: 201, body: {}, seen: { body: { value: 'EUR' } }, answer: {}, text: '{}' },
      { status: 400, body: { value: 'USD' }, message: 'value must be one of EUR, CHF' },
      { status: 500, body: {}, answer: { value: 'USD' } },
    ],
  ),
  honoured(
    'a limit beside allOf of one text or number',
    valueSchema({ allOf: [{ type: 'integer' }], type: 'integer', maximum: 5 }),
    'checked, as in a request',
    [
      { status: 201, body: { value: 5 }, answer: { value: 5n }, text: '{"value":5}' },
      { status: 500, body: {}, answer: { value: 6 } },
    ],
  ),
  honoured(
    'writeOnly in one part of allOf',
    valueSchema({
      allOf: [
        { type: 'object', properties: SECRET },
        { type: 'object', properties: { pin: { type: 'string' }, b: { type: 'integer' } } },
      ],
    }),
    'never returned',
    [returned({ pin: 'a', b: 1 }, '{"b":1}')],
  ),
  honoured(
    'an undeclared number that no double holds',
    valueSchema({ type: 'object', additionalProperties: true }),
    'the handler gets an `InexactNumber`: responses and `simple-json` columns keep its digits, and arithmetic throws',
    [
      {
        status: 201,
        body: '{"value":{"a":1e400,"b":12345678901234567890,"c":0.10000000000000001}}',
        seen: { body: { value: { a: { text: '1e400' }, c: { text: '0.10000000000000001' } } } },
      },
      returned({ a: new InexactNumber('1e400') }, '{"a":1e400}'),
    ],
  ),
  honoured(
    'defaults inside of a default',
    valueSchema({
      type: 'object',
      default: {},
      properties: { a: { type: 'integer', default: 5 }, b: { type: 'number', format: 'double', default: 1 } },
    }),
    'filled in',
    [{ status: 201, body: {}, seen: { body: { value: { a: 5, b: 1 } } } }],
  ),
  refused(
    'default of a required member',
    (contract) => {
      const properties = { value: { type: 'integer', default: 1 } };
      postOf(contract).requestBody.content = json({ type: 'object', required: ['value'], properties });
    },
    '"default" has no effect on a required member; remove one of them',
  ),
  refused(
    'readOnly of a whole body',
    (contract) => (postOf(contract).requestBody.content = json({ type: 'object', readOnly: true })),
    '"readOnly" has no effect here; remove it',
  ),
  refused(
    'writeOnly of a whole response',
    (contract) => (postOf(contract).responses[201].content = json({ type: 'object', writeOnly: true })),
    '"writeOnly" has no effect here; remove it',
  ),
  refused(
    'default of a whole response',
    (contract) => (postOf(contract).responses[201].content = json({ type: 'object', default: {} })),
    '"default" has no effect here; remove it',
  ),
  refused(
    'readOnly of a parameter',
    parameter({ name: 'a', in: 'query', schema: { type: 'string', readOnly: true } }),
    '"readOnly" has no effect here; remove it',
  ),
  refused(
    'default of a header of a response',
    header({ type: 'string', default: 'a' }),
    '"default" has no effect here; remove it',
  ),
  refused(
    'content of a response with 204',
    (contract) => (postOf(contract).responses[204] = { description: 'x', content: json({ type: 'object' }) }),
    'a response with the status 204 has no body; remove "content"',
  ),
  refusedSchema('multipleOf that is infinite', { type: 'number', multipleOf: '.inf' }, '"multipleOf" must be a number'),
  honoured('a header of a number in hexadecimal', header({ type: 'number', format: 'double' }), 'breaks its type', [
    { status: 201, body: {}, answerHeaders: { 'X-A': '16' } },
    { status: 500, body: {}, answerHeaders: { 'X-A': '0x10' } },
  ]),
  refused(
    'a discriminator whose alternative may be null',
    (contract) => {
      Object.assign(contract.components.schemas, { Cat: { ...KIND, nullable: true } });
      valueSchema({ oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator: { propertyName: 'kind' } })(contract);
    },
    'the alternative "Cat" must not be null: null has no "kind"',
  ),
  honoured(
    'a discriminator inside anyOf with null',
    (contract) => {
      Object.assign(contract.components.schemas, { Cat: KIND });
      const cats = { oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator: { propertyName: 'kind' } };
      valueSchema({ anyOf: [cats, { type: 'null' }] })(contract);
    },
    'checked',
    [
      { status: 201, body: { value: null }, answer: { value: null } },
      { status: 201, body: { value: { kind: 'Cat' } }, answer: { value: { kind: 'Cat' } } },
      { status: 400, body: { value: { kind: 'Dog' } }, message: 'value.kind must be one of Cat' },
      { status: 500, body: { value: null }, answer: { value: { kind: 'Dog' } } },
    ],
    '3.1.0',
  ),
  refused(
    'a discriminator whose alternative excludes its own name',
    (contract) => {
      const properties = { kind: { type: 'string', enum: ['cat'] } };
      Object.assign(contract.components.schemas, { Cat: { ...KIND, properties } });
      valueSchema({ oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator: { propertyName: 'kind' } })(contract);
    },
    '"kind" must accept "Cat", by which the discriminator chooses this alternative',
  ),
  refusedSchema(
    'writeOnly inside anyOf, in a response',
    {
      anyOf: [
        { type: 'object', properties: SECRET },
        { type: 'object', properties: { pin: { type: 'string' } } },
      ],
    },
    '"writeOnly" inside "anyOf" is not supported in a response; use "oneOf", or a discriminator',
  ),
  refused(
    'a parameter that refers to a readOnly schema',
    (contract) => {
      Object.assign(contract.components.schemas, { Id: { type: 'string', readOnly: true } });
      parameter({ name: 'a', in: 'query', schema: { $ref: '#/components/schemas/Id' } })(contract);
    },
    '"readOnly" of the schema that this refers to has no effect here; refer to one without it',
  ),
];
