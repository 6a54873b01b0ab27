import type { Type } from '@nestjs/common';
import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import { conversionsOf } from '../../validation/compile-dto.js';
import { isReadUnsent, isRenamed } from '../../validation/dropped-members.js';
import type { MemberRule } from '../../validation/member-rules.js';
import { convert, UNKNOWN } from './conversion-samples.js';
import type { Begun } from './initial-values.js';
import { arrivalOf } from './rule-arrival.js';
import { trialsOf } from './rule-trials.js';
import type { Taker } from './taker.js';

/**
 * Throws a StartError for a rule of class-validator that refuses a value which the schema names (a bound, a length, a value
 * of an enumeration, a default), null where it is valid, a member that may be missing, or all values of the declared type.
 * A rule may be stricter where the schema is silent, and is not tried where a conversion makes other values of those that
 * are received.
 */
export function assertRulesAccept(
  taker: Taker,
  dto: Type<object>,
  field: DeclaredField,
  all: readonly MemberRule[] = [],
): void {
  // Our own are compared with a schema that is one, except in a path.
  const rules = all.filter(({ own }) => !own || !field.schema || taker.isText);
  if (rules.length === 0) return;
  const own = rules.find((rule) => rule.own)?.own;
  assertAcceptNothing(taker, dto, field, rules);
  if (field.isReadOnly) return;
  for (const { words, arrivals, concerns, advice = 'loosen the rule there' } of trialsOf(
    field,
    arrivalOf(taker, dto, field, own),
  )) {
    const rule = rules.filter(concerns).find(({ refuses }) => arrivals.every((one) => refuses(one)));
    if (rule) throw refusal(taker, field, rule, `may be ${words}`, `${advice}, or forbid that here`);
  }
}

/**
 * Throws a StartError for a rule that refuses a request without a member that the contract does not declare: no caller knows
 * of it. `position` is where the others are declared.
 */
export function assertAcceptsUnsent(
  dto: Type<object>,
  name: string,
  position: string,
  begun: Begun,
  rules: readonly MemberRule[] = [],
): void {
  // Its value comes from other members.
  if (name in (dto.prototype as object) || isRenamed(dto, name)) return;
  const arrives = isReadUnsent(dto, name) ? convert(conversionsOf(dto, name), name, undefined) : begun[name];
  if (arrives === UNKNOWN) return;
  const rule = rules.find(({ refuses }) => arrives instanceof Error || refuses(arrives));
  if (!rule) return;
  const what = arrives instanceof Error ? '@Transform()' : `the rule ${rule.name}`;
  throw new StartError(
    `${position} ${name} is not declared here, but ${what} in ${dto.name} refuses requests without it; declare it here, add @IsOptional() or a default there, or remove it there.`,
  );
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
  if (!ofItem) return;
  const loosening = ofItem.name === NESTED ? 'take it with @IsArray() alone there' : 'loosen the rule there';
  throw refusal(taker, field, ofItem, 'may be a list with null', `${loosening}, or forbid null here`);
}

/** `@ValidateNested()`, which nothing loosens. */
const NESTED = 'nestedValidation';

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
