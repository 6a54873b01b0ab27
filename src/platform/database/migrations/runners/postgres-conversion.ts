import type { TableColumn } from 'typeorm';
import { quote } from '../../tables/columns/table-columns.js';
import { typeOf } from './changed-types.js';
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

/** How PostgreSQL gives a column another type. */
export interface Conversion {
  /** The expression of the new value; undefined where PostgreSQL has a conversion that refuses what it cannot keep. */
  readonly using?: string;
  /** Holds for each value that stays the same; undefined where each one does, or is refused by PostgreSQL. */
  readonly isSame?: string;
  /** Why another value is refused. */
  readonly reason: string;
}

const INTEGERS = new Set(['integer', 'bigint']);

/** `types` are the full types of both columns, for casts. */
export function conversionOf(
  column: TableColumn,
  wanted: TableColumn,
  [before, after]: readonly [before: string, after: string],
): Conversion {
  const cell = quote(column.name);
  const text = `${cell}::text`;
  const [from, to] = [typeOf(column), typeOf(wanted)];
  // PostgreSQL converts every value to a text, and refuses one that is too long, which an explicit cast would cut off.
  if (to === 'text') return { ...(from === 'text' && textConversion(column, wanted, text)), reason: CHANGES_VALUE };
  // Without an expression, PostgreSQL does not write the table again.
  if (isWider(column, wanted)) return { reason: CHANGES_VALUE };
  if (from === 'text') return fromText(text, wanted, after);
  if (from === 'double' && INTEGERS.has(to)) {
    const using = `${cell}::${after}`;
    const isSame = `abs(${cell}) <= ${Number.MAX_SAFE_INTEGER} AND ${using}::${before} = ${cell}`;
    return { using, isSame, reason: NO_SAFE_INTEGER };
  }
  // A cast of a double to numeric keeps 15 digits.
  const using = `${from === 'double' ? text : cell}::${after}`;
  const back = to === 'double' && from === 'decimal' ? `text::${before}` : before;
  return { using, isSame: `(${using})::${back} = ${cell}`, reason: CHANGES_VALUE };
}

/** PostgreSQL cuts off spaces, and refuses to cut off anything else. */
function textConversion(column: TableColumn, wanted: TableColumn, text: string): Pick<Conversion, 'isSame'> {
  const length = Number(wanted.length);
  const isNarrower = length > 0 && !(Number(column.length) > 0 && Number(column.length) <= length);
  return isNarrower ? { isSame: `substr(${text}, ${length + 1}) !~ '^ +$'` } : {};
}

function fromText(text: string, wanted: TableColumn, type: string): Conversion {
  const using = `${text}::${type}`;
  switch (typeOf(wanted)) {
    case 'time':
      return { using, isSame: `${text} ~ '${TIME_TEXT}' AND ${text}::timestamp = ${using}`, reason: noTime(wanted) };
    case 'double':
      // A double would be -0 for '-0', and a numeric is 0, as a number of SQLite.
      return { using: `${text}::numeric::${type}`, isSame: `${text} ~ '${NUMBER_TEXT}'`, reason: NO_NUMBER };
    case 'decimal':
      return { using, isSame: `${text} ~ '${NUMBER_TEXT}' AND ${text}::numeric = ${using}`, reason: noDecimal(wanted) };
    default:
      return { using, isSame: `${text} ~ '${INTEGER_TEXT}'`, reason: NO_INTEGER };
  }
}

/** Whether the column only gets more digits. */
function isWider(column: TableColumn, wanted: TableColumn): boolean {
  if (typeOf(column) !== typeOf(wanted)) return false;
  if (!hasOtherDigits(column, wanted)) return true;
  if (typeOf(wanted) !== 'decimal') return (wanted.precision ?? MOST_DIGITS) >= (column.precision ?? MOST_DIGITS);
  const [before, after] = [digitsOf(column), digitsOf(wanted)];
  return after.whole >= before.whole && after.fraction >= before.fraction;
}

/** A decimal of a shared type has a precision. */
function digitsOf({ precision, scale }: TableColumn): { readonly whole: number; readonly fraction: number } {
  return { whole: Number(precision) - (scale ?? 0), fraction: scale ?? 0 };
}
