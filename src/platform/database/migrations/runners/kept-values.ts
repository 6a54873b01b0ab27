import type Database from 'better-sqlite3';
import type { TableColumn } from 'typeorm';
import { quote } from '../../tables/columns/table-columns.js';
import { refuseOtherTypes, typeOf } from './changed-types.js';
import {
  CHANGES_VALUE,
  hasOtherDigits,
  INTEGER_TEXT,
  MOST_DIGITS,
  NO_INTEGER,
  NO_NUMBER,
  NO_SAFE_INTEGER,
  noDecimal,
  noTime,
  NUMBER_TEXT,
  TIME_TEXT,
} from './changed-values.js';

/** An integer is a bigint. */
type Value = bigint | number | string | Buffer;

const TIME = new RegExp(TIME_TEXT);
const INTEGER = new RegExp(INTEGER_TEXT);
const NUMBER = new RegExp(NUMBER_TEXT);
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/;

/** How SQLite stores the values of a type. A column keeps any other value too, which PostgreSQL refuses. */
const STORED: Readonly<Record<string, readonly string[]>> = {
  text: ['string'],
  integer: ['bigint'],
  bigint: ['bigint'],
  decimal: ['bigint', 'number'],
  double: ['number'],
  time: ['string'],
};

/** SQLite converts or keeps any value. Throws an error for one that would not stay the same in the new type of its column. */
export function refuseChangedValues(
  connection: Database.Database,
  table: string,
  column: TableColumn,
  wanted: TableColumn,
  fullTypeOf: (column: TableColumn) => string,
): void {
  if (!isConverted(column, wanted)) return;
  refuseOtherTypes(quote(table), column, wanted, fullTypeOf);
  const cell = quote(column.name);
  const rows = connection
    .prepare(`SELECT ${cell} FROM ${quote(table)} WHERE ${cell} IS NOT NULL`)
    .safeIntegers()
    .pluck()
    .iterate() as IterableIterator<Value>;
  for (const value of rows) {
    const isStored = STORED[typeOf(column)]?.includes(typeof value);
    const reason = isStored ? lossOf(value, wanted) : `a value is not of the type ${fullTypeOf(column)}`;
    if (reason === undefined) continue;
    throw new Error(
      `The column ${cell} of ${quote(table)} cannot become ${fullTypeOf(wanted)} (${reason}); correct its values before, or add another column instead, such as ${quote(`new_${wanted.name}`)}, and fill it with UPDATE`,
    );
  }
}

/** The database computes the values of a generated column again. */
function isConverted(column: TableColumn, wanted: TableColumn): boolean {
  if (column.generatedType !== undefined || wanted.generatedType !== undefined) return false;
  return typeOf(column) !== typeOf(wanted) || column.length !== wanted.length || hasOtherDigits(column, wanted);
}

function lossOf(value: Value, wanted: TableColumn): string | undefined {
  switch (typeOf(wanted)) {
    case 'time':
      return isTime(value, wanted) ? undefined : noTime(wanted);
    case 'integer':
    case 'bigint':
      if (typeof value === 'string' && !INTEGER.test(value)) return NO_INTEGER;
      if (typeof value === 'number' && !Number.isSafeInteger(value)) return NO_SAFE_INTEGER;
      return isInteger(BigInt(String(value)), wanted) ? undefined : CHANGES_VALUE;
    case 'double':
      if (typeof value === 'string' && !NUMBER.test(value)) return NO_NUMBER;
      return typeof value !== 'bigint' || BigInt(Number(value)) === value ? undefined : CHANGES_VALUE;
    case 'decimal':
      if (typeof value === 'string')
        return NUMBER.test(value) && isDecimal(value, wanted) ? undefined : noDecimal(wanted);
      return isDecimal(String(value), wanted) ? undefined : CHANGES_VALUE;
    default:
      return isShort(value, wanted) ? undefined : CHANGES_VALUE;
  }
}

function isTime(value: Value, { precision }: TableColumn): boolean {
  if (typeof value !== 'string' || !TIME.test(value)) return false;
  const day = value.slice(0, 10);
  // JavaScript takes February 30 for March 2, and no month 13.
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day) return false;
  const [, digits = ''] = /\.(\d+)/.exec(value) ?? [];
  return digits.replace(/0+$/, '').length <= (precision ?? MOST_DIGITS);
}

function isInteger(value: bigint, wanted: TableColumn): boolean {
  return BigInt.asIntN(typeOf(wanted) === 'bigint' ? 64 : 32, value) === value;
}

/** SQLite keeps all digits of a number in one. */
function isDecimal(text: string, { precision, scale }: TableColumn): boolean {
  const [, , whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (whole + fraction === '') return false;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  const most = Number(precision) - (scale ?? 0);
  return significant === '' || (power >= -(scale ?? 0) && significant.length + power <= most);
}

/** Counts code points, as PostgreSQL does. SQLite ignores the length of a text. */
function isShort(value: Value, { length }: TableColumn): boolean {
  return length === '' || new RegExp(`^.{0,${length}}$`, 'su').test(String(value));
}
