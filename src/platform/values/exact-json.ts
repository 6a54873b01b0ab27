import { isJsonObject, kindOf } from './json-object.js';
import { InexactNumber } from './json-reader.js';
import { toJson } from './to-json.js';

/**
 * Writes any value as JSON text, with every digit that `readJson` has read. Like JSON.stringify, it calls `toJSON` and omits
 * undefined members. Throws for what JSON cannot hold, such as NaN, a function, a Map or a promise, instead of writing null
 * or an empty object.
 */
export function writeJson(value: unknown): string {
  return writeShown(toJson(value));
}

/** The same for what a `toJSON` has returned: another one of the result is not called. */
export function writeShown(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof InexactNumber) return value.text;
  // Not `map`, which skips holes, as in `[1, , 2]`.
  if (Array.isArray(value)) return `[${Array.from(value, (item) => writeJson(item)).join(',')}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value)
      .map(([name, member]) => [name, toJson(member)] as const)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => `${JSON.stringify(name)}:${writeShown(member)}`);
    return `{${members.join(',')}}`;
  }
  if (!isJsonScalar(value)) throw new Error(`expected a value of JSON, got ${kindOf(value)}`);
  return JSON.stringify(value) ?? 'null';
}

/** Whether JSON can hold a value that is neither a list nor an object; in a list, undefined becomes null. */
export function isJsonScalar(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  if (value instanceof InexactNumber || value === null) return true;
  return ['bigint', 'string', 'boolean', 'undefined'].includes(typeof value);
}
