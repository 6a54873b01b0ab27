import { expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runCommand, spawnService, temporaryDirectory } from '../../support/built-service.js';

/** So many that a copy takes a second at least. */
const PETS = 100_000;
/** Bytes that a database without pets does not have. */
const EMPTY = 200_000;
const TIME = 240_000;

async function startCopy() {
  const [from, to] = ['from', 'to'].map((name) => join(temporaryDirectory(), `${name}.sqlite`)) as [string, string];
  expect((await runCommand(from, ['commands/seed.js', '--pets', String(PETS)])).code).toBe(0);
  const command = ['commands/db-copy.js', '--to', `sqlite:${to}`];
  return { to, ...(await spawnService(from, {}, command)), again: () => runCommand(from, [...command, '--json']) };
}

/** Of the pets that the unfinished copy has, without a lock that would disturb it. */
function bytesOf(file: string): number {
  return [file, `${file}-wal`].reduce((sum, name) => sum + (statSync(name, { throwIfNoEntry: false })?.size ?? 0), 0);
}

function countOf(file: string): unknown {
  const database = new Database(file);
  const count = database.prepare('SELECT COUNT(*) FROM "pets"').pluck().get();
  database.close();
  return count;
}

it(
  'a copy between two SQLite files ends at once with SIGINT while it copies, and the next one continues',
  async () => {
    const { to, child, output, exit, again } = await startCopy();
    while (bytesOf(to) < EMPTY) await delay(5);
    child.kill('SIGINT');
    expect(await exit).toEqual({ code: 130, signal: null });
    expect(output.stdout).toBe('');
    expect(countOf(to)).toBeLessThan(PETS);
    expect(JSON.parse((await again()).stdout)).toMatchObject({ resumed: true });
    expect(countOf(to)).toBe(PETS);
  },
  TIME,
);

it(
  'a copy between two SQLite files ends at once with SIGTERM while it compares',
  async () => {
    const { child, output, exit } = await startCopy();
    while (!output.stderr.includes('copying pets  100 %')) await delay(5);
    child.kill('SIGTERM');
    expect(await exit).toEqual({ code: 143, signal: null });
    expect(output.stdout).toBe('');
  },
  TIME,
);
