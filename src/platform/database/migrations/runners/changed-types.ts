import type { TableColumn } from 'typeorm';
import { EXACT_DIGITS } from '../../tables/columns/column-codecs.js';
import { quote } from '../../tables/columns/table-columns.js';

/** The types that a change may widen or keep, by each of their names. */
const TYPES: Readonly<Record<string, string>> = {
  text: 'text',
  'simple-json': 'text',
  varchar: 'text',
  'character varying': 'text',
  int: 'integer',
  int4: 'integer',
  integer: 'integer',
  int8: 'bigint',
  bigint: 'bigint',
  int2: 'smallint',
  float: 'double precision',
  float8: 'double precision',
  numeric: 'decimal',
  decimal: 'decimal',
  datetime: 'time',
  timestamp: 'time',
  'timestamp without time zone': 'time',
  bool: 'boolean',
};

/** Digits of a second that a time has without a precision. */
const MOST_DIGITS = 6;

interface ColumnSize {
  /** Characters of a text, or digits before the point; Infinity without a limit. */
  readonly whole: number;
  /** Digits after the point. */
  readonly fraction: number;
}

/** The type of a column by one name on both engines; as it is for a type that they do not share. */
export function typeOf({ type, isArray }: TableColumn): string {
  // On SQLite, TypeORM leaves "(3)" in the names of some types.
  const name = type.replace(/\s*\(.*$/, '').toLowerCase();
  return `${TYPES[name] ?? name}${isArray ? '[]' : ''}`;
}

/**
 * Throws an error unless each value of a column stays as it is: with the same type, or with a longer text, a bigint for an
 * integer, or a decimal of more digits. SQLite and PostgreSQL convert others differently, and the previous release, which
 * runs beside the migration, would read and write other values.
 */
export function refuseOtherTypes(
  table: string,
  column: TableColumn,
  wanted: TableColumn,
  fullTypeOf: (column: TableColumn) => string,
): void {
  if (hasSameSource(column, wanted) && (hasSameType(column, wanted) || isWider(column, wanted))) return;
  throw new Error(
    `The column ${quote(column.name)} of ${table} cannot change from ${nameOf(column, fullTypeOf)} to ${nameOf(wanted, fullTypeOf)}, because changeColumn only makes a text longer, an integer a bigint, or gives a decimal more digits; add another column instead, such as ${quote(`new_${wanted.name}`)}, fill it with a statement, and drop ${quote(column.name)} one release later`,
  );
}

/** Whether the database lets the same values in, and generates the same. */
function hasSameSource(column: TableColumn, wanted: TableColumn): boolean {
  return (
    (column.enum === undefined) === (wanted.enum === undefined) &&
    column.generatedType === wanted.generatedType &&
    column.asExpression === wanted.asExpression
  );
}

/** Whether both columns hold the same values. */
export function hasSameType(column: TableColumn, wanted: TableColumn): boolean {
  const [before, after] = [sizeOf(column), sizeOf(wanted)];
  return typeOf(column) === typeOf(wanted) && before.whole === after.whole && before.fraction === after.fraction;
}

function isWider(column: TableColumn, wanted: TableColumn): boolean {
  const [before, after] = [sizeOf(column), sizeOf(wanted)];
  switch (`${typeOf(column)} to ${typeOf(wanted)}`) {
    case 'integer to bigint':
      return true;
    case 'text to text':
      return after.whole >= before.whole;
    case 'decimal to decimal':
      return (
        after.whole >= before.whole && after.fraction >= before.fraction && after.whole + after.fraction <= EXACT_DIGITS
      );
    default:
      return false;
  }
}

/** How many characters or digits a value of the column has. */
export function sizeOf(column: TableColumn): ColumnSize {
  const { type, length } = column;
  const [, size, digits] = /\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)/.exec(type) ?? [];
  const precision = column.precision ?? (size === undefined ? undefined : Number(size));
  const scale = column.scale ?? (digits === undefined ? undefined : Number(digits));
  switch (typeOf(column)) {
    case 'text':
      return { whole: Number(length || size || Infinity), fraction: 0 };
    case 'decimal':
      return { whole: (precision ?? Infinity) - (scale ?? 0), fraction: scale ?? 0 };
    case 'time':
      return { whole: 0, fraction: precision ?? MOST_DIGITS };
    default:
      return { whole: 0, fraction: 0 };
  }
}

function nameOf(column: TableColumn, fullTypeOf: (column: TableColumn) => string): string {
  const type = fullTypeOf(column);
  if (column.enum) return `${type}, an enum`;
  return column.generatedType === undefined ? type : `${type}, generated as ${column.asExpression}`;
}
