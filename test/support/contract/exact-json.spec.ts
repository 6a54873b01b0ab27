import { describe, expect, it } from '@jest/globals';
import { readJson, writeJson } from './exact-json.js';

describe('readJson', () => {
  it.each([
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-0', -0],
    ['1.5e3', 1500],
    [' [ 1 , "a\\u0062\\n" , true , null , { } ] ', [1, 'ab\n', true, null, {}]],
    ['{"a":{"b":[]},"":1}', { a: { b: [] }, '': 1 }],
  ])('reads %s', (text, value) => {
    expect(readJson(text)).toEqual(value);
  });

  it('keeps __proto__ as an ordinary member', () => {
    expect(Object.keys(readJson('{"__proto__":1}') as object)).toEqual(['__proto__']);
  });

  it.each([
    '',
    '01',
    '1.',
    '+1',
    'NaN',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    '"\t"',
    '"\\x"',
    '\ufeff1',
    '1 2',
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":1}',
    '[1',
    '{"a"}',
  ])('rejects %j', (text) => {
    expect(() => readJson(text)).toThrow(SyntaxError);
  });
});

describe('writeJson', () => {
  it('writes integers digit for digit and omits undefined members', () => {
    const value = { id: 2n ** 63n - 1n, name: 'a"b', status: undefined, list: [1, null, -(2n ** 63n)] };
    expect(writeJson(value)).toBe('{"id":9223372036854775807,"name":"a\\"b","list":[1,null,-9223372036854775808]}');
  });
});
