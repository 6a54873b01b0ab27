import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
const CONTRACT = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));

/**
 * What the files of a folder may import besides each other. A feature imports the platform, never another feature; the
 * platform imports nothing of the application. The files of src itself put everything together and may import all of it.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  platform: [],
  auth: ['platform'],
  docs: ['platform'],
  health: ['platform'],
  pets: ['platform'],
  migrations: [],
  commands: ['platform', 'auth', 'pets', 'config', 'config-values', 'data-source'],
};

interface Source {
  /** As a reader writes it: `pets/pets.service.ts`. */
  readonly name: string;
  readonly text: string;
  /** The folder or, for a file of src itself, the name of the file. */
  readonly layer: string;
  /** The layers of what it imports. */
  readonly imports: readonly string[];
}

function layerOf(path: string): string {
  const [first = ''] = relative(SRC, path)
    .replace(/^\.\.\//, '')
    .split('/');
  return first.replace(/\.(ts|js)$/, '');
}

const sources: Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => {
    const path = join(SRC, name);
    const text = readFileSync(path, 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g)].map(([, target]) =>
      layerOf(join(dirname(path), target!)),
    );
    return { name, text, layer: layerOf(path), imports };
  });

const isFolder = ({ name }: Source) => name.includes('/');

/** `file:line text` of every line that matches. */
function lines(among: readonly Source[], pattern: RegExp): string[] {
  return among.flatMap(({ name, text }) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${name}:${index + 1} ${line.trim()}`] : [])),
  );
}

/** The code alone: a comment may use any word of the language. */
const withoutComments = (source: Source): Source => ({
  ...source,
  text: source.text.replace(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*/g, (comment) => comment.replace(/[^\n]/g, '')),
});

/** Finds a word within names of any notation: `pet`, `isPet`, `PetEntity`, `PET_NOT_FOUND`, but not `PipeTransform`. */
function wordInNames(word: string): RegExp {
  const [first, rest] = [word.charAt(0), word.slice(1)];
  const snake = word.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
  return new RegExp(
    `(?<![A-Za-z-])${first.toLowerCase()}${rest}(?![a-z-])|${first.toUpperCase()}${rest}(?![a-z])|(?<![A-Z])${snake}(?![A-Z])`,
  );
}

/** Every name that openapi.yaml gives to an operation, a path's segment, a tag or a schema, but the Error of all. */
function wordsOfContract(): string[] {
  const { paths, components, tags } = parse(readFileSync(CONTRACT, 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
    components: { schemas: Record<string, unknown> };
    tags: { name: string }[];
  };
  const operations = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  const segments = Object.keys(paths).flatMap((path) => path.split(/[/{}]+/));
  const schemas = Object.keys(components.schemas).filter((name) => name !== 'Error');
  const words = [...operations, ...segments, ...schemas, ...tags.map(({ name }) => name)];
  return [...new Set(words.filter(Boolean))] as string[];
}

describe('src/platform', () => {
  const edge = sources.filter(({ layer }) => layer === 'platform').map(withoutComments);

  it.each(wordsOfContract())('know no %s', (word) => {
    expect(edge.length).toBeGreaterThan(10);
    expect(lines(edge, wordInNames(word))).toEqual([]);
  });

  it.each(["'/pets'", 'listPets', 'isPet', 'PetEntity', 'pet.name', 'PET_NOT_FOUND', 'petStatus'])(
    'would be found to, by %s',
    (code) => {
      expect(wordsOfContract().some((word) => wordInNames(word).test(code))).toBe(true);
    },
  );
});

describe('the folders of src', () => {
  it('are all in the table', () => {
    const folders = new Set(sources.filter(isFolder).map(({ layer }) => layer));
    expect([...folders].toSorted()).toEqual(Object.keys(MAY_IMPORT).toSorted());
  });

  it.each(Object.entries(MAY_IMPORT))('%s imports nothing but %j', (folder, allowed) => {
    const violations = sources
      .filter((source) => isFolder(source) && source.layer === folder)
      .flatMap(({ name, imports }) =>
        imports
          .filter((layer) => layer !== folder && !allowed.includes(layer))
          .map((layer) => `${name} imports ${layer}`),
      );
    expect(violations).toEqual([]);
  });

  it('import each other in one direction', () => {
    const order = (folder: string): number => 1 + Math.max(0, ...(MAY_IMPORT[folder] ?? []).map(order));
    const violations = Object.entries(MAY_IMPORT).flatMap(([folder, allowed]) =>
      allowed.filter((other) => order(other) >= order(folder)).map((other) => `${folder} and ${other}`),
    );
    expect(violations).toEqual([]);
  });
});

describe('a file of src', () => {
  it('is no barrel', () => {
    expect(sources.map(({ name }) => name).filter((name) => basename(name) === 'index.ts')).toEqual([]);
    expect(lines(sources, /^export .* from /)).toEqual([]);
  });

  it('has fewer than 250 lines', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 250).map(({ name }) => name)).toEqual([]);
  });

  it('does without casts to any', () => {
    expect(lines(sources, /\bas any\b|<any>/)).toEqual([]);
  });

  it('never lets TypeORM change the schema by itself', () => {
    const ormconfig = { name: 'ormconfig.ts', text: readFileSync(join(SRC, '../ormconfig.ts'), 'utf8') } as Source;
    expect(lines([...sources, ormconfig], /synchronize:(?!\s*false\b)/)).toEqual([]);
    expect(lines([...sources, ormconfig], /\.synchronize\(/)).toEqual([]);
  });

  it('imports no test', () => {
    expect(lines(sources, /from '(\.\.\/)+test\//)).toEqual([]);
  });
});
