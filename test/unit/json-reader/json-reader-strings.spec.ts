import { describe, expect, it } from '@jest/globals';
import { type JsonValue, readJson } from '../../../src/platform/values/json-reader.js';

const read = (text: string): JsonValue => readJson(Buffer.from(text));
const reading = (text: string) => (): JsonValue => read(text);

describe('readJson: strings', () => {
  it.each<[string, string]>([
    [String.raw`"\"\\\/\b\f\n\r\t"`, '"\\/\b\f\n\r\t'],
    [String.raw`"\u0041\u00e9\u20AC\u20ac"`, 'Aé€€'],
    [String.raw`"\u0000"`, '\0'],
    [String.raw`"\u001f\u007f\u2028\ufeff"`, '\u001f\u007f\u2028\ufeff'],
    [String.raw`"\ud83d\ude00"`, '😀'],
    [String.raw`"\uD83D\uDE00"`, '😀'],
    [String.raw`"\ud800"`, '\ud800'],
    [String.raw`"\udc00\ud800"`, '\udc00\ud800'],
    [String.raw`"\\u0041"`, String.raw`\u0041`],
    [String.raw`"\\\\"`, String.raw`\\`],
    ['"é€😀"', 'é€😀'],
    ['"\u007f\u0080\u009f"', '\u007f\u0080\u009f'],
    ['"\u2028\u2029"', '\u2028\u2029'],
    ['"\ufeff"', '\ufeff'],
    ['"\ufdd0\uffff\u{10ffff}"', '\ufdd0\uffff\u{10ffff}'],
    ['"//* {[ ]}, :"', '//* {[ ]}, :'],
    ['"é"', 'é'],
    ['"e\u0301"', 'e\u0301'],
  ])('reads %s', (text, value) => {
    expect(read(text)).toBe(value);
  });

  it.each([
    ['no closing quote', '"abc'],
    ['no opening quote', 'abc"'],
    ['an opening quote alone', '"'],
    ['an escaped closing quote', String.raw`"\"`],
    ['a backslash at the end', '"\\'],
    ['an unknown escape', String.raw`"\a"`],
    ['an escaped capital letter', String.raw`"\N"`],
    ["JavaScript's escaped single quote", String.raw`"\'"`],
    ['a hexadecimal escape', String.raw`"\x41"`],
    ['an octal escape', String.raw`"\101"`],
    ["JavaScript's escaped NUL", String.raw`"\0"`],
    ["JavaScript's escaped code point", String.raw`"\u{41}"`],
    ['an escaped new line', '"\\\n"'],
    ['an escape named like a property of Object.prototype', String.raw`"\constructor"`],
    ['a capital U', String.raw`"\U0041"`],
    ['three hexadecimal digits', String.raw`"\u004"`],
    ['a digit that is not hexadecimal', String.raw`"\u00g1"`],
    ['a sign among the digits', String.raw`"\u+041"`],
    ['a space among the digits', String.raw`"\u 041"`],
    ['full-width digits', '"\\u\uff10\uff10\uff14\uff11"'],
    ['digits cut short by the end', String.raw`"\u00`],
    ['a bare NUL', '"\0"'],
    ['a bare tab', '"\t"'],
    ['a bare new line', '"\n"'],
    ['a bare carriage return', '"\r"'],
    ['a bare control character', '"\u001f"'],
    ['a bare backspace', '"\b"'],
  ])('rejects %s', (_, text) => {
    expect(reading(text)).toThrow(SyntaxError);
  });
});

describe('readJson: bytes', () => {
  it.each([
    ['a continuation byte alone', [0x80]],
    ['the last continuation byte alone', [0xbf]],
    ['a lead byte alone', [0xc3]],
    ['a lead byte before a letter', [0xc3, 0x41]],
    ['a lead byte before a lead byte', [0xc3, 0xc3, 0xa9]],
    ['two bytes of three', [0xe2, 0x82]],
    ['three bytes of four', [0xf0, 0x9f, 0x98]],
    ['an overlong slash of two bytes', [0xc0, 0xaf]],
    ['an overlong NUL', [0xc0, 0x80]],
    ['an overlong slash of three bytes', [0xe0, 0x80, 0xaf]],
    ['an overlong slash of four bytes', [0xf0, 0x80, 0x80, 0xaf]],
    ['an overlong quote', [0xc0, 0xa2]],
    ['a high surrogate', [0xed, 0xa0, 0x80]],
    ['a low surrogate', [0xed, 0xb0, 0x80]],
    ['a pair of surrogates', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
    ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
    ['a lead byte of five', [0xf8, 0x88, 0x80, 0x80, 0x80]],
    ['a lead byte of six', [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80]],
    ['the byte fe', [0xfe]],
    ['the byte ff', [0xff]],
    ['Latin-1', [0x52, 0xe9, 0x78]],
  ])('rejects %s in a string', (_, bytes) => {
    const text = Buffer.concat([Buffer.from('"'), Buffer.from(bytes), Buffer.from('"')]);
    expect(() => readJson(text)).toThrow(new SyntaxError('invalid UTF-8'));
  });

  it.each([
    ['invalid UTF-8 after the value', Buffer.from([0x31, 0x20, 0xff])],
    ['a byte order mark', Buffer.from([0xef, 0xbb, 0xbf, 0x31])],
    ['half a byte order mark', Buffer.from([0xef, 0xbb, 0x31])],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['UTF-16 with a byte order mark', Buffer.from('\ufeff{"a":1}', 'utf16le')],
    ['UTF-32', Buffer.from([0x31, 0, 0, 0])],
    ['a NUL alone', Buffer.from([0])],
    ['gzip', Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0])],
  ])('rejects %s', (_, bytes) => {
    expect(() => readJson(bytes)).toThrow(SyntaxError);
  });
});
