import { InexactNumber } from './json-reader.js';

/** Whether a value that was read from JSON is an object. */
export function isReadObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof InexactNumber);
}

/**
 * Whether a value is an object whose members are its content: also an instance of a class, but neither a list nor a
 * built-in that keeps its content elsewhere, such as a Map, a Date or a promise, which would be written without it.
 */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return (
    isReadObject(value) && !isBuiltIn(value, tagOf(value)) && typeof (value as { then?: unknown }).then !== 'function'
  );
}

/** A class may choose any tag. The tag of a built-in class is its global name, except for iterators and generators. */
function isBuiltIn(value: object, tag: string): boolean {
  if (tag === 'Object') return false;
  if (/ Iterator$|Generator$/.test(tag)) return true;
  if (value instanceof Error) return Object.keys(value).length === 0;
  // `Intl.NumberFormat` is a member of a member.
  const found = tag.split('.').reduce<unknown>((at, name) => Object(at)[name], globalThis);
  const prototype: unknown = Object(found).prototype;
  return typeof prototype === 'object' && Object.prototype.isPrototypeOf.call(Object(prototype), value);
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
