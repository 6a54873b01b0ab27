import { describe, expect, it } from '@jest/globals';
import { writeJson } from '../../../src/platform/values/exact-json.js';
import { compile } from './compile.js';

class User {
  readonly id = 1;
  readonly name = 'Ann';
  readonly passwordHash = 'hunter2';
  readonly #shown: unknown;

  constructor(shown: unknown = { id: 2n ** 60n, name: '***' }) {
    this.#shown = shown;
  }

  toJSON(): unknown {
    return this.#shown;
  }
}

const NOTHING = { toJSON: (): unknown => undefined };
const TEXT = { type: 'string' };
const OPEN = { type: 'object', additionalProperties: true };
const NAMED = { type: 'object', required: ['name'], properties: { name: TEXT } };
const MONEY = { type: 'object', required: ['amount'], properties: { amount: TEXT } };
const inside = (schema: object) => ({ type: 'object', required: ['a'], properties: { a: schema } });
const listOf = (items: object, rules = {}) => ({ type: 'array', items, ...rules });

const HIDDEN = '{"id":1152921504606846976,"name":"***"}';

describe('toJSON of what a handler returns', () => {
  it.each<[string, object, unknown, string]>([
    ['a whole body', OPEN, new User(), HIDDEN],
    ['a whole body with declared members', NAMED, new User(), '{"name":"***"}'],
    ['a body that is text then', TEXT, new User('Ann'), '"Ann"'],
    ['a body that is a list then', listOf(TEXT), new User(['Ann']), '["Ann"]'],
    ['a declared member', inside(NAMED), { a: new User() }, '{"a":{"name":"***"}}'],
    ['an undeclared member', OPEN, { a: new User() }, `{"a":${HIDDEN}}`],
    ['a deep member', OPEN, { a: { b: [{ c: new User() }] } }, `{"a":{"b":[{"c":${HIDDEN}}]}}`],
    ['a member of its result', OPEN, new User({ a: new User(7) }), '{"a":7}'],
    ['further members', { type: 'object', additionalProperties: NAMED }, { x: new User() }, '{"x":{"name":"***"}}'],
    ['an item', listOf(NAMED), [new User()], '[{"name":"***"}]'],
    ['an item of a list with rules', listOf(MONEY, { maxItems: 2 }), [new User({ amount: '1' })], '[{"amount":"1"}]'],
    ['a number', inside({ type: 'integer', maximum: 5 }), { a: new User(5) }, '{"a":5}'],
    ['a value of an enumeration', inside({ ...TEXT, enum: ['x'] }), { a: new User('x') }, '{"a":"x"}'],
    ['null', inside({ ...TEXT, nullable: true }), { a: new User(null) }, '{"a":null}'],
    ['an alternative', { oneOf: [MONEY, { type: 'boolean' }] }, new User({ amount: '1' }), '{"amount":"1"}'],
    [
      'a member of an alternative',
      { anyOf: [inside(MONEY), inside(NAMED)] },
      { a: new User({ amount: '1' }) },
      '{"a":{"amount":"1"}}',
    ],
    ['a member of an allOf', { allOf: [inside(NAMED), inside(NAMED)] }, { a: new User() }, '{"a":{"name":"***"}}'],
    ['an object of a limited size', { ...OPEN, maxProperties: 1 }, new User({ a: 1 }), '{"a":1}'],
    ['a member that is left out', { ...OPEN, maxProperties: 1 }, { a: 1, b: NOTHING }, '{"a":1}'],
    ['an optional member that is left out', { type: 'object', properties: { a: TEXT } }, { a: NOTHING }, '{}'],
    ['a URL', inside(TEXT), { a: new URL('http://a/b') }, '{"a":"http://a/b"}'],
  ])('decides what is sent: %s', (_, schema, value, text) => {
    expect(compile(schema)(value)).toBe(text);
  });

  it.each<[string, object, unknown]>([
    ['another type', NAMED, new User('Ann')],
    ['a required member that it leaves out', inside(TEXT), { a: NOTHING }],
    ['a member that breaks its rules', inside({ ...TEXT, maxLength: 2 }), { a: new User('Ann') }],
    ['equal items', listOf(OPEN, { uniqueItems: true }), [new User({ a: 1 }), { a: new User(1) }]],
    ['too many members', { ...OPEN, maxProperties: 1 }, new User()],
    ['what JSON cannot hold', OPEN, { a: new User(Number.NaN) }],
  ])('is checked: %s', (_, schema, value) => {
    expect(() => compile(schema)(value)).toThrow('the response does not match openapi.yaml');
  });

  it('is not compared by what it hides', () => {
    expect(compile(listOf(OPEN, { uniqueItems: true }))([new User(), new User({ a: 1 })])).toBe(`[${HIDDEN},{"a":1}]`);
  });

  it('is called once for each response, however often a value is checked', () => {
    let calls = 0;
    const item = { toJSON: () => ({ a: `${(calls += 1)}` }) };
    const rules = { minItems: 1, uniqueItems: true };
    const serialise = compile(listOf({ oneOf: [inside(TEXT), { ...inside({ type: 'integer' }) }] }, rules));
    expect(serialise([item])).toBe('[{"a":"1"}]');
    expect(serialise([item])).toBe('[{"a":"2"}]');
  });

  it('is not called again for its own result, as by JSON.stringify', () => {
    const value = { a: new User(new User(7)) };
    expect(writeJson(value)).toBe(JSON.stringify(value));
    expect(compile(OPEN)(value)).toBe(JSON.stringify(value));
  });

  it('is not that of a bigint, which programs add for JSON.stringify', () => {
    const { prototype } = BigInt as unknown as { prototype: { toJSON?: () => string } }; // TypeScript knows no such member
    prototype.toJSON = () => 'text';
    try {
      expect(compile(inside({ type: 'integer' }))({ a: 1n })).toBe('{"a":1}');
      expect(writeJson({ a: 1n })).toBe('{"a":1}');
    } finally {
      delete prototype.toJSON;
    }
  });

  it.each<[string, unknown, string]>([
    ['another value', 'text', '{"toJSON":"text"}'],
    ['a Date', new Date(0), '{"toJSON":"1970-01-01T00:00:00.000Z"}'],
  ])('is a member like any other when it is no function: %s', (_, toJSON, text) => {
    expect(compile(OPEN)({ toJSON })).toBe(text);
    expect(compile({ type: 'object', properties: { toJSON: TEXT } })({ toJSON })).toBe(text);
  });

  it('leaves bytes refused', () => {
    expect(() => compile(OPEN)({ a: Buffer.from('a') })).toThrow('a must be a value of JSON');
  });

  it('is named when it fails', () => {
    const value = new (class Account {
      toJSON(): never {
        throw new Error('no session');
      }
    })();
    for (const write of [compile(OPEN), compile(NAMED), writeJson])
      expect(() => write(value)).toThrow('toJSON of Account failed: no session');
    expect(() => compile(OPEN)({ a: [value] })).toThrow('toJSON of Account failed: no session');
  });

  it.each<[string, unknown]>([
    ['an object', new User({ id: 1 })],
    ['inside', { a: [new User({ id: 1 })], b: NOTHING }],
    ['in a list', [NOTHING]],
  ])('decides what writeJson writes: %s', (_, value) => {
    expect(writeJson(value)).toBe(JSON.stringify(value));
  });
});
