import type { Type } from '@nestjs/common';
import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import { conversionsOf } from '../../validation/compile-dto.js';
import { type MemberRule, memberRulesOf } from '../../validation/member-rules.js';
import { hasType, typeOf } from '../../validation/nested-dto.js';
import { convert, show, UNKNOWN } from './conversion-samples.js';
import { trialsOf } from './rule-trials.js';
import type { Taker } from './taker.js';

/** Rules that may compare with the time of the start. */
const OF_TIMES = new Set(['minDate', 'maxDate']);

/**
 * Runs the rules of class-validator for a member with values that its schema accepts. Throws a StartError for a rule that
 * refuses a value which the schema names (a bound, a length, a value of an enumeration, a default), null where it is valid,
 * a member that may be missing, or all values of the declared type. A rule may be stricter where the schema is silent.
 */
export function assertRulesAccept(taker: Taker, dto: Type<object>, field: DeclaredField): void {
  const rules = memberRulesOf(dto, taker.name).filter(({ name }) => !OF_TIMES.has(name));
  if (rules.length === 0) return;
  const arriving = arrivalOf(taker, dto);
  for (const { samples, judges, isAnyEnough } of trialsOf(field, arriving)) {
    const arrivals = samples.map(arriving);
    for (const rule of rules.filter(judges)) {
      const isRefused = arrivals.map((value) => value !== UNKNOWN && rule.refuses(value));
      const at = isRefused.indexOf(true);
      if (at < 0 || (isAnyEnough && isRefused.includes(false))) continue;
      throw refusal(taker, field, rule, samples[at]);
    }
  }
}

function refusal({ place, name }: Taker, { position }: DeclaredField, rule: MemberRule, sample: unknown): StartError {
  const isMissing = sample === undefined;
  const what = isMissing ? 'may be missing' : `may be ${shown(sample)}`;
  const advice = isMissing || sample === null ? 'add @IsOptional() there' : 'change the rule there';
  const other = isMissing ? 'require it here' : `forbid that here`;
  return new StartError(
    `${position} ${name} ${what} here, but the rule ${rule.name} in ${place} refuses that; ${advice}, or ${other}.`,
  );
}

function shown(sample: unknown): string {
  const size = typeof sample === 'string' || Array.isArray(sample) ? sample.length : 0;
  if (size > 40) return typeof sample === 'string' ? `text of ${size} characters` : `a list of ${size} items`;
  return typeof sample === 'object' && sample !== null && !Array.isArray(sample) ? 'an object' : show(sample);
}

/** What the rules get of a received value. UNKNOWN where that depends on other members, or is an object of a class. */
function arrivalOf({ name, isText }: Taker, dto: Type<object>): (sample: unknown) => unknown {
  const conversions = conversionsOf(dto, name);
  const isTyped = hasType(dto, name);
  const make = MAKERS.get(typeOf(dto, name));
  const typed = (value: unknown): unknown => {
    if (!isTyped || value === null || value === undefined) return value;
    if (!make) return UNKNOWN;
    return Array.isArray(value) ? value.map(typed) : make(value);
  };
  return (sample) => {
    const value = typed(isText ? String(sample) : sample);
    const converted = value === UNKNOWN ? UNKNOWN : convert(conversions, name, value);
    return converted instanceof Error ? UNKNOWN : converted;
  };
}

/** As class-transformer makes them. */
const MAKERS = new Map<unknown, (value: unknown) => unknown>([
  [String, String],
  [Number, Number],
  [Boolean, Boolean],
  [Date, (value) => new Date(value as string)],
]);
