import { describe, expect, it } from '@jest/globals';
import { readJson, writeJson } from '../src/exact-json.js';

const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);

describe('readJson', () => {
  it.each([
    ['0', 0n],
    ['-0', 0n],
    ['7', 7n],
    ['9007199254740993', 2n ** 53n + 1n],
    ['9223372036854775807', MAX],
    ['-9223372036854775808', MIN],
    ['1.0', 1n],
    ['1e3', 1000n],
    ['null', null],
    ['"7"', '7'],
  ])('reads %s where the contract has an int64', (text, value) => {
    expect(readJson(text, 'int64')).toStrictEqual(value);
  });

  it.each(['1.5', '1e-1', '1e30', '9007199254740993.0'])('rejects %s where the contract has an int64', (text) => {
    expect(() => readJson(text, 'int64')).toThrow(new SyntaxError(`${text} is not an integer.`));
  });

  it.each([
    ['9007199254740992', 2n ** 53n],
    ['9007199254740993', 2n ** 53n + 1n],
    ['-9007199254740993', -(2n ** 53n) - 1n],
    ['12345678901234567890', 12345678901234567890n],
  ])('reads %s as a bigint where the contract does not limit numbers', (text, value) => {
    expect(readJson(`[{"a":${text}}]`, {})).toStrictEqual([{ a: value }]);
  });

  it.each([
    ['0.5', 0.5],
    ['9007199254740992', 2 ** 53],
    ['9007199254740994', 2 ** 53 + 2],
    // The shortest digits of a double, and all of them.
    ['12345678901234567000', 12345678901234567000],
    ['12345678901234567168', 12345678901234567000],
  ])('reads %s where the contract has a number', (text, value) => {
    expect(readJson(text, 'double')).toBe(value);
  });

  it.each(['9007199254740993', '-12345678901234567001', '9'.repeat(400)])(
    'rejects %s where the contract has a number, which would lose digits',
    (text) => {
      const error = new SyntaxError(`${text} has more digits than a number holds.`);
      expect(() => readJson(text, 'double')).toThrow(error);
    },
  );

  it('reads bigints only in the places of the contract', () => {
    const places = { members: { id: 'int64', parts: { items: { rest: 'int64' } } } } as const;
    const text = '{"id":1,"count":2,"parts":[{"a":3,"b":4}],"other":{"id":5}}';
    expect(readJson(text, places)).toStrictEqual({
      id: 1n,
      count: 2,
      parts: [{ a: 3n, b: 4n }],
      other: { id: 5 },
    });
  });

  it('takes no place from the prototype of an object', () => {
    const text = '{"constructor":7,"id":1}';
    expect(readJson(text, { members: { id: {} }, rest: 'int64' })).toStrictEqual({
      constructor: 7n,
      id: 1,
    });
  });

  it('keeps __proto__ as an ordinary member', () => {
    expect(Object.keys(readJson('{"__proto__":{"a":1}}', {}) as object)).toStrictEqual(['__proto__']);
  });

  it.each([
    '{}',
    '[]',
    ' \n{ "a" : [ 1 , -2.5e-3 , true , false , null , "b\\u0063\\n\\"" ] , "a b" : { } }\t',
    '"\\ud83e\\udd8a"',
    '12345678901234567890.5',
    '1e30',
    '-0',
    '9007199254740991',
    '[[[]],{"a":{}}]',
    '{"a":1,"a":2}',
  ])('reads other values like JSON.parse: %s', (text) => {
    expect(readJson(text, {})).toStrictEqual(JSON.parse(text));
  });

  it('reads a text of 14 MB with escapes', () => {
    const text = 'x\\"'.repeat(7_000_000);
    expect((readJson(JSON.stringify({ text }), {}) as { text: string }).text === text).toBe(true);
  });

  it.each([
    '',
    ' ',
    '01',
    '+1',
    '1.',
    '.5',
    'NaN',
    '[1,]',
    '[1',
    '{"a":1,}',
    '{a:1}',
    '{"a"}',
    '"\n"',
    '"\\x"',
    '1 2',
    'tru',
    '"a',
    '"a\\\\"x',
    '"a\\"',
  ])('rejects %j like JSON.parse', (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => readJson(text, {})).toThrow(SyntaxError);
  });
});

describe('writeJson', () => {
  it('writes every digit of a bigint', () => {
    expect(writeJson({ ids: [MAX, MIN, 2n ** 53n + 1n] })).toBe(
      '{"ids":[9223372036854775807,-9223372036854775808,9007199254740993]}',
    );
  });

  it.each([
    [{ a: 'b"\u2028', c: [1, undefined, null, -2.5], d: undefined, e: { f: true } }],
    [[new Date(0)]],
    ['text'],
    [null],
  ])('writes other values like JSON.stringify: %j', (value) => {
    expect(writeJson(value)).toBe(JSON.stringify(value));
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('rejects %d, which JSON.stringify turns into null', (number) => {
    expect(() => writeJson({ number })).toThrow(new TypeError(`JSON cannot express ${number}.`));
  });
});
