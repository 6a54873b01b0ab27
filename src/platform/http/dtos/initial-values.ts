import type { Type } from '@nestjs/common';
import type { DeclaredField, DeclaredFields } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import { conversionsOf } from '../../validation/compile-dto.js';
import { convert, show, UNKNOWN } from './conversion-samples.js';

/**
 * Throws a StartError for an optional member that a DTO begins with, unless it is the default of the contract. The handler
 * would take it for what was sent, as in a PATCH, whose DTO inherits the initial values of another. A default of the
 * contract always replaces it. A required member is always sent.
 */
export function assertInitialValues(type: Type<object>, declared: DeclaredFields, begun: Begun): void {
  for (const [name, field] of declared.named) {
    if (field.isRequired || field.isReadOnly || !Object.hasOwn(begun, name)) continue;
    const value = begun[name];
    if (value !== undefined) assertIsDefault(type, name, value, field);
  }
}

export type Begun = Readonly<Record<string, unknown>>;

/** A new object, as each request makes one. */
export function begin(type: Type<object>, { position }: DeclaredFields): Begun {
  try {
    return new type() as Begun;
  } catch (error) {
    throw new StartError(
      `${position} ${type.name} fails when it is made without arguments (${String(error)}), as each request would make it; let its constructor accept that, or take this without a DTO.`,
    );
  }
}

function assertIsDefault(
  type: Type<object>,
  name: string,
  value: unknown,
  { position, defaults }: DeclaredField,
): void {
  const [fallback] = defaults;
  const begins = `${position} ${name} begins as ${shown(value)} in ${type.name}, but has`;
  if (defaults.length === 0) {
    throw new StartError(`${begins} no default here; remove the initial value, or declare the default.`);
  }
  const conversions = conversionsOf(type, name);
  // A field of an int64 makes a bigint of its default, as of any value.
  const isDefault = (one: unknown): boolean => {
    const converted = convert(conversions, name, one);
    return converted === UNKNOWN || isSame(value, one) || isSame(value, converted);
  };
  if (defaults.some(isDefault)) return;
  throw new StartError(`${begins} the default ${shown(fallback)} here; remove the initial value, or make them equal.`);
}

/** The contract fills in the members of an object, whatever it begins with. */
function isSame(value: unknown, fallback: unknown): boolean {
  if (Array.isArray(value) && Array.isArray(fallback)) {
    return value.length === fallback.length && value.every((item, at) => isSame(item, fallback[at]));
  }
  if (value instanceof Date) {
    const time = typeof fallback === 'bigint' ? Number(fallback) : fallback;
    return value.getTime() === new Date(time as string | number | Date).getTime();
  }
  if (isObject(value) && isObject(fallback)) return true;
  return value === fallback;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  return isObject(value) && !Array.isArray(value) && !(value instanceof Date) ? 'an object' : show(value);
}
