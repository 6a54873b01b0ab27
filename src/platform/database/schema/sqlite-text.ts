/** A CHECK constraint of a table or column. */
interface CheckText {
  readonly name: string | undefined;
  /** Without its parentheses. */
  readonly expression: string;
}

interface Token {
  /** Words in upper case; quoted names and texts as they are. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Comments and spaces; texts and quoted names; words; and any other character. */
const TOKENS =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\s+|('(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])|([\w$\u0080-\uFFFF]+)|[^]/g;
const SKIPPED = /^(?:--|\/\*|\s)/;

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: text, 2: word, index: start } of sql.matchAll(TOKENS)) {
    if (!SKIPPED.test(text)) tokens.push({ text: word?.toUpperCase() ?? text, start, end: start + text.length });
  }
  return tokens;
}

/** The CHECK constraints in the CREATE TABLE statement that SQLite keeps, which it reports nowhere else. */
export function checksOf(sql: string): CheckText[] {
  const tokens = tokensOf(sql);
  const checks: CheckText[] = [];
  for (const [index, { text }] of tokens.entries()) {
    const open = tokens[index + 1];
    if (text !== 'CHECK' || open?.text !== '(') continue;
    const close = tokens[closing(tokens, index + 1)]!; // SQLite has accepted the statement.
    const name = tokens[index - 2]?.text === 'CONSTRAINT' ? tokens[index - 1] : undefined;
    checks.push({
      name: name && unquoted(sql.slice(name.start, name.end)),
      expression: sql.slice(open.end, close.start).trim(),
    });
  }
  return checks;
}

/** A UNIQUE or FOREIGN KEY constraint of a table. */
interface NamedKey {
  readonly name: string;
  readonly columns: readonly string[];
  /** The table to which a foreign key refers. */
  readonly target: string | undefined;
}

/** The keys that have a name in the CREATE TABLE statement, which SQLite reports nowhere else. */
export function namedKeysOf(sql: string): NamedKey[] {
  const tokens = tokensOf(sql);
  const nameAt = (index: number): string => unquoted(sql.slice(tokens[index]!.start, tokens[index]!.end)); // SQLite has accepted it
  return tokens.flatMap(({ text }, index) => {
    const kind = tokens[index + 2]?.text;
    if (text !== 'CONSTRAINT' || (kind !== 'UNIQUE' && kind !== 'FOREIGN')) return [];
    const open = index + (kind === 'UNIQUE' ? 3 : 4);
    // Otherwise it is a part of the definition of a column.
    if (tokens[open]?.text !== '(') return [];
    const close = closing(tokens, open);
    const columns: string[] = [];
    for (let at = open + 1; at < close; at += 2) columns.push(nameAt(at));
    return { name: nameAt(index + 1), columns, target: kind === 'FOREIGN' ? nameAt(close + 2) : undefined };
  });
}

/** The unique keys that drop or replace a row instead of reporting a conflict, as the statement has them. */
export function silentConflictsOf(sql: string): string[] {
  const tokens = tokensOf(sql);
  return tokens.flatMap(({ text }, index) => {
    const [conflict, action] = [tokens[index + 1]?.text, tokens[index + 2]?.text ?? ''];
    if (text !== 'ON' || conflict !== 'CONFLICT' || !/^(?:IGNORE|REPLACE)$/.test(action)) return [];
    const key = keyBefore(tokens, index);
    return key === undefined ? [] : [`${key} ON CONFLICT ${action}`];
  });
}

/** A clause that TypeORM does not read, outside of checks: a collation, a foreign key that is deferrable, or strict types. */
export function unreadClauseOf(sql: string): string | undefined {
  const tokens = tokensOf(sql);
  const end = closing(
    tokens,
    tokens.findIndex(({ text }) => text === '('),
  );
  for (let index = 0; index < tokens.length; index += 1) {
    const { text } = tokens[index]!; // `index` is in the list
    if (text === 'CHECK') index = closing(tokens, index + 1);
    else if (text === 'COLLATE' || (text === 'STRICT' && index > end)) return text;
    else if (text === 'DEFERRABLE' && tokens[index - 1]?.text !== 'NOT') return text;
  }
  return undefined;
}

/** Of the other constraints, NOT NULL has no conflict with rows, and a CHECK ignores the clause. */
function keyBefore(tokens: readonly Token[], index: number): string | undefined {
  let at = index - 1;
  if (tokens[at]?.text === ')') {
    for (let depth = 0; at >= 0; at -= 1) {
      const { text } = tokens[at]!; // `at` is in the list
      if (text === ')') depth += 1;
      else if (text === '(' && (depth -= 1) === 0) break;
    }
    at -= 1;
  } else if (/^(?:ASC|DESC)$/.test(tokens[at]?.text ?? '')) {
    at -= 1;
  }
  if (tokens[at]?.text === 'KEY') return 'PRIMARY KEY';
  return tokens[at]?.text === 'UNIQUE' ? 'UNIQUE' : undefined;
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  return tokens.findIndex(({ text }, index) => {
    if (index < open) return false;
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    return depth === 0;
  });
}

function unquoted(name: string): string {
  const quote = name[0]!; // A name is not empty.
  if (quote === '[') return name.slice(1, -1);
  return /["'`]/.test(quote) ? name.slice(1, -1).replaceAll(quote + quote, quote) : name;
}
