import type { TableColumn } from 'typeorm';
import { quote } from '../../tables/columns/table-columns.js';

/** The names of types whose values both engines hold alike. */
const TYPES: Readonly<Record<string, string>> = {
  text: 'text',
  varchar: 'text',
  'character varying': 'text',
  int: 'integer',
  int4: 'integer',
  integer: 'integer',
  int8: 'bigint',
  bigint: 'bigint',
  float: 'double',
  float8: 'double',
  'double precision': 'double',
  numeric: 'decimal',
  decimal: 'decimal',
  datetime: 'time',
  timestamp: 'time',
  'timestamp without time zone': 'time',
  bool: 'boolean',
};

/** Decimal digits that a double, as SQLite stores a decimal, always keeps. */
const EXACT_DIGITS = 15;
const NUMBERS = ['integer', 'bigint', 'decimal', 'double'];

/**
 * From which types a value becomes one of this type, the same on both engines. The text of anything else differs: true is 1
 * on SQLite, and 1.50 is 1.5.
 */
const CONVERTED: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'integer', 'bigint'],
  integer: ['text', ...NUMBERS],
  bigint: ['text', ...NUMBERS],
  decimal: ['text', ...NUMBERS],
  double: ['text', ...NUMBERS],
  time: ['text', 'time'],
};

/** The type of a column by one name on both engines; as it is for a type that they do not share. */
export function typeOf({ type, isArray, precision, scale }: TableColumn): string {
  // On SQLite, TypeORM leaves "(3)" in the names of some types.
  const name = TYPES[type.replace(/\(.*$/, '')] ?? type;
  if (isArray) return `${name}[]`;
  const isExact = typeof precision === 'number' && precision <= EXACT_DIGITS && (scale ?? 0) <= precision;
  return name === 'decimal' && !isExact ? type : name;
}

/** Throws an error for a change of the type, length or digits of a column that the engines would not make alike, even without rows. */
export function refuseOtherTypes(
  table: string,
  column: TableColumn,
  wanted: TableColumn,
  fullTypeOf: (column: TableColumn) => string,
): void {
  if (CONVERTED[typeOf(wanted)]?.includes(typeOf(column))) return;
  throw new Error(
    `The column ${quote(column.name)} of ${table} cannot become ${fullTypeOf(wanted)}, because SQLite and PostgreSQL would not convert ${fullTypeOf(column)} alike; add another column instead, such as ${quote(`new_${wanted.name}`)}, fill it with a statement of your own, and drop ${quote(column.name)} one release later`,
  );
}
