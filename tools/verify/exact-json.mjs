import { isDeepStrictEqual } from 'node:util';
import { jsonText } from '../json-text.mjs';

/** A string, which may look like a number inside, or a number outside of one. */
const TOKEN = /("(?:[^"\\]|\\.)*")|-?\d[\d.eE+-]*/g;
/** Marks the text of a number; a string of a pet never has it. */
const MARK = '\u0000';

/** JSON whose integers are bigint, so that every digit counts. Undefined for text that is not JSON. */
export function exactJson(text) {
  try {
    JSON.parse(text);
    return JSON.parse(
      text.replace(TOKEN, (token, string) => string ?? JSON.stringify(`${MARK}${token}`)),
      (_, value) => (typeof value === 'string' && value.startsWith(MARK) ? numberOf(value.slice(1)) : value),
    );
  } catch {
    return undefined;
  }
}

function numberOf(text) {
  return /^-?\d+$/.test(text) ? BigInt(text) : Number(text);
}

/** Each member that differs from what is expected; a member that is undefined must be absent. */
export function memberDifferences(actual, expected) {
  return [...new Set([...Object.keys(expected), ...Object.keys(actual ?? {})])]
    .filter((name) => !isDeepStrictEqual(actual?.[name], expected[name]))
    .map((name) => `${name} is ${shown(actual?.[name])} instead of ${shown(expected[name])}`);
}

const shown = (value) => (value === undefined ? 'absent' : jsonText(value));
