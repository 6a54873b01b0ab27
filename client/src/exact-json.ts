import type { NumberPlaces } from './operation-call.js';

const WHITE_SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;

/**
 * Reads JSON like JSON.parse, except that no integer loses a digit: it becomes a bigint beyond 2^53 - 1, and always in places
 * of an int64. Throws a SyntaxError for anything else, also for a fraction in such a place.
 */
export function readJson(text: string, places: NumberPlaces): unknown {
  let at = 0;

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const token = pattern.exec(text)?.[0];
    if (token !== undefined) at += token.length;
    return token;
  };
  const next = (character: string): boolean => {
    take(WHITE_SPACE);
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  const expect = (character: string): void => {
    if (!next(character)) fail();
  };
  const fail = (): never => {
    throw new SyntaxError(`The JSON text has an error at position ${at}.`);
  };
  // Without a regular expression, whose stack long texts exceed. JSON.parse checks the characters.
  const string = (): string => {
    let end = text.indexOf('"', at + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    if (text[at] !== '"' || end === -1) fail();
    const token = text.slice(at, end + 1);
    at = end + 1;
    return JSON.parse(token) as string;
  };

  const value = (inside: NumberPlaces | undefined): unknown => {
    if (next('{')) return object(typeof inside === 'object' ? inside : {});
    if (next('[')) return array(typeof inside === 'object' ? inside.items : undefined);
    if (text[at] === '"') return string();
    const number = take(NUMBER);
    if (number !== undefined) return readNumber(number, typeof inside === 'object' ? inside.number : inside);
    return JSON.parse(take(LITERAL) ?? fail()) as unknown;
  };
  const object = ({ members = {}, rest }: Exclude<NumberPlaces, string>): object => {
    const read = new Map<string, unknown>();
    if (next('}')) return {};
    do {
      take(WHITE_SPACE);
      const name = string();
      expect(':');
      read.set(name, value(Object.hasOwn(members, name) ? members[name] : rest));
    } while (next(','));
    expect('}');
    return Object.fromEntries(read);
  };
  const array = (items: NumberPlaces | undefined): unknown[] => {
    const read: unknown[] = [];
    if (next(']')) return read;
    do read.push(value(items));
    while (next(','));
    expect(']');
    return read;
  };

  const result = value(places);
  take(WHITE_SPACE);
  return at < text.length ? fail() : result;
}

/** Whether an odd number of backslashes precedes a position. */
function isEscaped(text: string, position: number): boolean {
  let start = position;
  while (text[start - 1] === '\\') start -= 1;
  return (position - start) % 2 === 1;
}

function readNumber(token: string, place: 'int64' | 'double' | undefined): number | bigint {
  if (place === 'int64') return readInteger(token);
  const number = Number(token);
  if (Number.isSafeInteger(number) || !/^-?\d+$/.test(token)) return number;
  if (place !== 'double') return BigInt(token);
  // Services write the shortest digits of a double, or all of them.
  if (String(number) === token || (Number.isFinite(number) && BigInt(number) === BigInt(token))) return number;
  throw new SyntaxError(`${token} has more digits than a number holds.`);
}

function readInteger(token: string): bigint {
  if (/^-?\d+$/.test(token)) return BigInt(token);
  // Such as 1.0 or 1e3: exact as long as a double is.
  const number = Number(token);
  if (!Number.isSafeInteger(number)) throw new SyntaxError(`${token} is not an integer.`);
  return BigInt(number);
}

/** Writes JSON like JSON.stringify, with the digits of bigints; throws for numbers that JSON cannot express. */
export function writeJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`JSON cannot express ${value}.`);
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if ('toJSON' in value && typeof value.toJSON === 'function') return writeJson(value.toJSON());
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`).join(',')}}`;
}
