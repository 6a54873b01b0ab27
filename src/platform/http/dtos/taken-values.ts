import type { Type } from '@nestjs/common';
import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import { conversionsOf } from '../../validation/compile-dto.js';
import { isReadUnsent } from '../../validation/dropped-members.js';
import { hasType, typeOf } from '../../validation/nested-dto.js';
import { assertConversionKeeps } from './conversion-samples.js';
import { assertMilliseconds, assertTime } from './taken-times.js';
import type { Taker } from './taker.js';

/** The types of the contract whose values have a TypeScript type without a conversion. */
const VALUES = new Map<unknown, readonly string[]>([
  [String, ['string']],
  [Number, ['integer', 'number']],
  [Boolean, ['boolean']],
  [Array, ['array']],
  [BigInt, []],
  [Date, []],
  [Map, []],
  [Set, []],
]);

/** The types that class-transformer converts to a TypeScript type without a loss. Text keeps all digits of a bigint. */
const CONVERTED = new Map<unknown, readonly string[]>([
  ...VALUES,
  [String, ['string', 'integer', 'number', 'boolean']],
  [Date, ['string', 'integer', 'number']],
  [Map, ['object']],
  // Those of its items.
  [Set, ['string', 'integer', 'number', 'boolean']],
]);

const TEXT = ['string'];

/** Throws a StartError for a member of a DTO whose type the declared values do not have; its decorators may convert it. */
export function assertMember(dto: Type<object>, name: string, field: DeclaredField, isText: boolean): void {
  const taker = { place: dto.name, name, isText };
  const conversions = conversionsOf(dto, name);
  const declaredType: unknown = Reflect.getMetadata('design:type', dto.prototype as object, name);
  const values = isText ? TEXT : field.types;
  if (hasType(dto, name)) {
    const type = typeOf(dto, name);
    assertDigits(taker, field, type);
    const declared = field.types.flatMap((one) => (one === 'array' ? field.itemTypes : one));
    // class-transformer converts the text of a path to a number correctly, but converts "false" to true.
    const types = isText && type !== Number ? TEXT : declared;
    assertFits(taker, field.position, types, type, CONVERTED);
    if (type === Date) {
      assertTime(taker, field);
      assertMilliseconds(taker, field);
    }
  } else if (conversions.length === 0) {
    assertDigits(taker, field, declaredType);
    assertItemDigits(taker, field, declaredType);
    assertFurtherDigits(taker, field, declaredType);
    assertFits(taker, field.position, values, declaredType);
  }
  if (conversions.length === 0) assertForm(taker, field.position, values, declaredType);
  assertConversionKeeps(taker, field, conversions, {
    isTyped: hasType(dto, name),
    isReadUnsent: isReadUnsent(dto, name),
  });
}

/** Throws a StartError for an integer that would be rounded, or that a Date cannot be made of. */
export function assertDigits({ place, name }: Taker, { position, exceedsNumber }: DeclaredField, type: unknown): void {
  if ((type !== Number && type !== Date) || !exceedsNumber) return;
  throw new StartError(
    `${position} ${name} may be beyond 2^53 here, but ${place} makes it a ${type === Date ? 'Date' : 'number'}, which loses digits; take it with a pipe or a field that keeps them, or limit it here.`,
  );
}

/** Throws a StartError for a list in which numbers and bigints would be mixed, whatever type its items have in the code. */
export function assertItemDigits(
  { place, name }: Taker,
  { position, types, exceedsNumber }: DeclaredField,
  type: unknown,
): void {
  if (type !== Array || !types.includes('array') || !exceedsNumber) return;
  throw new StartError(
    `${position} ${name} is a list whose items may be beyond 2^53 here, so that ${place} would get numbers and bigints mixed; convert them with a pipe, or in a DTO with @Transform(({ value }) => value?.map(BigInt)), or limit the items here.`,
  );
}

/**
 * Throws a StartError for an object whose further members would mix numbers and bigints, whatever type they have in the
 * code: TypeScript emits a Record as Object.
 */
export function assertFurtherDigits(
  { place, name }: Taker,
  { position, types, exceedsNumber }: DeclaredField,
  type: unknown,
): void {
  if (type !== Object || types.join() !== 'object' || !exceedsNumber) return;
  throw new StartError(
    `${position} ${name} is an object whose members may be beyond 2^53 here, so that ${place} would get numbers and bigints mixed; convert them with a pipe, or in a DTO with @Transform(), or limit the members here.`,
  );
}

/** Throws a StartError unless values of all these types of the contract have a type. */
export function assertFits(
  taker: Taker,
  position: string,
  types: readonly string[],
  type: unknown,
  fitting: ReadonlyMap<unknown, readonly string[]> = VALUES,
): void {
  const fits = fitting.get(type);
  const other = fits && types.find((one) => !fits.includes(one));
  if (other !== undefined) throw misfit(taker, position, other, nameOf(type));
}

/** False for an arrow function: compilers of single files may emit one that has the name of a type. */
function isClass(type: unknown): type is Type<unknown> {
  return typeof type === 'function' && type.prototype !== undefined;
}

/**
 * Throws a StartError for a list that is taken as one value, and the reverse. TypeScript emits a union as Object, which
 * says nothing. With a `@Type()`, class-transformer makes a Set of a list; `assertFits` refuses a Set without one.
 */
export function assertForm(taker: Taker, position: string, types: readonly string[], type: unknown): void {
  if (!isClass(type) || type === Object) return;
  const isList = type === Set || 'push' in (type.prototype as object);
  const other = types.find((one) => (one === 'array') !== isList);
  if (other !== undefined) throw misfit(taker, position, other, nameOf(type));
}

/** Throws a StartError if a handler takes a DTO, or a list of it, although some declared value cannot be one. */
export function assertDtoFits(
  taker: Taker,
  { position, types, acceptsNull }: DeclaredField,
  dto: Type<object>,
  { isList, takesNull }: { readonly isList: boolean; readonly takesNull: boolean },
): void {
  const name = isList ? `a list of ${dto.name}` : dto.name;
  const other = types.find((one) => one !== (isList ? 'array' : 'object'));
  if (other !== undefined) throw misfit(taker, position, other, name);
  if (takesNull || !acceptsNull()) return;
  throw new StartError(
    `${position} ${taker.name} may be null here, but ${taker.place} takes it as ${name}, and would refuse null; take it without a DTO, or forbid null here.`,
  );
}

export function misfit(
  { place, name, isText, isHeader = false }: Taker,
  position: string,
  given: string,
  taken: string,
): StartError {
  const what = isText && given === 'string' ? 'text' : `of the type ${given}`;
  const advice = isHeader
    ? 'take it as a string, and convert it in the handler, because Nest runs no pipes for headers'
    : 'give it the type that it has, or convert it with a pipe, @Transform() or a field of the platform';
  return new StartError(`${position} ${name} is ${what} here, but ${place} takes it as ${taken}; ${advice}.`);
}

export function nameOf(type: unknown): string {
  // A class, because it is a key of a table above or a function that TypeScript emitted as a type.
  return (type as Type<object>).name;
}
