import { describe, expect, it } from '@jest/globals';
import { type JsonValue, readJson } from '../../../src/platform/values/json-reader.js';

const read = (text: string): JsonValue => readJson(Buffer.from(text));
const reading = (text: string) => (): JsonValue => read(text);

describe('readJson: values', () => {
  it.each<[string, JsonValue]>([
    ['null', null],
    ['true', true],
    ['false', false],
    ['""', ''],
    ['"a"', 'a'],
    ['0', 0],
    ['[]', []],
    ['[[]]', [[]]],
    ['[null,1,"2",true,{}]', [null, 1, '2', true, {}]],
    ['{}', {}],
    ['{"":0}', { '': 0 }],
    ['{"a":{"b":[1,{"c":null}]}}', { a: { b: [1, { c: null }] } }],
    ['{"a":1,"A":2,"a ":3}', { a: 1, A: 2, 'a ': 3 }],
    [' \t\r\n1 \t\r\n', 1],
    [' [ 1 , 2 ] ', [1, 2]],
    ['\r\n{\t"a"\n:\r1 , "b" : 2\n}\n', { a: 1, b: 2 }],
    ['{"a":[{"a":1},{"a":2}],"b":{"a":3}}', { a: [{ a: 1 }, { a: 2 }], b: { a: 3 } }],
  ])('reads %j', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each([
    ['an empty text', ''],
    ['white space alone', ' \n'],
    ['capital letters', 'True'],
    ['a literal cut short', 'nul'],
    ['a literal with more letters', 'truex'],
    ['two literals', 'null null'],
    ['a word', 'undefined'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['-Infinity', '-Infinity'],
    ['a bare name', 'a'],
    ['single quotes', "'a'"],
    ['a comma alone', ','],
    ['an opening bracket alone', '['],
    ['a closing bracket alone', ']'],
    ['an array that is not closed', '[1'],
    ['an array closed as an object', '[1}'],
    ['an array closed twice', '[1]]'],
    ['a comma at the end of an array', '[1,]'],
    ['a comma at the beginning of an array', '[,1]'],
    ['two commas in an array', '[1,,2]'],
    ['no comma in an array', '[1 2]'],
    ['a colon in an array', '["a":1]'],
    ['an object that is not closed', '{"a":1'],
    ['an object closed as an array', '{"a":1]'],
    ['an opening brace alone', '{'],
    ['a comma at the end of an object', '{"a":1,}'],
    ['a comma at the beginning of an object', '{,"a":1}'],
    ['two commas in an object', '{"a":1,,"b":2}'],
    ['no comma in an object', '{"a":1 "b":2}'],
    ['no colon', '{"a" 1}'],
    ['two colons', '{"a"::1}'],
    ['an equals sign', '{"a"=1}'],
    ['a member without a value', '{"a":}'],
    ['a name alone', '{"a"}'],
    ['a bare member name', '{a:1}'],
    ['a member name in single quotes', "{'a':1}"],
    ['a number as member name', '{1:1}'],
    ['null as member name', '{null:1}'],
    ['a comment', '[1/*one*/]'],
    ['a comment at the end', '1//one'],
    ['text after the value', '{} x'],
    ['a second value', '{}{}'],
    ['a second value on a line of its own', '1\n2'],
    ['a semicolon', '1;'],
    ['a NUL after the value', '1\0'],
    ['a form feed', '\f1'],
    ['a vertical tab', '\v1'],
    ['a no-break space', '\u00a01'],
    ['a line separator', '1\u2028'],
    ['an ideographic space', '\u30001'],
    ['a word joiner', '\u20601'],
    ['a byte order mark', '\ufeff1'],
    ['a byte order mark at the end', '1\ufeff'],
    ['a JSONP callback', 'f({})'],
    ['a prefix against JSON hijacking', ")]}',\n{}"],
  ])('rejects %s', (_, text) => {
    expect(reading(text)).toThrow(SyntaxError);
  });
});

describe('readJson: member names', () => {
  it.each([
    ['twice', '{"a":1,"a":2}', 7],
    ['twice with the same value', '{"a":1,"a":1}', 7],
    ['not adjacent', '{"a":1,"b":2,"a":3}', 13],
    ['once escaped', String.raw`{"a":1,"\u0061":2}`, 7],
    ['escaped in two ways', String.raw`{"\/":1,"\u002F":2}`, 8],
    ['as the same pair of surrogates', String.raw`{"😀":1,"\ud83d\ude00":2}`, 8],
    ['as the empty name', '{"":1,"":2}', 6],
    ['as __proto__', '{"__proto__":1,"__proto__":2}', 15],
    ['as __proto__, once with an escaped letter', String.raw`{"__proto__":1,"__prot\u006f__":2}`, 15],
    ['in an inner object', '{"a":{"b":1,"b":2}}', 12],
    ['in an object of an array', '[{"a":1,"a":2}]', 8],
    ['as a number', '{"1":1,"1":2}', 7],
  ])('rejects a duplicate name: %s', (_, text, position) => {
    expect(reading(text)).toThrow(new SyntaxError(`duplicate member name at position ${position}`));
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'then', 'length', '0'])(
    'treats %s as an ordinary name',
    (name) => {
      const object = read(`{${JSON.stringify(name)}:{"polluted":1}}`) as object;
      expect(Object.entries(object)).toEqual([[name, expect.objectContaining({ polluted: 1 })]]);
      // Neither this object nor Object.prototype inherits from the input.
      expect('polluted' in object).toBe(false);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    },
  );

  it('distinguishes names that look alike', () => {
    expect(Object.keys(read('{"é":1,"e\u0301":2,"É":3}') as object)).toHaveLength(3);
  });
});

describe('readJson: nesting', () => {
  const arrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const objects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

  it.each([
    ['arrays', arrays(100)],
    ['objects', objects(100)],
    ['arrays side by side', `[${Array.from({ length: 1000 }, () => '[[]]').join()}]`],
  ])('reads %s nested up to 100 levels', (_, text) => {
    expect(read(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['arrays', arrays(101)],
    ['objects', objects(101)],
    ['both', `${'[{"a":'.repeat(60)}1${'}]'.repeat(60)}`],
    ['arrays that never end', '['.repeat(101)],
  ])('rejects %s nested deeper than 100 levels', (_, text) => {
    expect(reading(text)).toThrow(new SyntaxError('nested deeper than 100 levels'));
  });
});

describe('readJson: errors', () => {
  it.each([
    ['', 'unexpected end'],
    ['{"a":', 'unexpected end'],
    ['[1', 'unexpected end'],
    ['{"a":1}}', 'syntax error at position 7'],
    ['{"a":01}', 'syntax error at position 6'],
    ['[1,,2]', 'syntax error at position 3'],
  ])('reports for %j: %s', (text, sentence) => {
    expect(reading(text)).toThrow(new SyntaxError(sentence));
  });
});
