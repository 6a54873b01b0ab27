import { toJson } from './to-json.js';

/** Of the response that is being written. */
let results = new WeakMap<object, unknown>();
let isEmpty = true;

/**
 * What a response has in place of a value. A check and the writer may see the same value several times, but its `toJSON`
 * is called once: what is written is what was checked.
 */
export function shown(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!isEmpty && results.has(value)) return results.get(value);
  const result = toJson(value);
  if (result === value) return value;
  results.set(value, result);
  isEmpty = false;
  return result;
}

/** The next response may have the same values in another state. */
export function forgetShown(): void {
  if (isEmpty) return;
  results = new WeakMap();
  isEmpty = true;
}
