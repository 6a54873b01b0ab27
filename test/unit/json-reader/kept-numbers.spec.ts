import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readJson } from '../../../src/platform/values/json-reader.js';
import { doubleOf } from '../../../src/platform/values/kept-numbers.js';
import { repetitions } from '../../support/run/effort.js';

/** The integer that JavaScript writes for a double. */
const written = (number: number) => BigInt(readJson(Buffer.from(JSON.stringify(number))) as number | bigint);

describe('the double of an integer', () => {
  it.each<[bigint, number]>([
    [0n, 0],
    [7n, 7],
    [-120n, -120],
    [10n ** 23n, 1e23],
    [-(10n ** 23n), -1e23],
    [2n ** 53n, 2 ** 53],
    [1152921504606847000n, 2 ** 60],
  ])('of %s is %s', (integer, number) => {
    expect(doubleOf(integer)).toBe(number);
  });

  it.each([2n ** 53n + 1n, 2n ** 60n, 10n ** 23n + 1n, 10n ** 400n, -(10n ** 400n), 99999999999999991611392n])(
    'is none for %s, which would come back as another number',
    (integer) => {
      expect(doubleOf(integer)).toBeUndefined();
    },
  );

  it('is the one that JavaScript writes as this integer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 98 }),
        fc.double({ min: 1, max: 9.99, noNaN: true }),
        (exponent, digits) => {
          const number = Math.round(digits * 10 ** exponent);
          expect(doubleOf(written(number))).toBe(number);
          if (!Number.isSafeInteger(number)) expect(doubleOf(written(number) + 1n)).toBeUndefined();
        },
      ),
      { numRuns: repetitions(300) },
    );
  });
});
