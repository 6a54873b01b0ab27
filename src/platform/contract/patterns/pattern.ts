/** What a regular expression of ECMAScript with the flag `u` consists of. */
export type Pattern =
  | { readonly kind: 'character'; readonly accepts: (character: string) => boolean; readonly literal?: string }
  | { readonly kind: 'edge'; readonly of: Edge }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'repetition'; readonly part: Pattern; readonly least: number; readonly most: number }
  /** A lookahead or lookbehind. */
  | { readonly kind: 'look'; readonly part: Pattern }
  /** A backreference to a group. */
  | { readonly kind: 'reference' }
  /** A group with flags of its own, such as `(?i:a)`. */
  | { readonly kind: 'flags'; readonly part: Pattern; readonly ignoresCase: boolean };

/** The start and the end of the text, and of a word. */
export type Edge = '^' | '$' | '\\b' | '\\B';

/** A surrogate pair of two escapes is one character. */
const TOKEN =
  /\(\?<?[=!]|\(\?:|\(\?<[^>]*>|\(\?[a-z-]+:|[()|]|[*+?]\??|\{\d+(?:,\d*)?\}\??|[$^]|\\[bB]|\\k<[^>]*>|\\[1-9]\d*|\\u\{[\da-f]+\}|\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\c.|\\p\{[^}]*\}|\\.|\[(?:\\.|[^\\\]])*\]|./gisu;
const QUANTIFIER = /^[*+?{]/;
const LITERAL = /^[^\\[.]$/u;

/** Reads the source of a valid expression. */
export function readPattern(source: string): Pattern {
  return new PatternReader(source.match(TOKEN) ?? []).choice();
}

class PatternReader {
  #at = 0;

  constructor(private readonly tokens: readonly string[]) {}

  choice(): Pattern {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    const [only] = parts;
    return only && parts.length === 1 ? only : { kind: 'choice', parts };
  }

  #sequence(): Pattern {
    const parts: Pattern[] = [];
    for (let token = this.tokens[this.#at]; token !== undefined && token !== '|' && token !== ')';) {
      this.#at += 1;
      parts.push(this.#repeated(this.#part(token)));
      token = this.tokens[this.#at];
    }
    return { kind: 'sequence', parts };
  }

  #part(token: string): Pattern {
    if (token.startsWith('(')) return this.#group(token);
    if (/^(?:[$^]|\\b)$/i.test(token)) return { kind: 'edge', of: token as Edge };
    if (/^\\(?:k<|[1-9])/.test(token)) return { kind: 'reference' };
    if (LITERAL.test(token)) return { kind: 'character', accepts: (character) => character === token, literal: token };
    const expression = RegExp(`^${token}$`, 'u');
    const accepts = (character: string) => expression.test(character);
    return /^\\[^dpsuwxc0]$/i.test(token)
      ? { kind: 'character', accepts, literal: escaped(token) }
      : { kind: 'character', accepts };
  }

  #group(token: string): Pattern {
    const part = this.choice();
    this.#take(')');
    if (/^\(\?<?[=!]/.test(token)) return { kind: 'look', part };
    return /^\(\?[a-z-]+:/.test(token) ? { kind: 'flags', part, ignoresCase: /^\(\?[a-z]*i/.test(token) } : part;
  }

  #repeated(part: Pattern): Pattern {
    const token = this.tokens[this.#at];
    if (token === undefined || !QUANTIFIER.test(token)) return part;
    this.#at += 1;
    const { least, most } = boundsOf(token);
    return { kind: 'repetition', part, least, most };
  }

  #take(token: string): boolean {
    if (this.tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }
}

function boundsOf(quantifier: string): { least: number; most: number } {
  if (quantifier.startsWith('*')) return { least: 0, most: Infinity };
  if (quantifier.startsWith('+')) return { least: 1, most: Infinity };
  if (quantifier.startsWith('?')) return { least: 0, most: 1 };
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? [];
  return { least: Number(least), most: comma ? Number(most || Infinity) : Number(least) };
}

const CONTROLS: Readonly<Record<string, string>> = { f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** The character that `\.`, `\n` and the like stand for. */
function escaped(token: string): string {
  const letter = token.slice(1);
  return CONTROLS[letter] ?? letter;
}
