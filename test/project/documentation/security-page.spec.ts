import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { lines, sources } from '../sources.js';

const ROOT = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/security.md', ROOT), 'utf8');

const risks = [...page.matchAll(/^\| (API\d+) [^|]*\|[^|]*\|([^|]*)\|([^|]*)\|$/gm)].map(
  ([, risk, protection, tests]) => ({
    risk: risk!,
    protection: protection!.trim(),
    tests: [...tests!.matchAll(/\[(\S+)\]\(\.\.\/(\S+)\)/g)].map(([, text, target]) => [text!, target!] as const),
  }),
);

/** The rows of the threat model, each with the files in its last cell. */
const threats = page
  .slice(page.indexOf('| Who |'), page.indexOf('**Left to others:**'))
  .split('\n')
  .filter((row) => /^\| (?!Who \||---)/.test(row))
  .map((row) =>
    [
      ...row
        .split(' | ')
        .at(-1)!
        .matchAll(/\[(\S+)\]\(\.\.\/(\S+)\)/g),
    ].map(([, text, target]) => [text!, target!]),
  );

describe('docs/security.md', () => {
  it('names existing tests for each row of the threat model', () => {
    expect(threats.length).toBeGreaterThan(12);
    for (const tests of threats) {
      expect(tests.length).toBeGreaterThan(0);
      for (const [text, target] of tests) {
        expect(text).toBe(target);
        expect(target).toMatch(/^test\/.*spec\.ts$/);
        expect(existsSync(new URL(target!, ROOT))).toBe(true);
      }
    }
  });

  it('has the ten risks of OWASP in their order', () => {
    expect(risks.map(({ risk }) => risk)).toEqual(Array.from({ length: 10 }, (_, index) => `API${index + 1}`));
  });

  it.each(risks)('names a protection and existing tests for $risk', ({ protection, tests }) => {
    expect(protection).not.toBe('');
    expect(tests.length).toBeGreaterThan(0);
    for (const [text, target] of tests) {
      expect(text).toBe(target);
      expect(target).toMatch(/^test\/.*spec\.ts$/);
      expect(existsSync(new URL(target, ROOT))).toBe(true);
    }
  });
});

describe('the service', () => {
  it('fetches no address: it has no client of HTTP', () => {
    const client =
      /\bfetch\(|\bhttps?\.(get|request)\(|import \{[^}]*\b(get|request)\b[^}]*\} from 'node:https?'|'undici'|'axios'/;
    expect(lines(sources, client)).toEqual([]);
  });
});
