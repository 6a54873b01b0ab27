import type { Type } from '@nestjs/common';
import { conversionsOf } from './compile-dto.js';
import { defineMember } from '../values/define-member.js';
import { hasType, nestedDtoOf } from './nested-dto.js';
import { isPlainObject } from './plain-object.js';

/**
 * Of objects without a class and of Maps, class-transformer drops the members that are called `prototype` or like something
 * that objects or Maps inherit, such as `constructor` or `size`. So their names get a mark before it reads them: half of a
 * surrogate pair, which the reader of JSON accepts in no name (values/json-reader.ts). Members of DTOs keep their names.
 */
const MARK = '\uD800';

const ofObjects = (name: string): boolean => name === 'prototype' || name in Object.prototype;
const ofMaps = (name: string): boolean => ofObjects(name) || name in Map.prototype;

/** A copy of what becomes a DTO in which such names are marked; the value itself without such names. */
export function withMarks(value: object, dto: Type<object>): object {
  return hasDropped(value) ? markedDto(value, dto) : value;
}

/** The name without its mark. */
export function withoutMark(name: string): string {
  return name.startsWith(MARK) ? name.slice(MARK.length) : name;
}

/** Gives members their names again, in what class-transformer has made. */
export function removeMarks(value: unknown, seen = new Set<unknown>()): void {
  // A conversion may have made anything of a member.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value)) return;
  seen.add(value);
  if (value instanceof Map) restoreMap(value as Map<unknown, unknown>);
  else if (isPlainObject(value)) restoreObject(value);
  const items: Iterable<unknown> = value instanceof Map || value instanceof Set ? value.values() : Object.values(value);
  for (const item of items) removeMarks(item, seen);
}

function hasDropped(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, item]) => ofMaps(name) || hasDropped(item));
}

function markedDto(value: unknown, dto: Type<object>): object {
  return isPlainObject(value) ? mapMembers(value, (item, name) => markedMember(item, name, dto)) : (value as object);
}

/** Marks what class-transformer makes an object or a Map without a class. */
function markedMember(item: unknown, name: string, dto: Type<object>): unknown {
  // A conversion reads the names that were sent.
  if (conversionsOf(dto, name).length > 0) return item;
  const nested = nestedDtoOf(dto, name);
  const markedOne = (one: unknown): unknown =>
    nested ? markedDto(one, nested.tagged?.get(tagOf(one, nested.tag)) ?? nested.type) : one;
  const isMap = Reflect.getMetadata('design:type', dto.prototype as object, name) === Map;
  if (isMap) return isPlainObject(item) ? mapMembers(item, markedOne, ofMaps) : item;
  if (nested) return Array.isArray(item) ? item.map(markedOne) : markedOne(item);
  return hasType(dto, name) ? item : marked(item);
}

function marked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(marked);
  return isPlainObject(value) ? mapMembers(value, marked, ofObjects) : value;
}

function tagOf(value: unknown, tag: string | undefined): string {
  return isPlainObject(value) ? String(value[tag ?? '']) : '';
}

/** In the same order. */
function restoreMap(map: Map<unknown, unknown>): void {
  const entries = [...map];
  map.clear();
  for (const [name, item] of entries) map.set(typeof name === 'string' ? withoutMark(name) : name, item);
}

/** In the same order. */
function restoreObject(object: Record<string, unknown>): void {
  const entries = Object.entries(object);
  if (!entries.some(([name]) => name.startsWith(MARK))) return;
  for (const [name] of entries) delete object[name];
  for (const [name, value] of entries) defineMember(object, withoutMark(name), value);
}

function mapMembers(
  value: object,
  change: (item: unknown, name: string) => unknown,
  isMarked = (_name: string): boolean => false,
): object {
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as object;
  for (const [name, item] of Object.entries(value))
    defineMember(copy, isMarked(name) ? MARK + name : name, change(item, name));
  return copy;
}
