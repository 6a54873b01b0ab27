import { kindOf } from '../../values/json-object.js';
import { InexactNumber } from '../../values/json-reader.js';

/** Characters that JSON escapes, and surrogates, which may be unpaired. */
const IS_SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;

export function writeString(value: unknown): string {
  if (typeof value === 'string') return IS_SPECIAL.test(value) ? writeSpecial(value) : `"${value}"`;
  // JSON.stringify writes an invalid Date as null.
  if (value instanceof Date && !Number.isNaN(value.getTime())) return JSON.stringify(value);
  throw notA('string', value);
}

/** Text with an unpaired surrogate is not Unicode: many clients cannot read it. */
function writeSpecial(text: string): string {
  if (text.isWellFormed()) return JSON.stringify(text);
  throw new Error('expected Unicode, got an unpaired surrogate');
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
  if (value instanceof InexactNumber) return value.text;
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
