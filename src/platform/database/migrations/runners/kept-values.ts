import type Database from 'better-sqlite3';
import type { TableColumn } from 'typeorm';
import { quote } from '../../tables/columns/table-columns.js';
import { CHANGES_VALUE, hasOtherDigits, MOST_DIGITS, noTime, TIME_TEXT } from './changed-values.js';

/** An integer is a bigint. */
type Value = bigint | number | string | Buffer;

const TIME = new RegExp(TIME_TEXT);
const DECIMAL = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?\s*$/i;

/** SQLite converts or keeps any value. Throws an error for one that would not stay the same in the new type of its column. */
export function refuseChangedValues(
  connection: Database.Database,
  table: string,
  column: TableColumn,
  wanted: TableColumn,
  type: string,
): void {
  if (column.generatedType !== undefined || wanted.generatedType !== undefined) return;
  const isSame = column.type === wanted.type && column.length === wanted.length && !hasOtherDigits(column, wanted);
  if (isSame) return;
  const cell = quote(column.name);
  const rows = connection
    .prepare(`SELECT ${cell} FROM ${quote(table)} WHERE ${cell} IS NOT NULL`)
    .safeIntegers()
    .pluck()
    .iterate() as IterableIterator<Value>;
  for (const value of rows) {
    const reason = lossOf(value, wanted);
    if (reason === undefined) continue;
    throw new Error(
      `The column ${cell} of ${quote(table)} cannot become ${type} (${reason}); correct its values before, or add another column instead, such as ${quote(`new_${wanted.name}`)}, and fill it with UPDATE`,
    );
  }
}

/** A value of another kind, such as text for a number, stays what it is, and is refused when all migrations have run. */
function lossOf(value: Value, wanted: TableColumn): string | undefined {
  switch (wanted.type) {
    case 'datetime':
      return isTime(value, wanted) ? undefined : noTime(wanted);
    case 'integer':
    case 'bigint':
      return typeof value !== 'number' || Number.isInteger(value) ? undefined : CHANGES_VALUE;
    case 'double precision':
      return isDouble(value) ? undefined : CHANGES_VALUE;
    case 'numeric':
    case 'decimal':
      return hasScale(value, wanted) ? undefined : CHANGES_VALUE;
    case 'varchar':
    case 'text':
      return isShort(value, wanted) ? undefined : CHANGES_VALUE;
    default:
      return undefined;
  }
}

function isTime(value: Value, { precision }: TableColumn): boolean {
  if (typeof value !== 'string' || !TIME.test(value)) return false;
  const [, digits = ''] = /\.(\d+)/.exec(value) ?? [];
  return digits.replace(/0+$/, '').length <= (precision ?? MOST_DIGITS);
}

function isDouble(value: Value): boolean {
  if (typeof value === 'bigint') return BigInt(Number(value)) === value;
  if (typeof value !== 'string') return true;
  return decimalOf(value) === undefined || decimalOf(value) === decimalOf(String(Number(value)));
}

function hasScale(value: Value, { precision, scale }: TableColumn): boolean {
  const decimal = decimalOf(String(value));
  if (decimal === undefined || (precision ?? undefined) === undefined) return true;
  return Number(decimal.split('e')[1]) >= -(scale ?? 0);
}

/** Counts code points, as PostgreSQL does. SQLite ignores the length of a text, and keeps all digits of a number in one. */
function isShort(value: Value, { length }: TableColumn): boolean {
  return length === '' || new RegExp(`^.{0,${length}}$`, 'su').test(String(value));
}

/** Equal for equal numbers: `-12e-1`, without zeros at the end of the digits. Undefined for a text that is no number. */
function decimalOf(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (whole + fraction === '') return undefined;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0e0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign === '-' ? '-' : ''}${significant}e${power}`;
}
