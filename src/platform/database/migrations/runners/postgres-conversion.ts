import type { TableColumn } from 'typeorm';
import { quote } from '../../tables/columns/table-columns.js';
import { CHANGES_VALUE, hasOtherDigits, MOST_DIGITS, noTime, TIME_TEXT } from './changed-values.js';

/** How PostgreSQL gives a column another type. */
export interface Conversion {
  /** The expression of the new value; undefined where PostgreSQL has a conversion that refuses what it cannot keep. */
  readonly using?: string;
  /** Holds for each value that stays the same; undefined where each one does, or is refused by PostgreSQL. */
  readonly isSame?: string;
  /** Why another value is refused. */
  readonly reason: string;
}

const TEXTS = new Set(['text', 'character varying', 'character']);
const INTEGERS = new Set(['smallint', 'integer', 'bigint']);
const FLOATS = new Set(['real', 'double precision']);
const NUMBERS = new Set([...INTEGERS, ...FLOATS, 'numeric']);
/** Each text of a value is one of these, or refused. JSON has no equality. */
const EXACT = new Set(['boolean', 'json', 'jsonb']);
const TIMESTAMP = 'timestamp without time zone';

/** `types` are the full types of both columns, for casts. */
export function conversionOf(
  column: TableColumn,
  wanted: TableColumn,
  types: readonly [before: string, after: string],
): Conversion {
  const cell = quote(column.name);
  const text = `${cell}::text`;
  if (wanted.isArray || column.isArray) return converted(`${text}::${types[1]}`, types[0], cell);
  // PostgreSQL converts every value to a text, and refuses one that is too long, which an explicit cast would cut off.
  if (TEXTS.has(wanted.type)) return { ...textConversion(column, wanted, text), reason: CHANGES_VALUE };
  // Without an expression, PostgreSQL does not write the table again.
  if (isWider(column, wanted)) return { reason: CHANGES_VALUE };
  const [before, after] = types;
  if (TEXTS.has(column.type)) return fromText(text, wanted, after);
  if (EXACT.has(wanted.type) || EXACT.has(column.type)) return { using: `${text}::${after}`, reason: CHANGES_VALUE };
  // The text of a double may have an exponent, which no text of an integer has.
  const through = INTEGERS.has(wanted.type) && NUMBERS.has(column.type) ? '::numeric' : '';
  // A cast of a double to numeric keeps 15 digits.
  const back = FLOATS.has(wanted.type) && column.type === 'numeric' ? `text::${before}` : before;
  return converted(`${text}${through}::${after}`, back, cell);
}

function converted(using: string, back: string, cell: string): Conversion {
  return { using, isSame: `(${using})::${back} = ${cell}`, reason: CHANGES_VALUE };
}

/** PostgreSQL cuts off spaces, and refuses to cut off anything else. */
function textConversion(column: TableColumn, wanted: TableColumn, text: string): Pick<Conversion, 'isSame'> {
  const length = Number(wanted.length);
  const isNarrower = length > 0 && !(Number(column.length) > 0 && Number(column.length) <= length);
  return TEXTS.has(column.type) && isNarrower ? { isSame: `substr(${text}, ${length + 1}) !~ '^ +$'` } : {};
}

function fromText(text: string, wanted: TableColumn, type: string): Conversion {
  const using = `${text}::${type}`;
  const { type: after } = wanted;
  if (after === TIMESTAMP)
    return { using, isSame: `${text} ~ '${TIME_TEXT}' AND ${text}::timestamp = ${using}`, reason: noTime(wanted) };
  const exact = exactValue(text, after);
  if (exact === undefined) return { using, reason: CHANGES_VALUE };
  return { using, isSame: `${exact} = (${using})${FLOATS.has(after) ? '::text::numeric' : ''}`, reason: CHANGES_VALUE };
}

/** What the text says, in a type that holds all of it; undefined where PostgreSQL refuses what the new type does not hold. */
function exactValue(text: string, after: string): string | undefined {
  if (FLOATS.has(after) || after === 'numeric') return `${text}::numeric`;
  if (after === 'timestamp with time zone') return `${text}::timestamptz`;
  return after === 'date' ? `${text}::timestamp` : undefined;
}

/** Whether the column only gets more digits. */
function isWider(column: TableColumn, wanted: TableColumn): boolean {
  if (column.type !== wanted.type) return false;
  if (!hasOtherDigits(column, wanted)) return true;
  if (wanted.type !== 'numeric') return (wanted.precision ?? MOST_DIGITS) >= (column.precision ?? MOST_DIGITS);
  const [before, after] = [digitsOf(column), digitsOf(wanted)];
  return after.whole >= before.whole && after.fraction >= before.fraction;
}

/** Without a precision, a numeric has any number of digits. */
function digitsOf({ precision, scale }: TableColumn): { readonly whole: number; readonly fraction: number } {
  if (typeof precision !== 'number') return { whole: Infinity, fraction: Infinity };
  return { whole: precision - (scale ?? 0), fraction: scale ?? 0 };
}
