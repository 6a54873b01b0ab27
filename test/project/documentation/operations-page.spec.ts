import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { operatedSources } from '../sources.js';
import { logCalls } from './log-calls.js';

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const page = read('docs/operations.md');

/** The first cells of the rows in one section, until the next heading of the same or a higher level. */
function rowsOf(heading: string, text = page): string[] {
  const level = /^#+/.exec(heading)![0].length;
  const rest = text.slice(text.indexOf(`\n${heading}\n`) + heading.length + 2);
  const [section] = rest.split(new RegExp(`^#{1,${level}} `, 'm'));
  return [...section!.matchAll(/^\| +`(\w+)` +\|/gm)].map(([, name]) => name!);
}

/** Every match of the first group in the code. */
const inSources = (pattern: RegExp): string[] =>
  operatedSources.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name]) => name!));

describe('docs/operations.md', () => {
  it('lists every variable', () => {
    const ofCommands = inSources(/\bprocess\.env\.([A-Z_]+)/g);
    const names = [...inSources(/\bread(?:<.*?>)?\(\s*'([A-Z_]+)'/g), ...ofCommands];
    expect(names.length).toBeGreaterThan(15);
    expect(rowsOf('## Variables').toSorted()).toEqual(names.toSorted());
  });

  it('lists every code that docs/errors.md lists', () => {
    const codes = [...read('docs/errors.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code!);
    expect(codes.length).toBeGreaterThan(10);
    expect(rowsOf('## Error codes').toSorted()).toEqual(codes.toSorted());
  });

  it('lists every field and context of the log', () => {
    const fields = logCalls.flatMap((call) => call.fields);
    const contexts = [...inSources(/new Logger\('(\w+)'\)/g), ...inSources(/\bcontext: '(\w+)'/g)];
    expect(fields).toEqual(expect.arrayContaining(['err', 'reason', 'operationId', 'endsAt', 'durationMs']));
    const listed = [...rowsOf('### Fields'), ...rowsOf('### Requests')];
    expect([...fields, ...contexts].filter((name) => !listed.includes(name))).toEqual([]);
    const known = new Set([...fields, ...contexts, 'level', 'time', 'pid', 'hostname', 'context', 'msg', 'details']);
    expect(listed.filter((name) => !known.has(name))).toEqual([]);
  });

  it('names each context whose lines have a field of their own', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` +\| \w+ +\| (`.*?) +\|/gm)];
    expect(rows.length).toBeGreaterThan(5);
    const missing = rows.flatMap(([, field, places]) =>
      logCalls
        .filter(({ context, fields }) => context !== undefined && fields.includes(field!))
        .filter(({ context }) => !places!.includes(`\`${context}\``))
        .map(({ context }) => `${field} in ${context}`),
    );
    expect(missing).toEqual([]);
  });

  it('has a runbook for each emergency', () => {
    const headings = [...page.slice(page.indexOf('## Runbooks')).matchAll(/^### (.*)/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(
      expect.arrayContaining([
        '`/ready` is red',
        '503, but `/ready` is green',
        'A standby serves no reads',
        'The disk is full',
        'Failover of PostgreSQL',
        'Roll back a release',
        'Rotate the password of PostgreSQL',
        'A key is lost or leaked',
      ]),
    );
  });
});
