import { isUtf8 } from 'node:buffer';
import { defineMember } from './define-member.js';
import { isKept } from './kept-numbers.js';

/** A number that is kept as text: a fraction, or an integer of more than 100 digits, that a double would round. */
export class InexactNumber {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }

  /** For JSON.stringify, which knows only doubles. `writeJson` writes the number itself. */
  toJSON(): string {
    return this.text;
  }

  /** Arithmetic would silently use a text. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'string') return this.text;
    throw new TypeError(`A double would round the number ${this.text}; take its digits with String()`);
  }
}

export type JsonValue =
  string | number | bigint | boolean | null | InexactNumber | JsonValue[] | { [member: string]: JsonValue };

/** RFC 8259 sets no limit; realistic documents stay far below. */
const MAX_DEPTH = 100;
/** Longer integers are no bigint: an exponent could make them huge. */
const MAX_DIGITS = 100;
/** A double keeps each decimal of so many digits: its shortest text is that decimal again. */
const EXACT_DIGITS = 15;

const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const NUMBER = /-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/y;
const ESCAPES: Record<string, string> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * Reads strict JSON (RFC 8259): rejects duplicate member names, names that are not Unicode, a byte order mark and text after
 * the value. Integers in any notation (`1e2`, `1.0`) are exact: a number up to 2^53 - 1, a bigint of up to 100 digits beyond.
 * `__proto__` is an ordinary member. Throws a SyntaxError that names the position.
 */
export function readJson(bytes: Buffer): JsonValue {
  if (!isUtf8(bytes)) throw new SyntaxError('invalid UTF-8');
  return new JsonReader(bytes.toString('utf8')).read();
}

// One class, because every production of the grammar needs the position and the depth.
class JsonReader {
  #at = 0;
  #depth = 0;

  constructor(private readonly text: string) {}

  read(): JsonValue {
    const value = this.#value();
    if (this.#at < this.text.length) this.#fail();
    return value;
  }

  /** Skips white space on both sides. */
  #value(): JsonValue {
    this.#skipSpace();
    const value = this.#bareValue();
    this.#skipSpace();
    return value;
  }

  #bareValue(): JsonValue {
    switch (this.text[this.#at]) {
      case '{':
        return this.#nested(() => this.#object());
      case '[':
        return this.#nested(() => this.#array());
      case '"':
        return this.#string();
      case 't':
        return this.#literal('true', true);
      case 'f':
        return this.#literal('false', false);
      case 'n':
        return this.#literal('null', null);
      default:
        return this.#number();
    }
  }

  #nested<T>(read: () => T): T {
    if (this.#depth === MAX_DEPTH) throw new SyntaxError(`nested deeper than ${MAX_DEPTH} levels`);
    this.#depth += 1;
    this.#at += 1;
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #object(): JsonValue {
    const members: { [member: string]: JsonValue } = {};
    this.#skipSpace();
    if (this.#take('}')) return members;
    do {
      this.#skipSpace();
      const start = this.#at;
      const name = this.#string();
      if (this.#at - start > name.length + '""'.length && !name.isWellFormed())
        throw new SyntaxError(`half of a surrogate pair in the member name at position ${start}`);
      if (Object.hasOwn(members, name)) throw new SyntaxError(`duplicate member name at position ${start}`);
      this.#skipSpace();
      this.#expect(':');
      const value = this.#value();
      if (name === '__proto__') defineMember(members, name, value);
      else members[name] = value;
    } while (this.#take(','));
    this.#expect('}');
    return members;
  }

  #array(): JsonValue {
    const items: JsonValue[] = [];
    this.#skipSpace();
    if (this.#take(']')) return items;
    do items.push(this.#value());
    while (this.#take(','));
    this.#expect(']');
    return items;
  }

  #string(): string {
    this.#expect('"');
    let value = this.#plainText();
    while (this.text[this.#at] === '\\') value += this.#escape() + this.#plainText();
    this.#expect('"');
    return value;
  }

  #plainText(): string {
    const start = this.#at;
    PLAIN_TEXT.lastIndex = start;
    PLAIN_TEXT.test(this.text);
    this.#at = PLAIN_TEXT.lastIndex;
    return this.text.slice(start, this.#at);
  }

  #escape(): string {
    const letter = this.text[this.#at + 1] ?? '';
    if (letter !== 'u') {
      const character = ESCAPES[letter] ?? this.#fail();
      this.#at += 2;
      return character;
    }
    const digits = this.text.slice(this.#at + 2, this.#at + 6);
    if (!/^[\da-fA-F]{4}$/.test(digits)) this.#fail();
    this.#at += 6;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #literal<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.#at)) this.#fail();
    this.#at += word.length;
    return value;
  }

  #number(): JsonValue {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.text);
    if (!match) return this.#fail();
    this.#at = NUMBER.lastIndex;
    const [token, digits = '', fraction, exponent] = match;
    if (exponent === undefined && digits.length + (fraction?.length ?? 0) <= EXACT_DIGITS) {
      const number = Number(token);
      // A zero has no sign.
      return number === 0 ? 0 : number;
    }
    if (fraction !== undefined && token.length < 30) {
      const number = Number(token);
      // Most programs write the shortest text of a double: comparing digits would take three times as long.
      if (!Number.isInteger(number) && `${number}` === token) return number;
    }
    return exactNumber(token, digits, fraction ?? '', Number(exponent ?? 0));
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  #take(character: string): boolean {
    if (this.text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) this.#fail();
  }

  #fail(): never {
    if (this.#at >= this.text.length) throw new SyntaxError('unexpected end');
    throw new SyntaxError(`syntax error at position ${this.#at}`);
  }
}

function exactNumber(token: string, digits: string, fraction: string, exponent: number): JsonValue {
  const all = digits + fraction;
  // Loops: a regular expression takes quadratic time on a long run of zeros.
  let start = 0;
  while (start < all.length && all[start] === '0') start += 1;
  let end = all.length;
  while (end > start && all[end - 1] === '0') end -= 1;
  if (start === end) return 0;

  const scale = exponent - fraction.length + (all.length - end);
  if (scale < 0 || end - start + scale > MAX_DIGITS) {
    const number = Number(token);
    return isKept(number, all.slice(start, end), scale) ? number : new InexactNumber(token);
  }
  const integer = BigInt((token.startsWith('-') ? '-' : '') + all.slice(start, end) + '0'.repeat(scale));
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
}
