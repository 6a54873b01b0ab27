import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { isBelow, lines, type Source, sources } from './sources.js';

const ORMCONFIG = {
  name: 'ormconfig.ts',
  text: readFileSync(new URL('../../ormconfig.ts', import.meta.url), 'utf8'),
};

/** `x as never`, `x as unknown as T` and `x!`: assertions that the compiler does not check. */
function isUnchecked(node: ts.Node): boolean {
  if (ts.isNonNullExpression(node)) return true;
  if (!ts.isAsExpression(node)) return false;
  if (node.type.kind === ts.SyntaxKind.NeverKeyword) return true;
  return ts.isAsExpression(node.expression) && node.expression.type.kind === ts.SyntaxKind.UnknownKeyword;
}

/** `file:line text` of each unchecked assertion without a comment on its first or last line, or on the line above. */
function uncheckedWithoutReason({ name, text }: Pick<Source, 'name' | 'text'>): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const textLines = text.split('\n');
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  const isExplained = (line: number): boolean =>
    [textLines[line], textLines[line - 1]].some((near = '') => /(^|\s)\/\/|\/\*|\*\/|^\s*\*/.test(near));
  const unexplained = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (isUnchecked(node) && ![node.getStart(), node.getEnd()].map(lineOf).some(isExplained)) {
      unexplained.add(lineOf(node.getEnd()));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...unexplained].map((line) => `${name}:${line + 1} ${textLines[line]!.trim()}`);
}

describe('a file of src', () => {
  it('is not a barrel', () => {
    expect(sources.map(({ name }) => name).filter((name) => basename(name) === 'index.ts')).toEqual([]);
    expect(sources.filter(({ text }) => /^export [^;]*? from '/m.test(text)).map(({ name }) => name)).toEqual([]);
  });

  it('never enables schema synchronization in TypeORM', () => {
    expect(lines([...sources, ORMCONFIG], /synchronize:(?!\s*false\b)/)).toEqual([]);
    expect(lines([...sources, ORMCONFIG], /\.synchronize\(/)).toEqual([]);
  });

  it('measures no time with the system clock, which can jump', () => {
    // Other features may store when something happened.
    const folders = ['auth', 'commands', 'docs', 'health', 'migrations', 'pets', 'platform'];
    const own = sources.filter(({ name }) => !name.includes('/') || folders.some((folder) => isBelow(folder, name)));
    // They need the date: validity of keys, age of stored responses, the header `Date`, and ids that sort by time.
    const dated = new Set([
      'auth/accepted-keys.ts',
      'auth/api-keys.ts',
      'auth/valid-keys.ts',
      'commands/keys.ts',
      'migrations/1795305600000-limit-api-keys.ts',
      'platform/http/outcomes/request-id.ts',
      'platform/http/server/parser-failure.ts',
      'platform/idempotency/retention.ts',
    ]);
    const others = own.filter(({ name }) => !dated.has(name));
    expect(others.length).toBeGreaterThan(100);
    expect(lines(others, /\bDate\.now\b|\bnew Date\(\)/)).toEqual([]);
  });

  it('imports nothing that the image does not contain: tests, tools, benchmark or client', () => {
    expect(lines(sources, /from '(\.\.\/)+(test|tools|bench|client)\//)).toEqual([]);
  });

  it('states the reason for each `as never`, `as unknown as` and `!`', () => {
    expect(sources.flatMap(uncheckedWithoutReason)).toEqual([]);
  });

  it.each([
    ['a!', 1],
    ['a as never', 1],
    ['a as unknown as B', 1],
    ['a! // The caller checks it.', 0],
    ['// The caller checks it.\na!', 0],
    ['a as B', 0],
    ['a !== b', 0],
  ])('breaks the rule above with %j on %d lines', (text, count) => {
    expect(uncheckedWithoutReason({ name: 'a.ts', text })).toHaveLength(count);
  });
});

describe('a file of test', () => {
  const TEST = fileURLToPath(new URL('..', import.meta.url));

  /** A team adds its group to `FEATURES`: a list of its own would lack the controllers of the operations that it declares. */
  it('takes the features of the service from app.module.ts, not from their modules', () => {
    const files = readdirSync(TEST, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => ({ name, text: readFileSync(join(TEST, name), 'utf8') }));
    expect(files.length).toBeGreaterThan(100);
    expect(lines(files, /from '.*\/src\/pets\/pets\.module\.js'/)).toEqual([]);
  });
});
