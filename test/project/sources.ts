import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

/** A file of src. Names are relative to src: `pets/pets.service.ts`. */
export interface Source {
  readonly name: string;
  readonly text: string;
  /** The files of src that it imports, including type-only imports. */
  readonly imports: readonly string[];
}

export const sources: readonly Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => {
    const text = readFileSync(join(SRC, name), 'utf8');
    const imports = ts
      .preProcessFile(text)
      .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => join(dirname(name), fileName).replace(/\.js$/, '.ts'));
    return { name, text, imports };
  });

/** What docs/operations.md describes: not the features, whose teams document them where they like. */
export const operatedSources = sources.filter(({ name }) =>
  /^((auth|commands|docs|health|platform)\/|[^/]+$)/.test(name),
);

/** The folder of a file; `.` for a file of src itself. */
export const folderOf = (name: string): string => dirname(name);

export const isBelow = (folder: string, name: string): boolean => name.startsWith(`${folder}/`);

/** `file:line text` of every line that matches. */
export function lines(among: readonly Pick<Source, 'name' | 'text'>[], pattern: RegExp): string[] {
  return among.flatMap(({ name, text }) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${name}:${index + 1} ${line.trim()}`] : [])),
  );
}
