import { TransformationType } from 'class-transformer';
import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import type { conversionsOf } from '../../validation/compile-dto.js';

/** The least integer that a number rounds. */
const UNSAFE = 9_007_199_254_740_993n;

/** What takes a value, and whether the value is text whatever its schema says, as in paths and headers. */
export interface Taker {
  readonly place: string;
  readonly name: string;
  readonly isText: boolean;
}

type Conversions = ReturnType<typeof conversionsOf>;

/**
 * Runs the `@Transform`s of a member with values that its schema accepts. Throws a StartError for one that expects text
 * where the contract has made a boolean, a number or a list of it, and so changes or drops it, or fails.
 */
export function assertConversionKeeps(taker: Taker, field: DeclaredField, conversions: Conversions): void {
  // Transforms with groups never run, because no request names a group.
  const used = conversions.filter(({ options }) => (options?.groups ?? []).length === 0);
  if (used.length === 0) return;
  for (const value of samplesOf(field)) {
    const sample = taker.isText ? String(value) : value;
    const outcome = convert(used, taker.name, sample);
    if (outcome === UNKNOWN || isKept(value, outcome)) continue;
    const shown = outcome instanceof Error ? `fails for ${show(sample)}` : `makes ${show(outcome)} of ${show(sample)}`;
    throw new StartError(
      `${field.position} @Transform() of ${taker.name} in ${taker.place} ${shown}, which is valid here and arrives as its type says; keep it there, or remove @Transform().`,
    );
  }
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

/** A conversion that depends on other members, which have no samples. */
const UNKNOWN = Symbol('unknown');

/** Returns the error if a conversion fails because of the type of the value. */
function convert(conversions: Conversions, name: string, sample: unknown): unknown {
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
    return !readsOthers && (error instanceof TypeError || error instanceof SyntaxError) ? error : UNKNOWN;
  }
  return readsOthers ? UNKNOWN : value;
}

/** Whether a value survives its conversion. A conversion to another type may be intended. */
function isKept(value: unknown, converted: unknown): boolean {
  if (converted === undefined || converted instanceof Error || Number.isNaN(converted)) return false;
  if (Array.isArray(value)) return !Array.isArray(converted) || value.every((item, at) => isKept(item, converted[at]));
  if (typeof value === 'boolean') return converted === value || typeof converted !== 'boolean';
  return value !== UNSAFE || typeof converted !== 'number';
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return Array.isArray(value) ? `[${value.map(show).join(', ')}]` : String(value);
}
