import type { Type } from '@nestjs/common';
import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import { conversionsOf } from '../../validation/compile-dto.js';
import { isReadUnsent } from '../../validation/dropped-members.js';
import { type MemberRule, memberRulesOf } from '../../validation/member-rules.js';
import { hasType, makesObjects, typeOf } from '../../validation/nested-dto.js';
import { convert, UNKNOWN } from './conversion-samples.js';
import type { Kind } from './rule-kinds.js';
import { type Arrival, trialsOf } from './rule-trials.js';
import type { Taker } from './taker.js';

/**
 * Throws a StartError for a rule of class-validator that refuses a value which the schema names (a bound, a length, a value
 * of an enumeration, a default), null where it is valid, a member that may be missing, or all values of the declared type.
 * A rule may be stricter where the schema is silent, and is not tried where a conversion makes other values of those that
 * are received.
 */
export function assertRulesAccept(taker: Taker, dto: Type<object>, field: DeclaredField): void {
  const rules = memberRulesOf(dto, taker.name);
  if (rules.length === 0) return;
  assertAcceptNothing(taker, dto, field, rules);
  if (field.isReadOnly) return;
  for (const { words, arrivals, concerns } of trialsOf(field, arrivalOf(taker, dto, field))) {
    const rule = rules.filter(concerns).find(({ refuses }) => arrivals.every((one) => refuses(one)));
    if (rule) throw refusal(taker, field, rule, `may be ${words}`, 'loosen the rule there, or forbid that here');
  }
}

function assertAcceptNothing(
  taker: Taker,
  dto: Type<object>,
  field: DeclaredField,
  rules: readonly MemberRule[],
): void {
  const { types, isRequired, isReadOnly, defaults, accepts, acceptsNull } = field;
  const conversions = conversionsOf(dto, taker.name);
  const isRefused = (value: unknown, { refuses }: MemberRule): boolean => {
    // A member that was not sent is not converted, except with `@Expose()`.
    const arrives =
      value === undefined && !isReadUnsent(dto, taker.name) ? value : convert(conversions, taker.name, value);
    return arrives !== UNKNOWN && !(arrives instanceof Error) && refuses(arrives);
  };
  const optional = 'add @IsOptional() there';
  const ofMissing = !isRequired && defaults.length === 0 && rules.find((rule) => isRefused(undefined, rule));
  if (ofMissing) throw refusal(taker, field, ofMissing, 'may be missing', `${optional}, or require it here`);
  if (isReadOnly) return;
  const ofNull = acceptsNull() && rules.find((rule) => isRefused(null, rule));
  if (ofNull) throw refusal(taker, field, ofNull, 'may be null', `${optional}, or forbid null here`);
  if (types.join() !== 'array' || !accepts([null])) return;
  const ofItem = rules.find((rule) => rule.isOfItems && isRefused([null], rule));
  if (ofItem)
    throw refusal(taker, field, ofItem, 'may be a list with null', 'loosen the rule there, or forbid null here');
}

function refusal(
  { place, name }: Taker,
  { position }: DeclaredField,
  rule: MemberRule,
  words: string,
  advice: string,
): StartError {
  return new StartError(
    `${position} ${name} ${words} here, but the rule ${rule.name} in ${place} refuses that; ${advice}.`,
  );
}

function arrivalOf({ name, isText }: Taker, dto: Type<object>, field: DeclaredField): Arrival {
  const conversions = conversionsOf(dto, name);
  const isList = field.types.join() === 'array';
  const [type = '', ...others] = isList ? field.itemTypes : field.types;
  const isKnown = others.length === 0 && field.types.length === 1 && !isCollection(dto, name);
  if (conversions.length > 0) {
    const isBigint = isKnown && type === 'integer' && !isList && typeof convert(conversions, name, 7) === 'bigint';
    return { isList, kinds: isBigint ? ['bigint'] : [] };
  }
  if (!isKnown) return { isList, kinds: [] };
  if (!hasType(dto, name)) {
    return isText
      ? { isList, kinds: ['text'], convert: String }
      : { isList, kinds: kindsOf(type, field.exceedsNumber), convert: (value) => value };
  }
  const made = MADE.get(typeOf(dto, name));
  if (!made) return { isList, kinds: makesObjects(dto, name) ? ['object'] : [] };
  const make = (value: unknown): unknown => (Array.isArray(value) ? value.map(make) : made.make(value));
  return { isList, kinds: [made.kind], convert: make };
}

/** class-transformer makes a Set or a Map of the values, whatever type the decorators name. */
function isCollection(dto: Type<object>, name: string): boolean {
  const type: unknown = Reflect.getMetadata('design:type', dto.prototype as object, name);
  return type === Set || type === Map;
}

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
