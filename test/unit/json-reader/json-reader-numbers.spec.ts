import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InexactNumber, type JsonValue, readJson } from '../../../src/platform/values/json-reader.js';
import { repetitions } from '../../support/run/effort.js';

const read = (text: string): JsonValue => readJson(Buffer.from(text));
const reading = (text: string) => (): JsonValue => read(text);

describe('readJson: numbers', () => {
  it.each<[string, number]>([
    ['0', 0],
    ['7', 7],
    ['-1', -1],
    ['1.5', 1.5],
    ['-0.25', -0.25],
    ['0.1', 0.1],
    ['1e2', 100],
    ['1E2', 100],
    ['1e+2', 100],
    ['1e0', 1],
    ['1e00002', 100],
    ['100e-2', 1],
    ['1.0', 1],
    ['-1.0', -1],
    ['1.20e1', 12],
    ['12.34e2', 1234],
    ['0.0000001e7', 1],
    ['-0.5e1', -5],
    ['0.0', 0],
    ['0e999999999999', 0],
    ['0.000e-5', 0],
    ['1e-7', 1e-7],
    ['5e-324', 5e-324],
    ['0.1e-1', 0.01],
    ['9007199254740991', 2 ** 53 - 1],
    ['-9007199254740991', -(2 ** 53 - 1)],
    ['9007199254740991.0', 2 ** 53 - 1],
    ['0.9007199254740991e16', 2 ** 53 - 1],
    ['4503599627370495.5', 4503599627370495.5],
    ['0.30000000000000004', 0.1 + 0.2],
    ['-0.30000000000000004', -(0.1 + 0.2)],
    ['3.0000000000000004e-1', 0.1 + 0.2],
    ['0.1000000000000000000000000000', 0.1],
    ['1.7976931348623157', 1.7976931348623157],
    ['2.2250738585072014e-308', 2 ** -1022],
    ['123456789012345.6', 123456789012345.6],
    ['1e200', 1e200],
    ['-1.5E300', -1.5e300],
    [`1${'0'.repeat(300)}`, 1e300],
    ['1.7976931348623157e308', Number.MAX_VALUE],
  ])('reads %s', (text, value) => {
    expect(read(text)).toBe(value);
  });

  it('reads a negative zero as a zero of either sign', () => {
    expect(read('-0') === 0 && read('-0.0') === 0 && read('-0e5') === 0).toBe(true);
  });

  it.each<[string, bigint]>([
    ['9007199254740992', 2n ** 53n],
    ['9007199254740993', 2n ** 53n + 1n],
    ['-9007199254740993', -(2n ** 53n) - 1n],
    ['9007199254740993.0', 2n ** 53n + 1n],
    ['9007199254740993e0', 2n ** 53n + 1n],
    ['90071992547409930e-1', 2n ** 53n + 1n],
    ['9.007199254740993e15', 2n ** 53n + 1n],
    ['0.9007199254740993E+16', 2n ** 53n + 1n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['9223372036854775807.000', 2n ** 63n - 1n],
    ['922337203685477580700e-2', 2n ** 63n - 1n],
    ['9.223372036854775807e18', 2n ** 63n - 1n],
    ['9223372036854775808', 2n ** 63n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['-9223372036854775809', -(2n ** 63n) - 1n],
    ['1e18', 10n ** 18n],
    ['-1e21', -(10n ** 21n)],
    ['18446744073709551617', 2n ** 64n + 1n],
    ['1e23', 10n ** 23n],
    ['1e99', 10n ** 99n],
  ])('reads %s exactly', (text, value) => {
    expect(read(text)).toBe(value);
  });

  it.each([
    '1e400',
    '-1e400',
    '1e99999999999999999999',
    '1e-400',
    '1e-99999999999999999999',
    '9007199254740992.5',
    '9223372036854775807.5',
    '0.99999999999999999999',
    '1.00000000000000000001',
    '123456789012345.678901',
    '0.010000000000000000001',
    `1${'0'.repeat(150)}1`,
    '1.234567890123456789e200',
    '0.10000000000000001',
    '-0.10000000000000001',
    '4.9406564584124654e-324',
    '4503599627370495.4',
    `1${'0'.repeat(400)}`,
    `0.${'0'.repeat(400)}1`,
  ])('reads %s as an inexact number', (text) => {
    expect(read(text)).toEqual(new InexactNumber(text));
  });

  it('gives the digits of an inexact number as text, and refuses to calculate with it', () => {
    const number = read('0.12345678901234567890') as InexactNumber;
    expect([String(number), JSON.stringify({ number })]).toEqual([
      '0.12345678901234567890',
      '{"number":"0.12345678901234567890"}',
    ]);
    const calculations: ((value: number) => unknown)[] = [
      (value) => value + 1,
      (value) => value * 2,
      (value) => value > 0,
      (value) => Math.round(value),
      Number,
    ];
    for (const calculate of calculations) {
      expect(() => calculate(number as unknown as number)).toThrow(
        new TypeError('A double would round the number 0.12345678901234567890; take its digits with String()'),
      );
    }
  });

  it('keeps each fraction that JavaScript writes, or that has at most 15 digits', () => {
    const decimal = fc.tuple(fc.bigInt(-(10n ** 15n) + 1n, 10n ** 15n - 1n), fc.integer({ min: -300, max: -1 }));
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), decimal, (number, [digits, exponent]) => {
        for (const text of [String(number), number.toExponential(), `${digits}e${exponent}`]) {
          if (!Number.isInteger(Number(text))) expect(read(text)).toBe(Number(text));
        }
      }),
      { numRuns: repetitions(300) },
    );
  });

  it.each([
    '-',
    '+1',
    '--1',
    '- 1',
    '01',
    '-01',
    '00',
    '0123',
    '1.',
    '.5',
    '-.5',
    '1..5',
    '1.2.3',
    '1.e2',
    '1e',
    '1e+',
    '1e-',
    '1e+-2',
    '1e2.5',
    '1e2e3',
    'e2',
    '0x10',
    '0b1',
    '0o7',
    '1_000',
    '1,000',
    '1 000',
    '10n',
    '1f',
    '\uff11',
    '\u0661',
    '1\u00b2',
    '∞',
  ])('rejects %j', (text) => {
    expect(reading(text)).toThrow(SyntaxError);
  });
});
