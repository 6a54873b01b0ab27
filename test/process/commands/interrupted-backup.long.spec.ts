import { expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { linkSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { backUpSqlite } from '../../../src/platform/copy/backup-sqlite.js';
import { runCommand, spawnService, temporaryDirectory } from '../../support/built-service.js';

/** So many that a backup takes many steps. */
const BYTES = 64 * 1024 * 1024;
/** Of backups that may all be complete before their signal on a busy machine. */
const ATTEMPTS = 5;
/** So many that at least one is between two steps. */
const COMMITS = 200;
const TIME = 240_000;

async function startBackup() {
  const folder = temporaryDirectory();
  const from = join(folder, 'pets.sqlite');
  expect((await runCommand(from, ['commands/seed.js', '--pets', '10'])).code).toBe(0);
  const database = new Database(from);
  database.exec(`CREATE TABLE "toys" AS SELECT zeroblob(${BYTES}) AS "toy"`);
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  return { database, from, backups, to: join(backups, 'copy') };
}

/** Another name for the file of a backup that has begun, which remains when that one is deleted. */
async function linked(backups: string, name: string): Promise<string> {
  for (;;) {
    const [unfinished] = readdirSync(backups);
    if (unfinished && statSync(join(backups, unfinished)).size > 0) {
      linkSync(join(backups, unfinished), name);
      return name;
    }
    await delay(5);
  }
}

it.each<[NodeJS.Signals, number]>([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])(
  'a backup ends at once with %s, and leaves nothing',
  async (signal, code) => {
    const { database, from, backups, to } = await startBackup();
    database.close();
    const sizes: number[] = [];
    while (sizes.length < ATTEMPTS && !sizes.some((size) => size < BYTES)) {
      const { child, output, exit } = await spawnService(from, {}, ['commands/backup.js', '--to', to]);
      const file = await linked(backups, `${from}.${sizes.length}`);
      child.kill(signal);
      expect(await exit).toEqual({ code, signal: null });
      expect(output).toEqual({ stdout: '', stderr: '' });
      expect(readdirSync(backups)).toEqual([]);
      sizes.push(statSync(file).size);
    }
    expect(sizes.at(-1)).toBeLessThan(BYTES);
  },
  TIME,
);

it(
  'a backup is of the moment in which it begins, however many commits happen meanwhile',
  async () => {
    const { database, from, to } = await startBackup();
    const count = (file: Database.Database): unknown => file.prepare('SELECT count(*) FROM "toys"').pluck().get();
    let commits = 0;
    const commit = database.prepare(`INSERT INTO "toys" VALUES ('ball')`);
    const clock = setInterval(() => {
      if (commits < COMMITS) commits += commit.run().changes;
    }, 1);
    await backUpSqlite(from, to);
    clearInterval(clock);
    // Otherwise nothing happened between two steps.
    expect(commits).toBeGreaterThan(2);
    const copy = new Database(to, { readonly: true });
    expect(count(copy)).toBe(1);
    copy.close();
    expect(count(database)).toBe(1 + commits);
    database.close();
  },
  TIME,
);
