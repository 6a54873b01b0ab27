import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Connection, Pool } from 'pg';
import { createDataSource } from '../../../src/data-source.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { Database } from '../../../src/platform/database/database.js';
import { PostgresClient } from '../../../src/platform/database/postgres/postgres-client.js';
import { postgresName } from '../../../src/platform/database/postgres/postgres.js';
import { TransactionConnection } from '../../../src/platform/database/postgres/tables/transaction-connection.js';
import { DatabaseUnavailable } from '../../../src/platform/database/tables/database-unavailable.js';
import { StartError } from '../../../src/platform/process/start-error.js';
import { DATABASE_UNAVAILABLE, outcome } from '../../properties/outcome.js';
import { type RunningPostgres, runPostgres } from '../../support/databases/run-postgres.js';
import { errorMessageOf, runCommand } from '../../support/built-service.js';
import { patientConfig, STRETCHED } from '../../support/databases/time-limits.js';
import { expectRetry } from '../../support/outages.js';
import { startApp } from '../../support/start-app.js';

const REX = { name: 'Rex', categoryId: 7 };
const NOT_READY = { database: false, migrations: false, reads: false, writes: false, notDraining: true };

// test/run.mjs sets it.
const newDirectory = (): string => join(process.env.TEST_RUN_DIRECTORY!, `postgres-${randomBytes(4).toString('hex')}`);

let primary: RunningPostgres;
let standby: RunningPostgres;

beforeAll(async () => {
  const directory = newDirectory();
  primary = await runPostgres(directory);
  await (await openDatabase(createDataSource, patientConfig(primary.url), { migrate: true })).destroy();
  standby = await runPostgres(newDirectory(), { primary: { url: primary.url, directory } });
}, 120_000);

afterAll(async () => {
  await standby.stop();
  await primary.stop();
});

describe('an address that leads to a standby', () => {
  it.each([false, true])('is refused by commands in one sentence; behind a pooler: %s', async (databasePooler) => {
    const config = { ...patientConfig(standby.url), databasePooler };
    await expect(openDatabase(createDataSource, config, { migrate: true })).rejects.toEqual(
      new StartError(
        `The database ${postgresName(standby.url)} cannot be opened: its server is a standby; promote it, or give the address of the primary.`,
      ),
    );
  });

  it.each([
    ['--from', '--to'],
    ['--to', '--from'],
  ])(
    'is refused by db:copy in one sentence: %s',
    async (option, other) => {
      const options = [option, standby.url, other, primary.url];
      expect(errorMessageOf(await runCommand('unused', ['src/commands/db-copy.js', ...options]))).toBe(
        `The database ${postgresName(standby.url)} cannot be opened: its server is a standby; promote it, or give the address of the primary.`,
      );
    },
    240_000,
  );

  it('makes a transaction unavailable, and its connection ends, when a pooler turns to the standby later', async () => {
    // A connection that was made to the primary.
    const pool = new Pool({ connectionString: standby.url, max: 1, Client: PostgresClient });
    const transaction = await TransactionConnection.of(pool, false, Infinity);
    const begun = transaction.session.runAll(['BEGIN ISOLATION LEVEL SERIALIZABLE']);
    const error: unknown = await begun.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    await transaction.rollBack((error as DatabaseUnavailable).cause);
    expect(pool.totalCount).toBe(0);
    await pool.end();
  });

  it('serves nothing that is old, and works as soon as that standby is the primary', async () => {
    const { app, api } = await startApp({ databaseUrl: standby.url, ...STRETCHED });
    expectRetry(await api.get('/v1/pets'), DATABASE_UNAVAILABLE);
    expectRetry(await api.post('/v1/pets', REX), DATABASE_UNAVAILABLE);
    await expect(app.get(Database).transaction(() => Promise.resolve())).rejects.toThrow(DatabaseUnavailable);
    expect(outcome(await api.get('/ready'))).toEqual({
      status: 503,
      body: { status: 'not ready', checks: NOT_READY },
    });
    const administrator = new Connection(standby.url);
    await administrator.connect();
    await administrator.query('SELECT pg_promote()');
    await administrator.end();
    while ((await api.get('/ready')).status !== 200) await delay(20);
    expect(outcome(await api.post('/v1/pets', REX))).toEqual({ status: 201, body: { id: 1, ...REX } });
    await app.close();
  });
});
