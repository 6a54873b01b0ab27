import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isBelow, lines, type Source, sources } from './sources.js';

const CONTRACT = new URL('../../openapi.yaml', import.meta.url);
/** The names in these types show which words are ordinary in programs: `order` and `table`, but not `pet`. */
const VOCABULARY = new URL('../../node_modules/typeorm/', import.meta.url);

/** Comments may use any word. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*/g, (comment) => comment.replace(/[^\n]/g, ''));

/** Finds a word within names of any notation: `pet`, `isPet`, `PetEntity`, `PET_NOT_FOUND`, but not `PipeTransform`. */
function wordInNames(word: string): RegExp {
  const [first, rest] = [word.charAt(0), word.slice(1)];
  const snake = word.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
  return new RegExp(
    `(?<![A-Za-z-])${first.toLowerCase()}${rest}(?![a-z-])|${first.toUpperCase()}${rest}(?![a-z])|(?<![A-Z])${snake}(?![A-Z])`,
  );
}

const vocabulary = readdirSync(VOCABULARY, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.d.ts'))
  .map((file) => withoutComments(readFileSync(new URL(file.replaceAll('\\', '/'), VOCABULARY), 'utf8')))
  .join('\n');

/** Names of several words, and those of pets: a single word of another group, such as `Report`, may be the platform's own. */
const isSpecific = (word: string): boolean => /[a-z][A-Z]|^[Pp]ets?$/.test(word);

/** The names of operations, path segments, tags and schemas in openapi.yaml, except Error and ordinary words. */
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
  const own = [...new Set(words.filter(Boolean))] as string[];
  return own.filter((word) => isSpecific(word) && !wordInNames(word).test(vocabulary));
}

describe('the code of src/platform', () => {
  const platform = sources
    .filter(({ name }) => isBelow('platform', name))
    .map((source): Source => ({ ...source, text: withoutComments(source.text) }));

  it.each(wordsOfContract())('does not contain the word %s', (word) => {
    expect(platform.length).toBeGreaterThan(10);
    expect(lines(platform, wordInNames(word))).toEqual([]);
  });

  it.each(["'/pets'", 'listPets', 'isPet', 'PetEntity', 'pet.name', 'PET_NOT_FOUND', 'petStatus'])(
    'would fail this test with %s',
    (code) => {
      expect(wordsOfContract().some((word) => wordInNames(word).test(code))).toBe(true);
    },
  );
});
