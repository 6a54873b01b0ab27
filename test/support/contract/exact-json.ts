const WHITESPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y; // JSON.parse validates its content
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const LITERAL = /true|false|null/y;

/**
 * Reads JSON without losing a digit: an integer beyond 2^53 becomes a bigint.
 * Throws on text that violates RFC 8259, and on duplicate member names.
 * The readers of the service and the client are compared with this one, so they share no code.
 */
export function readJson(text: string): unknown {
  let position = 0;

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position;
    const token = pattern.exec(text)?.[0];
    if (token !== undefined) position += token.length;
    return token;
  };
  const next = (character: string): boolean => {
    take(WHITESPACE);
    if (text[position] !== character) return false;
    position += 1;
    return true;
  };
  const fail = (expected: string): never => {
    throw new SyntaxError(`the JSON text has no ${expected} at character ${position}`);
  };

  const value = (): unknown => {
    if (next('{')) return object();
    if (next('[')) return array();
    const string = take(STRING);
    if (string !== undefined) return JSON.parse(string);
    const number = take(NUMBER);
    if (number !== undefined) return exactNumber(number);
    return JSON.parse(take(LITERAL) ?? fail('value'));
  };
  const object = (): Record<string, unknown> => {
    const members: Record<string, unknown> = {};
    if (next('}')) return members;
    do {
      take(WHITESPACE);
      const name = JSON.parse(take(STRING) ?? fail('member name')) as string;
      if (Object.hasOwn(members, name)) throw new SyntaxError(`the JSON text has the member ${name} twice`);
      if (!next(':')) fail('colon');
      // An assignment to `__proto__` would set the prototype.
      Object.defineProperty(members, name, { value: value(), enumerable: true, writable: true, configurable: true });
    } while (next(','));
    if (!next('}')) fail('closing brace');
    return members;
  };
  const array = (): unknown[] => {
    const items: unknown[] = [];
    if (next(']')) return items;
    do items.push(value());
    while (next(','));
    if (!next(']')) fail('closing bracket');
    return items;
  };

  const result = value();
  take(WHITESPACE);
  if (position < text.length) fail('end');
  return result;
}

function exactNumber(token: string): number | bigint {
  const number = Number(token);
  return /^-?[0-9]+$/.test(token) && !Number.isSafeInteger(number) ? BigInt(token) : number;
}

/** Like `JSON.stringify`, but also writes bigints, digit for digit. */
export function writeJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`).join(',')}}`;
}
