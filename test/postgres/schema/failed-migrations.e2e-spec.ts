import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { ServedDatabase } from '../../../src/platform/database/served/served-database.js';
import { openDataSource } from '../../../src/platform/database/open-database.js';
import {
  creating,
  MigratedDatabase,
  nameOfStep,
  stepOf,
  type Up,
} from '../../database/migrations/migrated-database.js';
import { createEmptyDatabase, onServer } from '../../support/databases/databases.js';
import { patientConfig } from '../../support/databases/time-limits.js';
import { startRefusal } from '../../support/start-app.js';
import { UnsteadyNetwork } from '../../support/http/unsteady-network.js';

const END_SESSION = 'SELECT pg_terminate_backend(pg_backend_pid())';

const database = new MigratedDatabase();
let served: ServedDatabase | undefined;

beforeAll(() => Logger.overrideLogger(false));

afterEach(async () => {
  await served?.close();
  served = undefined;
});

/** Starts a service that migrates, with this migration. */
async function start(
  up: Up,
  url = database.url,
  report?: (migrations: readonly string[], isNew: boolean) => void,
): Promise<ServedDatabase> {
  const create = creating([], [stepOf(1, up)]);
  const config = patientConfig(url);
  const dataSource = await create(config);
  served = await ServedDatabase.open(dataSource, (claim) =>
    openDataSource(dataSource, create, config, { migrate: true, claim, ...(report && { report }) }),
  );
  return served;
}

/** Waits until the service opens its database, in a later attempt. */
async function expectOpenLater(waiting: ServedDatabase): Promise<void> {
  expect(waiting.isOpen).toBe(false);
  waiting.onApplicationBootstrap();
  await waiting.opened;
  expect(waiting.isOpen).toBe(true);
}

describe('a start that migrates', () => {
  it.each([
    ['any error', undefined],
    ['an error of another server', 'ECONNREFUSED'],
  ])('stops with its message when a migration throws %s', async (_, code) => {
    const error = Object.assign(new Error('pet 7 has no owner'), code !== undefined && { code });
    const message = await startRefusal(start(() => Promise.reject(error)));
    const reason = code === undefined ? error.message : `${code}: ${error.message}`;
    expect(message).toBe(`${nameOfStep(1)} failed and was undone: ${reason}; correct it, or the rows that it changes.`);
  });

  it.each<[string, Up]>([
    ['', (runner) => runner.query(END_SESSION)],
    [', whose client it uses', async (runner) => ((await runner.connect()) as Client).query(END_SESSION)],
  ])('tries again later when PostgreSQL ends the connection of a migration%s', async (_, end) => {
    let attempts = 0;
    const waiting = await start(async (runner) => {
      attempts += 1;
      if (attempts === 1) await end(runner);
    });
    await expectOpenLater(waiting);
    expect(attempts).toBe(2);
  });

  it('tries again later when the connection of a migration is lost between two statements', async () => {
    let attempts = 0;
    const waiting = await start(async (runner) => {
      attempts += 1;
      if (attempts > 1) return;
      const [session] = (await runner.query('SELECT pg_backend_pid() AS "pid"')) as { pid: number }[];
      await onServer('SELECT pg_terminate_backend($1)', [session?.pid]);
      while (!runner.isReleased) await delay(10);
      await runner.query('SELECT 1');
    });
    await expectOpenLater(waiting);
    expect(attempts).toBe(2);
  });

  it('tries again later when the connection that holds the lock is lost', async () => {
    const waiting = await start(async () => {
      await onServer(
        `SELECT pg_terminate_backend("pid", 10000) FROM "pg_locks" JOIN "pg_database" ON "pg_database"."oid" = "database"
          WHERE "locktype" = 'advisory' AND "datname" = $1`,
        [new URL(database.url).pathname.slice(1)],
      );
      // The end of the connection arrives.
      await delay(200);
    });
    await expectOpenLater(waiting);
  });

  it('reports once that it has created a database, even if a later migration fails for a moment', async () => {
    const empty = await createEmptyDatabase();
    const reported: [string | undefined, boolean][] = [];
    let attempts = 0;
    const waiting = await start(
      async (runner) => {
        attempts += 1;
        if (attempts === 1) await runner.query(END_SESSION);
      },
      empty.url,
      (migrations, isNew) => reported.push([migrations.at(-1), isNew]),
    );
    await expectOpenLater(waiting);
    await served?.close();
    await empty.drop();
    expect(reported).toEqual([
      [expect.not.stringContaining(nameOfStep(1)), true],
      [nameOfStep(1), false],
    ]);
  });

  it('tries again later when the network breaks in the middle of a migration', async () => {
    const network = await UnsteadyNetwork.to(database.url);
    let attempts = 0;
    const waiting = await start(async (runner) => {
      attempts += 1;
      if (attempts > 1) return;
      const [error] = await Promise.all([
        runner.query('SELECT pg_sleep(60)').catch((caught: unknown) => caught),
        network.close(),
      ]);
      throw error;
    }, network.url);
    await network.open();
    await expectOpenLater(waiting);
    expect(attempts).toBe(2);
    await served?.close();
    await network.close();
  });
});
