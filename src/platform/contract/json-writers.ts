import { writeJson } from '../values/exact-json.js';

/** What JSON has to escape, and lone surrogates, which `JSON.stringify` escapes as well. */
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Writes a value as JSON text, or throws an Error that says what is wrong with it. By what a schema calls the type. */
export const WRITERS = {
  string(value: unknown): string {
    if (typeof value === 'string') return NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
    if (value instanceof Date) return JSON.stringify(value);
    throw notA('string', value);
  },

  enumerated(texts: ReadonlyMap<unknown, string>, value: unknown): string {
    const text = texts.get(value);
    if (text === undefined) throw notA('enumeration value', value);
    return text;
  },

  integer(value: unknown): string {
    if (typeof value === 'bigint') {
      // A number is written faster than a bigint.
      const number = Number(value);
      return Number.isSafeInteger(number) ? `${number}` : `${value}`;
    }
    if (Number.isSafeInteger(value)) return `${value as number}`;
    throw notA('exact integer', value);
  },

  number(value: unknown): string {
    if (typeof value === 'bigint' || Number.isFinite(value)) return String(value);
    throw notA('number', value);
  },

  boolean(value: unknown): string {
    if (typeof value === 'boolean') return String(value);
    throw notA('boolean', value);
  },

  anything: writeJson,
};

/** Names the type only: the value may be a secret, and the message is logged. */
export function notA(wanted: string, value: unknown): Error {
  return new Error(
    `the response does not match openapi.yaml: expected ${wanted}, got ${value === null ? 'null' : typeof value}`,
  );
}
