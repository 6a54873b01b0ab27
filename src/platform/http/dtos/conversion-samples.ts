import { TransformationType } from 'class-transformer';
import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import type { conversionsOf } from '../../validation/compile-dto.js';
import { loneMember } from '../../validation/lone-member.js';
import { assertMilliseconds } from './taken-times.js';
import { samplesOf, textsOf, UNSAFE } from './sample-values.js';
import type { Taker } from './taker.js';

type Conversions = ReturnType<typeof conversionsOf>;

/** What class-transformer does to a member beside its conversions. */
export interface Reading {
  /** Whether a `@Type()` makes another value of it before. Only null stays what it is. */
  readonly isTyped: boolean;
  /** Whether conversions run although the member was not sent. */
  readonly isReadUnsent: boolean;
}

/**
 * Runs the `@Transform`s of a member with values that its schema accepts. Throws a StartError for one that expects text
 * where the contract has made a boolean, a number or a list of it, and so changes or drops it, or fails; and for one that
 * makes a value of null, or of a member that was not sent.
 */
export function assertConversionKeeps(
  taker: Taker,
  field: DeclaredField,
  conversions: Conversions,
  { isTyped, isReadUnsent }: Reading,
): void {
  if (!conversions.some(runs) || field.isReadOnly) return;
  const run = (sample: unknown) => convert(conversions, taker.name, sample);
  for (const value of samplesOf(field)) {
    const sample = taker.isText ? String(value) : value;
    const outcome = run(sample);
    if (outcome !== UNKNOWN && !isKept(value, outcome)) throw misconverted(taker, field, sample, outcome);
  }
  const texts = isTyped ? [] : textsOf(field).map((text) => [text, run(text)] as const);
  const [failed] = texts;
  // Some texts may break a rule of the DTO, which runs later; what fails for all of them takes no text at all.
  if (failed && texts.every(([, outcome]) => outcome instanceof Error)) throw misconverted(taker, field, ...failed);
  if (!isTyped) assertMilliseconds(taker, field, (time) => run(time) instanceof Date);
  assertKeepsNothing(taker, field, run, isReadUnsent);
}

function misconverted({ name, place }: Taker, { position }: DeclaredField, sample: unknown, outcome: unknown): Error {
  return new StartError(
    `${position} @Transform() of ${name} in ${place} ${outcomeOf(sample, outcome)}, but the contract has read this value already; return it unchanged, or remove @Transform().`,
  );
}

/** What a conversion makes of nothing is stored as if it had been sent. */
function assertKeepsNothing(
  { name, place }: Taker,
  { position, types, accepts, acceptsNull, isRequired, defaults }: DeclaredField,
  run: (sample: unknown) => unknown,
  isReadUnsent: boolean,
): void {
  const nulls = [acceptsNull() && null, types.includes('array') && accepts([null]) && [null]];
  for (const sample of nulls.filter((one) => one !== false)) {
    const outcome = run(sample);
    // Undefined is what an optional member is that was not sent: a change to null would then change nothing.
    const isLost = sample === null && outcome === undefined && !isRequired && defaults.length === 0;
    if (outcome === UNKNOWN || (isNothing(outcome) && !isLost)) continue;
    throw new StartError(
      `${position} @Transform() of ${name} in ${place} ${outcomeOf(sample, outcome)}, which is valid here; return null for null there, or forbid null here.`,
    );
  }
  const ofUnsent = isReadUnsent && !isRequired && defaults.length === 0 ? run(undefined) : UNKNOWN;
  if (ofUnsent === UNKNOWN || ofUnsent === undefined) return;
  throw new StartError(
    `${position} @Transform() of ${name} in ${place} ${outcomeOf(undefined, ofUnsent)}, which it gets without ${name} because of @Expose(); return undefined for undefined there, or remove @Expose().`,
  );
}

/** Whether a conversion of null, or of a list with null, returns null as well. It may drop a null in a list. */
function isNothing(outcome: unknown): boolean {
  return outcome === null || outcome === undefined || (Array.isArray(outcome) && outcome.every(isNothing));
}

function outcomeOf(sample: unknown, outcome: unknown): string {
  return outcome instanceof Error ? `fails for ${show(sample)}` : `makes ${show(outcome)} of ${show(sample)}`;
}

/** A conversion that depends on other members, which have no samples. */
export const UNKNOWN = Symbol('unknown');

/** Returns the error if a conversion fails because of the type of the value. */
export function convert(conversions: Conversions, name: string, sample: unknown): unknown {
  const { object: obj, isAskedForMore } = loneMember(name, sample);
  let value = sample;
  try {
    for (const { transformFn } of conversions.filter(runs)) {
      value = transformFn({ value, key: name, obj, type: TransformationType.PLAIN_TO_CLASS, options: {} });
    }
  } catch (error) {
    return !isAskedForMore() && isOfType(error, sample) ? error : UNKNOWN;
  }
  return isAskedForMore() ? UNKNOWN : value;
}

/** A conversion with groups never runs, because no request names a group. */
function runs({ options }: Conversions[number]): boolean {
  return (options?.groups ?? []).length === 0;
}

/** A value of the right type may be out of range for a conversion; nothing is in no range. */
function isOfType(error: unknown, sample: unknown): boolean {
  if (error instanceof RangeError) return sample === null || sample === undefined;
  return error instanceof TypeError || error instanceof SyntaxError;
}

/** Whether a value survives its conversion. A conversion to another type may be intended. */
function isKept(value: unknown, converted: unknown): boolean {
  if (converted === undefined || converted instanceof Error || Number.isNaN(converted)) return false;
  if (Array.isArray(value)) return !Array.isArray(converted) || value.every((item, at) => isKept(item, converted[at]));
  if (typeof value === 'boolean') return converted === value || typeof converted !== 'boolean';
  return value !== UNSAFE || typeof converted !== 'number';
}

export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return Array.isArray(value) ? `[${value.map(show).join(', ')}]` : String(value);
}
