import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { entityError, nameOf } from './entity-error.js';

/** By the engine's name of a type: what TypeScript emits for properties that have its values. */
const CLASSES = new Map<string, Function>([
  ['text', String],
  ['varchar', String],
  ['character varying', String],
  ['bigint', BigInt],
  ['integer', Number],
  ['boolean', Boolean],
  ['double precision', Number],
  ['datetime', Date],
  ['timestamp without time zone', Date],
  ['numeric', String],
  ['decimal', String],
]);

/**
 * Throws a StartError for a property whose type is not that of the values which a column without a transformer reads and
 * writes. A type without a class of its own, such as that of a union, may have them.
 */
export function assertPropertyType(column: ColumnMetadata, type: string): void {
  const expected = column.type === 'simple-json' ? undefined : CLASSES.get(type);
  const { target, propertyName, entityMetadata } = column;
  const declared: unknown =
    typeof target === 'function'
      ? Reflect.getMetadata('design:type', target.prototype as object, propertyName)
      : undefined;
  // SWC emits the object of an imported enumeration.
  if (!expected || typeof declared !== 'function' || declared === Object || declared === expected) return;
  throw entityError(entityMetadata, propertyName, sentence(nameOf(column), type, expected));
}

function sentence(name: string, type: string, expected: Function): string {
  if (expected === BigInt) {
    return `${name} holds 64 bits, which are a bigint in the code; declare its type "bigint", and @Column(INT64).`;
  }
  const needed = expected === Date ? 'Date' : expected.name.toLowerCase();
  return `The values of ${name} have the type "${needed}" in the code, because its column has the type "${type}"; declare it so, or give the column a transformer.`;
}
