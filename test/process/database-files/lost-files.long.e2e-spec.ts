import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { sqliteConnection, sqliteFile } from '../../../src/platform/database/sqlite/sqlite.js';
import { ServedDatabase } from '../../../src/platform/database/served/served-database.js';
import { type BuiltService, startService } from '../../support/built-service.js';
import { expectRetry } from '../../support/outages.js';
import { DATABASE_UNAVAILABLE, outcome } from '../../properties/outcome.js';
import { addPets, numbered } from '../../support/pets.js';
import { startApp } from '../../support/start-app.js';
import { newDatabaseFile, TIME } from '../starts.js';
import { EVENTS, LINKED, move, replace } from './events.js';

const RESTORE = 'stop the service, restore the file and start it again';
const sentenceOf = (path: string, event: string): string => {
  const advice =
    event === LINKED
      ? `delete that name ("find DIRECTORY -samefile ${path}" finds it) and restart the service`
      : RESTORE;
  return `${path} was ${event} while in use, so every request gets 503: ${advice}.`;
};
const NOT_READY = {
  status: 503,
  body: {
    status: 'not ready',
    checks: { database: false, migrations: false, reads: false, writes: false, notDraining: true },
  },
};

let file: string;
let service: BuiltService;

beforeEach(async () => {
  file = newDatabaseFile();
  service = await startService(file, { LOG_LEVEL: 'info' });
  await addPets(service.api, numbered(20));
  // The log is empty then, and the database complete.
  const other = new Database(file);
  other.pragma('wal_checkpoint(TRUNCATE)');
  other.close();
  await addPets(service.api, numbered(5));
  expect((await service.api.get('/ready')).status).toBe(200);
}, TIME);

afterEach(async () => {
  service.kill('SIGKILL');
  await service.exit;
});

/** The errors in the log. Refreshing the keys may warn as well. */
const errors = () =>
  service.output.stderr
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ level }) => level === 50)
    .map(({ context, msg, reason }) => ({ context, msg, ...(reason !== undefined && { reason }) }));

const create = () => service.api.post('/v1/pets', { name: 'Tom', categoryId: 7 });

describe('a service in use', () => {
  it.each(EVENTS)('never acknowledges a creation, and serves nothing, after %s', async (_, suffix, happen, event) => {
    happen(`${file}${suffix}`);
    // A commit asks only every 10 ms whether another file has replaced the write-ahead log, and a timer may just have asked.
    if (suffix === '-wal' && happen === replace) await delay(20);
    // Not even the first one.
    for (let attempt = 0; attempt < 10; attempt += 1) expectRetry(await create(), DATABASE_UNAVAILABLE);
    for (const response of await Promise.all(Array.from({ length: 10 }, create))) {
      expectRetry(response, DATABASE_UNAVAILABLE);
    }
    expectRetry(await service.api.get('/v1/pets'), DATABASE_UNAVAILABLE);
    expectRetry(await service.api.get('/v1/pets/1'), DATABASE_UNAVAILABLE);
    expect(outcome(await service.api.get('/ready'))).toStrictEqual(NOT_READY);
    expect((await service.api.get('/live')).status).toBe(200);
    const sentence = sentenceOf(`${file}${suffix}`, event);
    while (errors().length < 2) await delay(20);
    expect(errors()).toEqual([
      { context: 'SqliteFileGuard', msg: sentence },
      {
        context: 'Outage',
        msg: 'Requests fail: The database is unavailable; try again.',
        reason: `SQLITE_READONLY_DBMOVED: ${sentence}`,
      },
    ]);
  });

  it.each([EVENTS[1]!, EVENTS[3]!, EVENTS[6]!, EVENTS[9]!])(
    'reports without a request that %s, and serves nothing',
    async (_, suffix, happen, event) => {
      happen(`${file}${suffix}`);
      for (const end = Date.now() + 20_000; errors().length === 0 && Date.now() < end;) await delay(20);
      expect(errors()).toEqual([{ context: 'SqliteFileGuard', msg: sentenceOf(`${file}${suffix}`, event) }]);
      expectRetry(await service.api.get('/v1/pets'), DATABASE_UNAVAILABLE);
      expect(outcome(await service.api.get('/ready'))).toStrictEqual(NOT_READY);
    },
  );

  it('stays unavailable when a lost file returns, because other processes may have used another one', async () => {
    move(file);
    expectRetry(await create(), DATABASE_UNAVAILABLE);
    renameSync(`${file}.moved`, file);
    expectRetry(await create(), DATABASE_UNAVAILABLE);
    expect(outcome(await service.api.get('/ready'))).toStrictEqual(NOT_READY);
  });

  it.each([
    ['deleted', (path: string) => rmSync(path)],
    [
      'replaced',
      (path: string) => {
        renameSync(path, `${path}.moved`);
        writeFileSync(path, '');
      },
    ],
  ])('is not ready once its lock is %s, because a second process could serve the file', async (_, happen) => {
    happen(`${file}-lock`);
    expect(outcome(await service.api.get('/ready'))).toStrictEqual(NOT_READY);
    expectRetry(await create(), DATABASE_UNAVAILABLE);
    // A response may arrive before the line that the service wrote earlier.
    while (errors().length === 0) await delay(20);
    expect(errors()[0]).toEqual({
      context: 'SqliteFileGuard',
      msg: sentenceOf(`${file}-lock`, 'deleted, moved or replaced'),
    });
  });

  it('is not ready once the index of the write-ahead log is deleted', async () => {
    rmSync(`${file}-shm`);
    expect(outcome(await service.api.get('/ready'))).toStrictEqual(NOT_READY);
    expectRetry(await create(), DATABASE_UNAVAILABLE);
  });
});

describe('a creation', () => {
  it.each(['', '-wal'])(
    'is not acknowledged when a file disappears during its commit: the database%s',
    async (suffix) => {
      const { app, api, databaseUrl } = await startApp();
      const dataSource = app.get(ServedDatabase).dataSource;
      sqliteConnection(dataSource).function('remove_file', () => {
        rmSync(`${sqliteFile(databaseUrl)}${suffix}`, { force: true });
        return 0;
      });
      await dataSource.query('CREATE TEMP TRIGGER "remove" AFTER INSERT ON "pets" BEGIN SELECT remove_file(); END');
      const responses = await Promise.all(numbered(3, { categoryId: 7 }).map((pet) => api.post('/v1/pets', pet)));
      for (const response of responses) expectRetry(response, DATABASE_UNAVAILABLE);
    },
  );
});
