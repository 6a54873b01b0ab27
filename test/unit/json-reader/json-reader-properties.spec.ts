import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InexactNumber, type JsonValue, readJson } from '../../../src/platform/values/json-reader.js';
import { readJson as readJsonStrictly } from '../../support/contract/exact-json.js';
import { repetitions } from '../../support/run/effort.js';

const read = (text: string): JsonValue => readJson(Buffer.from(text));
const reading = (text: string) => (): JsonValue => read(text);

/** Converts to the values of `JSON.parse`: doubles only, objects with a prototype, no negative zero. */
function asDoubles(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof InexactNumber) return Number(value.text) + 0;
  if (typeof value === 'number') return value + 0;
  if (Array.isArray(value)) return value.map(asDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asDoubles(member)]));
}

describe('readJson, compared with JSON.parse', () => {
  it('reads the output of JSON.stringify as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, noUnicodeString: false }), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(asDoubles(read(text))).toEqual(JSON.parse(text));
      }),
      { numRuns: repetitions(1_000) },
    );
  });

  it('reads every double as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        for (const text of [String(number), number.toExponential(), number.toPrecision(21)]) {
          expect(asDoubles(read(text))).toBe(Number(text) + 0);
        }
      }),
      { numRuns: repetitions(2_000) },
    );
  });

  it('keeps integers exact that a double cannot represent, in any notation', () => {
    const integers = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).filter((integer) => integer !== 0n);
    const notations = fc.record({ integer: integers, shift: fc.nat(30) });
    fc.assert(
      fc.property(notations, ({ integer, shift }) => {
        const digits = String(integer < 0n ? -integer : integer).padStart(shift + 1, '0');
        const sign = integer < 0n ? '-' : '';
        const point = digits.length - shift;
        const fraction = shift === 0 ? '' : `.${digits.slice(point)}`;
        const texts = [`${integer}`, `${integer}.000`, `${integer}${'0'.repeat(shift)}e-${shift}`];
        for (const text of [...texts, `${sign}${digits.slice(0, point)}${fraction}e${shift}`]) {
          expect(BigInt(read(text) as number | bigint)).toBe(integer);
        }
      }),
      { numRuns: repetitions(2_000) },
    );
  });

  const character = fc.constantFrom(...Array.from(' \t\n\r\f\0\ufeff\u00a0{}[]:,"\\/+-.0123e9EuabtfnAé😀'));
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(2), character), { minLength: 1, maxLength: 4 });
  const json = fc.oneof(fc.json({ maxDepth: 3 }), fc.constantFrom('[1.5e3,-0,"a\\u0041"]', '{"a":{"b":[]},"c":null}'));

  /** JSON text with a few characters changed: mostly invalid, and often only slightly. */
  const nearlyJson = fc.tuple(json, edits).map(([text, changes]) =>
    changes.reduce((edited, [position, removed, inserted]) => {
      const at = position % (edited.length + 1);
      return edited.slice(0, at) + inserted + edited.slice(at + removed);
    }, text),
  );

  it('accepts and rejects the same text as JSON.parse, except duplicate names', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyJson, fc.string({ unit: 'binary' })), (text) => {
        // UTF-8 replaces a lone surrogate with another character.
        const wellFormed = text.toWellFormed();
        let parsed: unknown;
        let expectedError: unknown;
        try {
          parsed = JSON.parse(wellFormed);
          readJsonStrictly(wellFormed);
        } catch (error) {
          expectedError = error;
        }
        if (expectedError === undefined) expect(asDoubles(read(wellFormed))).toEqual(withoutNegativeZero(parsed));
        else expect(reading(wellFormed)).toThrow(SyntaxError);
      }),
      { numRuns: repetitions(6_000) },
    );
  });
});

function withoutNegativeZero(value: unknown): unknown {
  if (typeof value === 'number') return value + 0;
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutNegativeZero(member)]));
}
