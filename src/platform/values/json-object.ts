import { InexactNumber } from './json-reader.js';

/**
 * Whether a value is an object whose members are what it holds: also an instance of a class, but no list, and nothing that
 * keeps its content elsewhere, such as a Map, a Date or a promise. Those would be written without their content.
 */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    tagOf(value) === 'Object' &&
    !(value instanceof InexactNumber) &&
    typeof (value as { then?: unknown }).then !== 'function'
  );
}

/** What a value is, without its content: it may be a secret, and messages are logged. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  const tag = tagOf(value);
  return tag === 'Object' ? 'object' : tag;
}

/** Built-in classes have a tag of their own. */
function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}
