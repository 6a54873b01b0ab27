import type { TableColumn } from 'typeorm';

const DIGIT = '[0-9]';
const HOUR = `([01]${DIGIT}|2[0-3])`;
const SIXTY = `[0-5]${DIGIT}`;

/** Digits of a second that a time has without a precision. */
export const MOST_DIGITS = 6;

/**
 * A regular expression for texts of times in UTC that both engines read alike. PostgreSQL ignores an offset, and reads other
 * texts by its settings; SQLite knows no 24:00.
 */
export const TIME_TEXT = `^${DIGIT}{4}-${DIGIT}{2}-${DIGIT}{2}([ T]${HOUR}:${SIXTY}(:${SIXTY}([.]${DIGIT}{1,${MOST_DIGITS}})?)?Z?)?$`;

/** Why a change of a column is refused. */
export const CHANGES_VALUE = 'it would change a value';

export const noTime = ({ precision }: TableColumn): string =>
  `a value is no time in UTC with at most ${precision ?? MOST_DIGITS} digits of a second, such as '2026-11-25 15:00:00'`;

/** Whether both columns hold the same values but for their precision and scale. */
export function hasOtherDigits(column: TableColumn, wanted: TableColumn): boolean {
  return digitsOf(column) !== digitsOf(wanted);
}

const digitsOf = ({ precision, scale }: TableColumn): string => `${precision ?? ''},${scale ?? 0}`;
