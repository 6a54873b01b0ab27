import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parse } from 'node:querystring';
import { readQuery } from '../../src/platform/http/request/read-query.js';
import { ALLOWED, FACTOR, growth } from '../support/growth.js';
import { repetitions } from '../support/run/effort.js';

/** Node's result, in order, without `__proto__`, which readQuery ignores. */
const entriesOfNode = (text: string) =>
  Object.entries(parse(text, '&', '=', { maxKeys: 0 })).filter(([name]) => name !== '__proto__');

const entriesOf = (text: string) => Object.entries(readQuery(`/v1/toys?${text}`));

/**
 * Node decodes both halves of a pair if one has escapes, and corrupts characters beyond ASCII if some escapes are
 * malformed.
 */
const isCorruptedByNode = (pair: string) =>
  /[^\0-\x7F]/.test(pair) && /%(?![\da-f]{2})/i.test(pair) && /%[\da-f]{2}|\+/i.test(pair);

/** Valid escapes, of UTF-8 or not, in upper and lower case. */
const ESCAPES = ['%20', '%2B', '%2b', '%26', '%3D', '%25', '%00', '%C3%A9', '%c3', '%F0%9F%90%B1', '%ff', '%E2%82'];
const BROKEN = ['%', '%%', '%zz', '%2', '%2g', '%g2', '%%20', '%2%20', '%u0041'];
const SIGNS = ['+', '++', '=', '==', '&', '&&', '#', '?', ';', ' ', '[]', '.', '/'];

const piece = fc.oneof(
  { arbitrary: fc.string({ maxLength: 6 }), weight: 3 },
  { arbitrary: fc.constantFrom(...ESCAPES), weight: 3 },
  { arbitrary: fc.constantFrom(...BROKEN), weight: 2 },
  { arbitrary: fc.constantFrom('+', '++', '=', '#', '?', ';'), weight: 2 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 3 }), weight: 1 },
  { arbitrary: fc.constantFrom('\u00E9', '\u20AC', '\u{1F431}', '\uD800', '\uDC00', '\u00FF'), weight: 1 },
  { arbitrary: fc.string({ maxLength: 3 }).map((text) => text.repeat(200)), weight: 1 },
);
const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));

/** Few enough that names repeat, in the same spelling and in others. */
const name = fc.oneof(
  { arbitrary: fc.constantFrom('a', 'b', 'a%', '%61', '%62', 'a+b', 'a%20b', '', '1', '0', '10', '01'), weight: 4 },
  { arbitrary: fc.constantFrom('__proto__', '%5F_proto__', 'constructor', 'toString', 'hasOwnProperty'), weight: 1 },
  { arbitrary: text, weight: 2 },
);
const pair = fc.oneof(
  { arbitrary: fc.tuple(name, text).map((sides) => sides.join('=')), weight: 5 },
  { arbitrary: fc.oneof(name, text), weight: 1 },
  { arbitrary: fc.constant(''), weight: 1 },
);
const query = fc.array(pair, { maxLength: 8 }).map((pairs) => pairs.join('&'));

const junk = fc.oneof(
  fc
    .array(fc.constantFrom('a', 'F', '0', '%', '&', '=', '+', '\u00E9', ...SIGNS, ...ESCAPES, ...BROKEN))
    .map((signs) => signs.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.webQueryParameters(),
);

describe('readQuery', () => {
  it.each([
    ['of pairs', query, 8_000],
    ['of arbitrary characters', junk, 3_000],
  ])("returns Node's names and values, in its order, for any text %s", (_, texts, numRuns) => {
    fc.assert(
      fc.property(texts, (generated) => {
        fc.pre(!generated.split('&').some(isCorruptedByNode));
        expect(entriesOf(generated)).toStrictEqual(entriesOfNode(generated));
      }),
      { numRuns: repetitions(numRuns) },
    );
  });

  it.each<[string, object]>([
    ['/v1/toys', {}],
    ['/v1/toys?', {}],
    ['/v1/toys?&&&', {}],
    ['?a=1', { a: '1' }],
    ['/v1/toys?a=1&b=2&a=3&a=4', { a: ['1', '3', '4'], b: '2' }],
    ['/v1/toys?a=1&%61=2&A=3', { a: ['1', '2'], A: '3' }],
    ['/v1/toys?a&b=&=c&=', { a: '', b: '', '': ['c', ''] }],
    ['/v1/toys?a=b=c==', { a: 'b=c==' }],
    ['/v1/toys?a+b=c+d%2B%20e', { 'a b': 'c d+ e' }],
    ['/v1/toys?a=%zz&b=%&c=%2&d=%25zz', { a: '%zz', b: '%', c: '%2', d: '%zz' }],
    ['/v1/toys?a=%C3%A9%F0%9F%90%B1&%C3=%ff', { a: '\u00E9\u{1F431}', '\uFFFD': '\uFFFD' }],
    // Node decodes the bytes of a target as Latin-1.
    ['/v1/toys?a=\u00E9%zz&b=\u00E9', { a: '\u00E9%zz', b: '\u00E9' }],
    ['/v1/toys?a=1?b=2', { a: '1?b=2' }],
    ['/v1/toys?constructor=1&toString=2&toString=3', { constructor: '1', toString: ['2', '3'] }],
  ])('reads %s', (target, expected) => {
    expect(readQuery(target)).toStrictEqual(expected);
  });

  it("reads more parameters than Node's default limit", () => {
    const texts = Array.from({ length: 2_000 }, (_, index) => `p${index}=${index}`);
    expect(entriesOf(texts.join('&'))).toStrictEqual(texts.map((written) => written.split('=')));
  });
});

describe('readQuery of __proto__', () => {
  const membersOfAll = () => Object.entries(Object.getOwnPropertyDescriptors(Object.prototype));

  it.each([
    ['once', '__proto__=1'],
    ['repeated', '__proto__=1&__proto__=2&__proto__=3'],
    ['escaped', '%5F%5fproto__=1&__proto__=2'],
    ['without a value', '__proto__'],
    ['with a member', '__proto__[admin]=1&__proto__.admin=1'],
    ['of a constructor', 'constructor=1&constructor[prototype][admin]=1'],
  ])('ignores it and changes no other object: %s', (_, written) => {
    const before = membersOfAll();
    const read = readQuery(`/v1/toys?${written}&a=1`);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.entries(read)).toStrictEqual(entriesOfNode(`${written}&a=1`));
    expect(Object.hasOwn(read, '__proto__')).toBe(false);
    expect(membersOfAll()).toStrictEqual(before);
    expect('admin' in {}).toBe(false);
  });
});

describe('readQuery: time', () => {
  /** More than Node accepts for a request line and headers. */
  const SIZE = 80_000;

  const repeated = (part: string, size: number): string => part.repeat(Math.ceil(size / part.length)).slice(0, size);

  /** Also reads an ordinary text of the same size: without it, a very quick text would measure noise. */
  function reading(written: string): () => void {
    const ordinary = repeated('name=of%20a%20pet&', written.length);
    return () => {
      readQuery(`/?${ordinary}`);
      readQuery(`/?${written}`);
    };
  }

  it.each(['&', '=', '+', '%', '%zz', '%ff', '%20', 'a&', 'a=1&', 'a=%20&', '=&', 'a', '__proto__&'])(
    'grows linearly with the text: %s',
    (part) => {
      const [small, large] = [repeated(part, SIZE / FACTOR), repeated(part, SIZE)];
      expect(growth(reading(small), reading(large))).toBeLessThanOrEqual(ALLOWED);
    },
  );

  it.each<[string, (index: number) => string | number]>([
    ['names', (index) => index.toString(36)],
    ['numbers as names', (index) => index],
    ['distant numbers as names', (index) => 4_294_967_294 - index * 65_536],
  ])('grows linearly with the text: different %s', (_, nameOf) => {
    const all = Array.from({ length: SIZE / 2 }, (__, index) => nameOf(index)).join('&');
    const [small, large] = [all.slice(0, SIZE / FACTOR), all.slice(0, SIZE)];
    expect(growth(reading(small), reading(large))).toBeLessThanOrEqual(ALLOWED);
  });
});
