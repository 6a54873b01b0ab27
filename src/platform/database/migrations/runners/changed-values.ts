import type { TableColumn } from 'typeorm';

const DIGIT = '[0-9]';
const HOUR = `([01]${DIGIT}|2[0-3])`;
const SIXTY = `[0-5]${DIGIT}`;

/** Digits of a second that a time has without a precision. */
export const MOST_DIGITS = 6;

/*
 * Regular expressions for texts that both engines read alike, as JavaScript does.
 */

/**
 * A time in UTC. PostgreSQL ignores an offset, has no year 0, and reads other texts by its settings; SQLite knows no 24:00.
 */
export const TIME_TEXT = `^(?!0000)${DIGIT}{4}-${DIGIT}{2}-${DIGIT}{2}([ T]${HOUR}:${SIXTY}(:${SIXTY}([.]${DIGIT}{1,${MOST_DIGITS}})?)?Z?)?$`;

/** PostgreSQL also reads 0x1F and 1_000, and SQLite 1e3. */
export const INTEGER_TEXT = `^[+-]?${DIGIT}+$`;

/** Of at most 15 digits, which a double keeps: the engines round others differently. */
export const NUMBER_TEXT = `^[+-]?(?=[0-9.]{1,16}$)${DIGIT}{1,15}([.]${DIGIT}{1,15})?$`;

/** Why a change of a column is refused. */
export const CHANGES_VALUE = 'it would change a value';
export const NO_INTEGER = `a value is no integer, such as '-15'`;
export const NO_NUMBER = `a value is no number of at most 15 digits without an exponent, such as '-1.5'`;
/** Beyond these, a double may stand for another integer, and SQLite keeps -2^63 as a double. */
export const NO_SAFE_INTEGER = `a value is no integer from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

export const noDecimal = ({ precision, scale }: TableColumn): string =>
  `a value is no decimal of ${precision} digits, ${scale ?? 0} of them after the point, such as '-1.5'`;

export const noTime = ({ precision }: TableColumn): string =>
  `a value is no time in UTC with at most ${precision ?? MOST_DIGITS} digits of a second, such as '2026-11-25 15:00:00'`;

/** Whether both columns hold the same values but for their precision and scale. */
export function hasOtherDigits(column: TableColumn, wanted: TableColumn): boolean {
  return digitsOf(column) !== digitsOf(wanted);
}

const digitsOf = ({ precision, scale }: TableColumn): string => `${precision ?? ''},${scale ?? 0}`;
