import { isDeepStrictEqual } from 'node:util';
import { isAnnotation } from '../annotations.js';
import type { Schema } from '../open-api.js';

/** Merges all parts of an `allOf` into one schema. Throws when two parts give a keyword different values. */
export function mergeAllOf({ allOf = [], ...own }: Schema): Schema {
  return [...allOf, own].reduce(merge, {});
}

/** What is both is an integer. */
const NUMBERS = new Set<unknown>(['integer', 'number']);

function merge(left: Schema, right: Schema): Schema {
  const merged: Schema = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    const present = merged[keyword];
    if (present === undefined || isAnnotation(keyword)) merged[keyword] = value;
    else if (keyword === 'required')
      merged.required = [...new Set([...(left.required ?? []), ...(right.required ?? [])])];
    else if (keyword === 'properties')
      merged.properties = mergeProperties(left.properties ?? {}, right.properties ?? {});
    else if (keyword === 'items') merged.items = merge(left.items ?? {}, right.items ?? {});
    else if (keyword === 'type' && NUMBERS.has(present) && NUMBERS.has(value)) merged.type = 'integer';
    else if (!isDeepStrictEqual(present, value)) throw new Error(`allOf gives ${keyword} two values`);
  }
  return merged;
}

function mergeProperties(left: Record<string, Schema>, right: Record<string, Schema>): Record<string, Schema> {
  const merged = { ...left };
  for (const [name, schema] of Object.entries(right)) merged[name] = merge(merged[name] ?? {}, schema);
  return merged;
}
