import { kindOf } from '../../values/json-object.js';

/** Characters that JSON escapes, and lone surrogates, which `JSON.stringify` escapes as well. */
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

export function writeString(value: unknown): string {
  if (typeof value === 'string') return NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
  // JSON.stringify writes an invalid Date as null.
  if (value instanceof Date && !Number.isNaN(value.getTime())) return JSON.stringify(value);
  throw notA('string', value);
}

export function writeInteger(value: unknown): string {
  if (typeof value === 'bigint') {
    // V8 writes a number faster than a bigint.
    const number = Number(value);
    return Number.isSafeInteger(number) ? `${number}` : `${value}`;
  }
  if (Number.isSafeInteger(value)) return `${value as number}`;
  throw notA('exact integer', value);
}

export function writeNumber(value: unknown): string {
  if (typeof value === 'bigint' || Number.isFinite(value)) return String(value);
  throw notA('number', value);
}

export function writeBoolean(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  throw notA('boolean', value);
}

/** Names only the type: the value may be a secret, and the message is logged. */
export function notA(expected: string, value: unknown): Error {
  return new Error(`expected ${expected}, got ${kindOf(value)}`);
}
