import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readPassages } from './specification-text.js';
import { type NamedTest, readRows } from './table-rows.js';
import { readTestNames } from './test-names.js';

const ROOT = new URL('../../../', import.meta.url);
/** The heading of the questions that the specification does not mention. */
const SILENCE = 'Where the specification is silent';

const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');
const spelled = ({ file, name }: NamedTest) => `${file}: ${name}`;

const passages = readPassages(read('docs/pet-store-specification.md'));
const rows = readRows(read('docs/specification.md'));
const quotations = rows.filter(({ heading }) => heading !== SILENCE);
const named = rows.flatMap(({ tests }) => tests);

function testsOf(file: string): NamedTest[] {
  return existsSync(new URL(file, ROOT)) ? readTestNames(read(file)).map((name) => ({ file, name })) : [];
}

/** The rest of a passage without the quotations. */
function unquoted({ heading, text }: { heading: string; text: string }): string {
  const quoted = quotations.filter((row) => row.heading === heading).map(({ subject }) => subject);
  const longestFirst = quoted.toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, quotation) => rest.replaceAll(quotation, ''), text).trim();
}

describe('docs/specification.md', () => {
  it('quotes the specification word for word', () => {
    const altered = quotations.filter(
      ({ heading, subject }) =>
        !passages.some((passage) => passage.heading === heading && passage.text.includes(subject)),
    );
    expect(altered).toStrictEqual([]);
  });

  it('quotes all of the specification', () => {
    expect(passages.length).toBeGreaterThan(60);
    expect(passages.filter((passage) => unquoted(passage) !== '')).toStrictEqual([]);
  });

  it('quotes each sentence once', () => {
    const places = quotations.map(({ heading, subject }) => `${heading}: ${subject}`);
    expect(places.filter((place, at) => places.indexOf(place) !== at)).toStrictEqual([]);
  });

  it('gives each sentence a test or a reason, and each gap a test and a decision', () => {
    const bare = rows.filter(({ tests, decision }) => tests.length === 0 && decision === '');
    const undecided = rows.filter(({ subject, decision }) => /not shown/.test(subject) && decision === '');
    const untested = rows.filter(({ subject, tests }) => /not shown/.test(subject) && tests.length === 0);
    expect([...bare, ...undecided, ...untested]).toStrictEqual([]);
  });

  it('names tests that exist', () => {
    const files = [...new Set(named.map(({ file }) => file))];
    const existing = new Set(files.flatMap(testsOf).map(spelled));
    expect(named.map(spelled).filter((test) => !existing.has(test))).toStrictEqual([]);
  });

  it('names every test of test/specification', () => {
    const files = readdirSync(new URL('test/specification/', ROOT)).filter((file) => file.endsWith('-spec.ts'));
    const tests = files.flatMap((file) => testsOf(`test/specification/${file}`)).map(spelled);
    const inTable = new Set(named.map(spelled));
    expect(tests).not.toStrictEqual([]);
    expect(tests.filter((test) => !inTable.has(test))).toStrictEqual([]);
    expect(tests.filter((test, at) => tests.indexOf(test) !== at)).toStrictEqual([]);
  });
});
