import { randomUUID } from 'node:crypto';
import { isJsonScalar } from '../../../values/exact-json.js';
import { isInt64 } from '../../../values/int64.js';
import { isJsonObject, kindOf } from '../../../values/json-object.js';
import { InexactNumber, readJson } from '../../../values/json-reader.js';

/*
 * JSON in a cell, with the digits of every number. `JSON` converts everything else: it knows only doubles, so that other
 * numbers pass it as texts with a mark.
 */

/** Random, so that no text of a row begins with it. */
const MARK = randomUUID();
const MARKED = new RegExp(`"${MARK}([^"]*)"`, 'g');

/** Text that may have a number which a double rounds: 16 digits, or an exponent of three. */
const MAY_BE_ROUNDED = /\d[\d.]{15}|[eE][+-]?\d{3}/;
/** Texts, so that digits inside of them are skipped, and numbers. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/**
 * An integer beyond 2^53 is read as a bigint, as in a body. So a number beyond 2^53 is written with an exponent, which is
 * read as a number.
 */
export const JSON_TEXT = {
  read: (cell: unknown) => valueOf(cell as string),
  write: textOf,
};

/** In a column of the type json, SQLite stores a number that is not inside of anything as a number, not as text. */
export const JSON_COLUMN = {
  read: (cell: unknown) => valueOf(String(cell)),
  write: (value: unknown) => {
    const digits = digitsOf(value);
    if (digits === undefined || isInt64(value)) return textOf(value);
    throw new RangeError('must not be a number that SQLite would round; store it in an object');
  },
};

function textOf(value: unknown): string {
  let isMarked = false;
  const text = JSON.stringify(value, function (this: Record<string, unknown>, name, item: unknown) {
    const given = this[name];
    const digits = digitsOf(typeof given === 'bigint' || given instanceof InexactNumber ? given : item);
    if (digits === undefined) return jsonItem(item, this, name);
    isMarked = true;
    return MARK + digits;
    // Undefined where `toJSON` returns that.
  }) as string | undefined;
  if (text === undefined) throw new RangeError('must be JSON, which has no undefined; store null');
  return isMarked ? text.replaceAll(MARKED, '$1') : text;
}

/** How a number is written that `JSON` would refuse, or write as if it were an integer of these digits. */
function digitsOf(item: unknown): string | undefined {
  if (typeof item === 'bigint') return String(item);
  if (typeof item === 'number') {
    return Number.isInteger(item) && !Number.isSafeInteger(item) ? item.toExponential() : undefined;
  }
  return item instanceof InexactNumber ? item.text : undefined;
}

/**
 * Throws for what JSON cannot hold, which JSON.stringify would write as null or {}, or leave out. Anything else is stored as
 * JSON.stringify writes it: a Date as text, any object as its `toJSON` returns it, without members that are undefined.
 * `around` is the object or list that has the item.
 */
function jsonItem(item: unknown, around: Record<string, unknown>, name: string): unknown {
  // Its `toJSON` has returned null.
  if (item === null && around[name] instanceof Date) {
    throw new RangeError('must be JSON, which has no invalid Date; store a valid one');
  }
  if (item === undefined && Array.isArray(around)) {
    throw new RangeError('must be JSON, which has no undefined in an array; store null, or an array without it');
  }
  const value = isWrapper(item) ? item.valueOf() : item;
  if (typeof value === 'object' ? value === null || Array.isArray(value) || isJsonObject(value) : isJsonScalar(value)) {
    return value;
  }
  if (typeof value === 'number') throw new RangeError(`must be JSON, which has no ${value}; store null`);
  const isPromise = typeof (value as { then?: unknown }).then === 'function';
  const remedy = isPromise ? 'await it first' : 'store an object or an array';
  throw new RangeError(`must be JSON, which has no ${isPromise ? 'promise' : kindOf(value)}; ${remedy}`);
}

/** JSON.stringify writes the values of these. */
function isWrapper(item: unknown): item is object {
  return ['Number', 'String', 'Boolean'].includes(kindOf(item));
}

function valueOf(text: string): unknown {
  if (!MAY_BE_ROUNDED.test(text)) return JSON.parse(text);
  const marked = text.replaceAll(TOKENS, (token) => (isRounded(token) ? `"${MARK}${token}"` : token));
  return JSON.parse(marked, (_, item: unknown) =>
    typeof item === 'string' && item.startsWith(MARK) ? readJson(Buffer.from(item.slice(MARK.length))) : item,
  );
}

/** Whether a token is a number that is not the shortest text of a double. */
function isRounded(token: string): boolean {
  if (token.startsWith('"') || !MAY_BE_ROUNDED.test(token)) return false;
  return withoutPlus(Number(token).toExponential()) !== withoutPlus(token.toLowerCase());
}

const withoutPlus = (token: string): string => token.replace('+', '');
