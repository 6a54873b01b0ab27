import { isPlainObject } from './plain-object.js';

/**
 * class-transformer drops the members of a map that are called `prototype`, or as what objects or Maps inherit, such as
 * `constructor` or `size`. It gets them with a mark, which no member can have: half of a surrogate pair (values/json-reader.ts).
 */
const MARK = '\uD800';

const isDropped = (name: string): boolean => name === 'prototype' || name in Object.prototype || name in Map.prototype;

/** A copy of a value in which such names are marked below the top; the value itself without such names. */
export function withMarks(value: object): object {
  return mapMembers(value, (item) => marked(item));
}

function marked(value: unknown): unknown {
  if (Array.isArray(value)) return sameOr(value, value.map(marked));
  if (!isPlainObject(value)) return value;
  return mapMembers(value, marked, (name) => (isDropped(name) ? MARK + name : name));
}

/** The text without marks. */
export function withoutMarks(text: string): string {
  return text.replaceAll(MARK, '');
}

/** Gives members their names again, in what class-transformer has made. */
export function removeMarks(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Map) restoreMap(value as Map<unknown, unknown>);
  else if (isPlainObject(value)) restoreObject(value);
  const items: Iterable<unknown> = value instanceof Map || value instanceof Set ? value.values() : Object.values(value);
  for (const item of items) removeMarks(item);
}

/** In the same order. */
function restoreMap(map: Map<unknown, unknown>): void {
  const entries = [...map];
  map.clear();
  for (const [name, item] of entries) map.set(typeof name === 'string' ? withoutMarks(name) : name, item);
}

/** In the same order. */
function restoreObject(object: Record<string, unknown>): void {
  const entries = Object.entries(object);
  if (!entries.some(([name]) => name.startsWith(MARK))) return;
  for (const [name] of entries) delete object[name];
  for (const [name, value] of entries) define(object, withoutMarks(name), value);
}

function mapMembers(value: object, change: (item: unknown) => unknown, rename = (name: string) => name): object {
  const members = Object.entries(value);
  const changed = members.map(([name, item]) => [rename(name), change(item)] as const);
  if (changed.every(([name, item], index) => name === members[index]![0] && item === members[index]![1])) return value; // the same order
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as object;
  for (const [name, item] of changed) define(copy, name, item);
  return copy;
}

function sameOr(items: readonly unknown[], changed: readonly unknown[]): readonly unknown[] {
  return changed.every((item, index) => item === items[index]) ? items : changed;
}

/** An assignment to `__proto__` would set the prototype. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
