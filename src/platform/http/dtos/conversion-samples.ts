import { TransformationType } from 'class-transformer';
import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import type { conversionsOf } from '../../validation/compile-dto.js';
import { assertMilliseconds } from './taken-times.js';
import type { Taker } from './taker.js';

/** The least integer that a number rounds. */
const UNSAFE = 9_007_199_254_740_993n;

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
  // Transforms with groups never run, because no request names a group.
  const used = conversions.filter(({ options }) => (options?.groups ?? []).length === 0);
  if (used.length === 0 || field.isReadOnly) return;
  const run = (sample: unknown) => convert(used, taker.name, sample);
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
    `${position} @Transform() of ${name} in ${place} ${outcomeOf(sample, outcome)}, which is valid here and arrives as its type says; keep it there, or remove @Transform().`,
  );
}

/** What a conversion makes of nothing is stored as if it had been sent. */
function assertKeepsNothing(
  { name, place }: Taker,
  { position, acceptsNull, isRequired, defaults }: DeclaredField,
  run: (sample: unknown) => unknown,
  isReadUnsent: boolean,
): void {
  const ofNull = acceptsNull() ? run(null) : UNKNOWN;
  if (ofNull !== UNKNOWN && ofNull !== null && ofNull !== undefined) {
    throw new StartError(
      `${position} @Transform() of ${name} in ${place} ${outcomeOf(null, ofNull)}, which is valid here; return null for null there, or forbid null here.`,
    );
  }
  const ofUnsent = isReadUnsent && !isRequired && defaults.length === 0 ? run(undefined) : UNKNOWN;
  if (ofUnsent === UNKNOWN || ofUnsent === undefined) return;
  throw new StartError(
    `${position} @Transform() of ${name} in ${place} ${outcomeOf(undefined, ofUnsent)}, which it gets without ${name} because of @Expose(); return undefined for undefined there, or remove @Expose().`,
  );
}

function outcomeOf(sample: unknown, outcome: unknown): string {
  return outcome instanceof Error ? `fails for ${show(sample)}` : `makes ${show(outcome)} of ${show(sample)}`;
}

/** The values to try: none where the contract accepts none of those below. */
function samplesOf({ types, itemTypes, exceedsNumber, values, accepts }: DeclaredField): unknown[] {
  const isList = types[0] === 'array';
  const [type = '', ...others] = isList ? itemTypes : types;
  if (others.length > 0 || types.length > 1) return [];
  const usual = exceedsNumber ? [UNSAFE] : (USUAL.get(type) ?? []);
  const named = type === 'number' ? values.map(Number) : values;
  const all = [...usual, ...(isList && type === 'string' ? ['text'] : []), ...named];
  const samples = (isList ? all.flatMap((item) => [[item], [item, item]]) : all).filter(accepts);
  return type === 'boolean' ? samples : samples.slice(0, 1);
}

const USUAL = new Map<string, readonly unknown[]>([
  ['boolean', [true, false]],
  ['integer', [7]],
  ['number', [1.5]],
]);

/** Texts of many forms: which of them is valid depends on the schema. */
const TEXTS = [
  'text',
  '7',
  'a-b',
  'true',
  '{}',
  '2030-12-05',
  '2030-12-05T10:30:00Z',
  '8e03978e-40d5-43dd-bc93-6894a57f9324',
  'a@example.com',
  'https://example.com/a',
];

/** The texts to try where any may be sent; those of an enumeration are tried as other values are. */
function textsOf({ types, values, schema = {}, accepts }: DeclaredField): unknown[] {
  if (types.join() !== 'string' || values.length > 0) return [];
  const { default: fallback, example, examples } = schema;
  return [fallback, example, examples]
    .flat()
    .concat(TEXTS)
    .filter((text) => typeof text === 'string' && accepts(text));
}

/** A conversion that depends on other members, which have no samples. */
export const UNKNOWN = Symbol('unknown');

/** Returns the error if a conversion fails because of the type of the value. */
export function convert(conversions: Conversions, name: string, sample: unknown): unknown {
  let readsOthers = false;
  const seen = new Proxy<Record<PropertyKey, unknown>>(
    { [name]: sample },
    { get: (target, key) => (key === name ? target[key] : void (readsOthers = true)) },
  );
  let value = sample;
  try {
    for (const { transformFn } of conversions) {
      value = transformFn({ value, key: name, obj: seen, type: TransformationType.PLAIN_TO_CLASS, options: {} });
    }
  } catch (error) {
    return !readsOthers && isOfType(error, sample) ? error : UNKNOWN;
  }
  return readsOthers ? UNKNOWN : value;
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
