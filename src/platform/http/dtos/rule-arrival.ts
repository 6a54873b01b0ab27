import type { Type } from '@nestjs/common';
import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import { conversionsOf } from '../../validation/compile-dto.js';
import { hasType, makesObjects, typeOf } from '../../validation/nested-dto.js';
import { convert } from './conversion-samples.js';
import type { OwnRule } from '../../validation/own-fields.js';
import type { Kind } from './rule-kinds.js';
import type { Taker } from './taker.js';

export interface Arrival {
  /** The kinds of its values, or of the items in its list; none where that is not known. */
  readonly kinds: readonly Kind[];
  /** Whether they see a list. */
  readonly isList: boolean;
  /** Returns what they see of a value; undefined where a conversion decides. */
  readonly convert?: (value: unknown) => unknown;
}

/** How the rules of a member of a DTO see its values; `own` is that of one of our own decorators. */
export function arrivalOf({ name, isText }: Taker, dto: Type<object>, field: DeclaredField, own?: OwnRule): Arrival {
  const conversions = conversionsOf(dto, name);
  const isList = field.types.join() === 'array';
  const types = isList ? field.itemTypes : field.types;
  if (conversions.length > 0) {
    const isBigint = field.types.join() === 'integer' && typeof convert(conversions, name, 7) === 'bigint';
    const kinds: Kind[] = isBigint ? ['bigint'] : [];
    if (!own?.isConverting || conversions.length > 1) return { isList: false, kinds };
    const ofOwn = (value: unknown) => convert(conversions, name, isText ? String(value) : value);
    // Our own decorators keep what they do not convert.
    const others = isText
      ? ['string'].filter((type) => type !== own.schema.type && ofOwn(7) === '7')
      : field.types.filter((type) => type !== own.schema.type);
    return {
      isList: false,
      kinds: [...kinds, ...others.flatMap((type) => kindsOf(type, field.exceedsNumber))],
      convert: ofOwn,
    };
  }
  const collection = COLLECTIONS.get(Reflect.getMetadata('design:type', dto.prototype as object, name));
  if (collection) return { isList: false, kinds: [collection] };
  if (!hasType(dto, name)) {
    return isText
      ? { isList, kinds: ['text'], convert: String }
      : { isList, kinds: types.flatMap((type) => kindsOf(type, field.exceedsNumber)), convert: (value) => value };
  }
  const made = MADE.get(typeOf(dto, name));
  if (!made) return { isList, kinds: makesObjects(dto, name) ? ['instance'] : [] };
  const make = (value: unknown): unknown => (Array.isArray(value) ? value.map(make) : made.make(value));
  return { isList, kinds: [made.kind], convert: make };
}

/** class-transformer makes these of the values, whatever type the decorators name. */
const COLLECTIONS = new Map<unknown, Kind>([
  [Set, 'set'],
  [Map, 'map'],
]);

function kindsOf(type: string, exceedsNumber: boolean): Kind[] {
  if (type === 'integer') return exceedsNumber ? ['number', 'bigint'] : ['number'];
  return KINDS[type] ?? [];
}

const KINDS: Readonly<Record<string, Kind[]>> = {
  string: ['text'],
  number: ['number'],
  boolean: ['boolean'],
  object: ['object'],
  array: ['list'],
};

/** What class-transformer makes with the type of a `@Type()`. */
const MADE = new Map<unknown, { readonly kind: Kind; readonly make: (value: unknown) => unknown }>([
  [String, { kind: 'text', make: String }],
  [Number, { kind: 'number', make: Number }],
  [Boolean, { kind: 'boolean', make: Boolean }],
  [Date, { kind: 'date', make: (value) => new Date(typeof value === 'bigint' ? Number(value) : (value as string)) }],
]);
