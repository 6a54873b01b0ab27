import { describe, expect, it } from '@jest/globals';
import { InexactNumber } from '../../../src/platform/values/json-reader.js';
import { compile } from './compile.js';

const TOY = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    note: { type: 'string', nullable: true },
    id: { type: 'integer' },
    name: { type: 'string' },
    size: { type: 'string', enum: ['small', 'large'] },
  },
};

const OPEN = { type: 'object', additionalProperties: true };
const NUMBERS = { type: 'object', additionalProperties: { type: 'integer' } };

class Ball {
  readonly name = 'Ball';
}

/** What a handler may return by mistake: JSON.stringify writes each as an empty object. */
const NO_OBJECTS: [string, unknown][] = [
  ['a Map', new Map([['a', 1]])],
  ['a Set', new Set([1])],
  ['a promise that nobody awaits', Promise.resolve({ a: 1 })],
  // eslint-disable-next-line unicorn/no-thenable -- as query builders are
  ['a query that nobody runs', { then: () => {} }],
  ['a Date', new Date(0)],
  ['an error', new Error('a')],
  ['a regular expression', /a/],
  ['bytes', Buffer.from('a')],
  ['an iterator', [1].values()],
  ['an address', new URL('http://a')],
  ['a format of numbers', new Intl.NumberFormat('en')],
  ['a boxed number', Object(1)],
  ['a number that no double holds', new InexactNumber('1e400')],
];

class Tagged {
  readonly a = 1;
  readonly [Symbol.toStringTag] = 'Proxy';
}

class Problem extends Error {
  readonly a = 1;
}

describe('a compiled serialiser', () => {
  it.each<[string, object, unknown, string]>([
    [
      'members in the order of declaration',
      TOY,
      { name: 'Ball', id: 1, note: 'a' },
      '{"note":"a","id":1,"name":"Ball"}',
    ],
    ['declared members only', TOY, { name: 'Ball', id: 1, price: 7 }, '{"id":1,"name":"Ball"}'],
    ['null where it is declared', TOY, { note: null, id: 1, name: '' }, '{"note":null,"id":1,"name":""}'],
    ['a value of an enumeration', TOY, { id: 1, name: '', size: 'large' }, '{"id":1,"name":"","size":"large"}'],
    ['a bigint of an enumeration', { type: 'integer', enum: [1, 2] }, 2n, '2'],
    ['10^23 within a maximum that is a double', { type: 'number', maximum: 1e23 }, 10n ** 23n, String(10n ** 23n)],
    [
      'digits that a double rounds, where the format is double',
      { type: 'number', format: 'double' },
      new InexactNumber('0.1000000000000000055'),
      '0.1000000000000000055',
    ],
    [
      'one of several doubles',
      { type: 'number', format: 'double', enum: [0.1, 2] },
      new InexactNumber('0.1000000000000000055'),
      '0.1',
    ],
    ['a list', { type: 'array', items: { type: 'integer' } }, [1, 2n], '[1,2]'],
    ['an empty list', { type: 'array', items: { type: 'integer' } }, [], '[]'],
    ['an empty object', { type: 'object', properties: { a: { type: 'string' } } }, { name: 'Ball' }, '{}'],
    [
      'members of allOf',
      { allOf: [{ type: 'object', properties: { b: { type: 'number' } } }], properties: { a: { type: 'boolean' } } },
      { b: 0.5, a: true },
      '{"a":true,"b":0.5}',
    ],
    [
      'undeclared members with the schema for them, after the declared ones',
      { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: { type: 'integer' } },
      { '"': 1n, none: undefined, a: 2 },
      String.raw`{"a":2,"\"":1}`,
    ],
    ['any undeclared member', { type: 'object', additionalProperties: true }, { a: [1n, 'b'] }, '{"a":[1,"b"]}'],
    [
      'the name __proto__',
      TOY,
      JSON.parse('{"__proto__":{"id":2,"name":"b"},"id":1,"name":"a"}'),
      '{"id":1,"name":"a"}',
    ],
    ['the largest int64', { type: 'integer' }, 2n ** 63n - 1n, '9223372036854775807'],
    ['the smallest int64', { type: 'integer' }, -(2n ** 63n), '-9223372036854775808'],
    ['the first integer that a double cannot hold', { type: 'integer' }, 2n ** 53n + 1n, '9007199254740993'],
    ['text that needs escapes', { type: 'string' }, '"\\\n\u0000', String.raw`"\"\\\n\u0000"`],
    ['text beyond the basic plane', { type: 'string' }, '🐈', '"🐈"'],
    ['a date as text', { type: 'string' }, new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['an instance of a class', OPEN, { a: new Ball() }, '{"a":{"name":"Ball"}}'],
    ['an empty instance of a class', { type: 'object', properties: { a: { type: 'string' } } }, new Ball(), '{}'],
    ['an object without a prototype', OPEN, Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    [
      'dates and null in undeclared members',
      OPEN,
      { a: [new Date(0), null] },
      '{"a":["1970-01-01T00:00:00.000Z",null]}',
    ],
  ])('writes %s', (_, schema, value, text) => {
    expect(compile(schema)(value)).toBe(text);
  });

  const CONTROL_CHARACTERS = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code));

  // Each on its own: in a text with several, one that needs an escape has the others escaped as well.
  it.each([...CONTROL_CHARACTERS, '"', '\\'].map((text) => [JSON.stringify(text), text]))(
    'escapes %s',
    (escaped, text) => {
      expect(compile({ type: 'string' })(text)).toBe(escaped);
    },
  );

  it.each<[string, object, unknown]>([
    ['a fraction for an integer', { type: 'integer' }, 1.5],
    ['a number that is not exact for an integer', { type: 'integer' }, 2 ** 53],
    ['text for an integer', { type: 'integer' }, '1'],
    ['null for an integer', { type: 'integer' }, null],
    ['a number for text', { type: 'string' }, 1],
    ['a high surrogate alone', { type: 'string' }, 'a\ud800'],
    ['the last high surrogate alone', { type: 'string' }, '\udbff"'],
    ['a low surrogate alone', { type: 'string' }, '\udc00a'],
    ['the last low surrogate alone', { type: 'string' }, '\udfff'],
    ['a surrogate alone where the length is limited', { type: 'string', maxLength: 5 }, '\ud800'],
    ['text for a boolean', { type: 'boolean' }, 'true'],
    ['infinity for a number', { type: 'number' }, Infinity],
    ['a value outside the enumeration', { type: 'string', enum: ['small'] }, 'Small'],
    ['an object for a list', { type: 'array', items: { type: 'integer' } }, { 0: 1 }],
    ['null for an object', { type: 'object', properties: { a: { type: 'string' } } }, null],
    ['a missing required member', TOY, { id: 1 }],
    [
      'a missing required member of allOf',
      { allOf: [{ type: 'object', required: ['b'], properties: { b: { type: 'number' } } }] },
      {},
    ],
    [
      'a member that breaks one of two parts of allOf',
      {
        allOf: [
          { type: 'object', properties: { b: { type: 'integer', maximum: 5 } } },
          { type: 'object', properties: { b: { type: 'integer', minimum: 2 } } },
        ],
      },
      { b: 6 },
    ],
    ['a required member that is null', TOY, { id: 1, name: null }],
  ])('throws for %s', (_, schema, value) => {
    expect(() => compile(schema)(value)).toThrow(Error);
  });

  it.each(NO_OBJECTS)('throws for %s as an object', (_, value) => {
    const optional = { type: 'object', properties: { a: { type: 'integer' } } };
    const sized = { ...optional, maxProperties: 5 };
    const either = { oneOf: [optional, { type: 'boolean' }] };
    for (const schema of [optional, sized, either, NUMBERS, OPEN]) {
      const message = /^the response does not match openapi.yaml: x must /;
      expect(() => compile({ type: 'object', properties: { x: schema } })({ x: value })).toThrow(message);
      expect(() => compile(schema)(value)).toThrow(Error);
    }
  });

  it.each<[string, object]>([
    ['of a class with a tag of its own', new Tagged()],
    ['of a class of errors', new Problem('a')],
  ])('writes the members of an object %s', (_, value) => {
    const optional = { type: 'object', properties: { a: { type: 'integer' } } };
    const either = { oneOf: [optional, { type: 'boolean' }] };
    for (const schema of [optional, { ...optional, maxProperties: 5 }, either, NUMBERS, OPEN]) {
      expect(compile(schema)(value)).toBe('{"a":1}');
    }
  });

  it('writes the declared members of any object, also as one of several alternatives', () => {
    const declared = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } };
    for (const schema of [declared, { oneOf: [declared, { type: 'boolean' }] }, { ...declared, maxProperties: 1 }]) {
      expect(compile(schema)(new Error('a'))).toBe('{"message":"a"}');
    }
  });

  it.each<[string, unknown]>([
    ['NaN', Number.NaN],
    ['infinity', -Infinity],
    ['a function', () => 1],
    ['a symbol', Symbol('a')],
    ['an invalid Date', new Date(Number.NaN)],
    ['a Map', new Map()],
    ['a promise', Promise.resolve(1)],
  ])('throws for %s in an undeclared member, and names it', (_, value) => {
    expect(() => compile(OPEN)({ a: { b: [1, value] } })).toThrow(
      /^the response does not match openapi.yaml: a.b.1 must be a value of JSON \(/,
    );
  });

  it('writes null for holes in a list of an undeclared member', () => {
    // eslint-disable-next-line no-sparse-arrays
    expect(compile(OPEN)({ a: [1, , 2] })).toBe('{"a":[1,null,2]}');
  });

  it('reports only the type of a wrong value, which may be a secret', () => {
    expect(() => compile(TOY)({ id: 'hunter2', name: '' })).toThrow(/^(?!.*hunter2).*integer.*string/);
  });
});
