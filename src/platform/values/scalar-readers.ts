import { readJson } from './json-reader.js';

/** At most 30 digits: no format is longer, and a bigint of a thousand digits takes long to read. */
const INTEGER = /^(?:0|-?[1-9]\d{0,29})$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

type Reader = (text: string) => unknown;

/** Canonical decimal text; a bigint beyond 2^53, as in a body. */
function readInteger(text: string): unknown {
  if (!INTEGER.test(text)) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function readNumber(text: string): unknown {
  return NUMBER.test(text) ? readJson(Buffer.from(text)) : text;
}

function readBoolean(text: string): unknown {
  if (text === 'true') return true;
  return text === 'false' ? false : text;
}

/** Reads the text of a parameter. Text that is not of the type stays text, which the schema then rejects. */
export function scalarReader(type: string): Reader {
  switch (type) {
    case 'integer':
      return readInteger;
    case 'number':
      return readNumber;
    case 'boolean':
      return readBoolean;
    default:
      return String;
  }
}
