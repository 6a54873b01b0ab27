import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { requiredTables } from '../../src/platform/database/tables/capabilities.js';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import { type Outcome, outcome } from '../properties/outcome.js';
import { createDatabase, onServer, type TestDatabase } from '../support/databases/databases.js';
import { whileLocked } from '../support/outages.js';
import { startApp, type StartedApp } from '../support/start-app.js';

const CHECKS = { database: true, migrations: true, reads: true, writes: true, notDraining: true };
const READY = { status: 200, body: { status: 'ready', checks: CHECKS } };

/** The service logs in as this user, who owns nothing. */
let user: string;
let database: TestDatabase;
let service: StartedApp;
let owner: StartedApp;

const onDatabase = (statement: string): Promise<unknown> => owner.app.get(ServedDatabase).dataSource.query(statement);
const ready = async () => outcome(await service.api.get('/ready'));
/** Asks for ten seconds, five times as long as a lock may last. */
async function untilNotReady(): Promise<Outcome> {
  let answer = await ready();
  for (let attempt = 1; attempt < 200 && answer.status === 200; attempt += 1) {
    await delay(50);
    answer = await ready();
  }
  return answer;
}

/** The statement that the runbook gives. */
const WHO_LOCKS = /SELECT pid, query FROM pg_stat_activity[^`]+/.exec(readFileSync('docs/operations.md', 'utf8'))![0];

const notReady = (missing: Partial<typeof CHECKS>) => ({
  status: 503,
  body: { status: 'not ready', checks: { ...CHECKS, ...missing } },
});

beforeEach(async () => {
  user = `user_${randomBytes(6).toString('hex')}`;
  database = await createDatabase();
  owner = await startApp({ databaseUrl: database.url });
  await onServer(`CREATE ROLE ${user} LOGIN PASSWORD 'secret'`);
  // No more than requests require.
  await onDatabase(`GRANT SELECT ON "migrations", "api_keys" TO ${user}`);
  const { written, changed } = requiredTables(owner.app.get(ServedDatabase).dataSource);
  for (const table of written) await onDatabase(`GRANT SELECT, INSERT ON "${table}" TO ${user}`);
  for (const table of changed) await onDatabase(`GRANT UPDATE, DELETE ON "${table}" TO ${user}`);
  await onDatabase(`GRANT SELECT, INSERT, UPDATE ON "sequences" TO ${user}`);
  await onDatabase(`GRANT SELECT, INSERT, UPDATE, DELETE ON "idempotency_keys" TO ${user}`);
  const address = new URL(database.url);
  Object.assign(address, { username: user, password: 'secret' });
  service = await startApp({ databaseUrl: address.href });
});

afterEach(async () => {
  await service.close();
  await owner.close();
  await database.drop();
  await onServer(`DROP ROLE ${user}`);
});

describe('GET /ready', () => {
  it('reports ready when the service has the privileges that requests require', async () => {
    const headers = { 'idempotency-key': 'a' };
    expect((await service.api.post('/v1/pets', { name: 'Tom', categoryId: 7 })).status).toBe(201);
    expect((await service.api.post('/v1/pets', { name: 'Tom', categoryId: 7 }, { headers })).status).toBe(201);
    expect(await ready()).toStrictEqual(READY);
  });

  it.each([
    ['SELECT', 'pets', { reads: false }],
    ['INSERT', 'pets', { writes: false }],
    ['SELECT', 'sequences', { writes: false }],
    ['INSERT', 'sequences', { writes: false }],
    ['UPDATE', 'sequences', { writes: false }],
    ['INSERT', 'idempotency_keys', { writes: false }],
    ['UPDATE', 'idempotency_keys', { writes: false }],
    ['DELETE', 'idempotency_keys', { writes: false }],
    ['SELECT', 'api_keys', { reads: false }],
    ['SELECT', 'migrations', { migrations: false }],
  ])('reports what is impossible without the privilege to %s on %s', async (privilege, table, missing) => {
    await onDatabase(`REVOKE ${privilege} ON "${table}" FROM ${user}`);
    expect(await ready()).toStrictEqual(notReady(missing));
    await onDatabase(`GRANT ${privilege} ON "${table}" TO ${user}`);
    expect(await ready()).toStrictEqual(READY);
  });

  it.each([
    [
      'a column is renamed',
      'ALTER TABLE "pets" RENAME COLUMN "name" TO "title"',
      'ALTER TABLE "pets" RENAME COLUMN "title" TO "name"',
      { reads: false, writes: false },
    ],
    [
      'no creation fills a column',
      'ALTER TABLE "pets" ADD COLUMN "owner" text NOT NULL',
      'ALTER TABLE "pets" DROP COLUMN "owner"',
      { writes: false },
    ],
  ])('reports what is impossible while %s', async (_, change, undo, missing) => {
    await onDatabase(change);
    expect((await service.api.post('/v1/pets', { name: 'Tom', categoryId: 7 })).status).toBe(500);
    expect(await ready()).toStrictEqual(notReady(missing));
    await onDatabase(undo);
    expect(await ready()).toStrictEqual(READY);
  });

  it.each([
    ['has a default', `text NOT NULL DEFAULT 'nobody'`],
    ['may be empty', 'text'],
    ['counts', 'bigint GENERATED ALWAYS AS IDENTITY'],
  ])('reports ready beside a column of a later release that %s', async (_, type) => {
    await onDatabase(`ALTER TABLE "pets" ADD COLUMN "owner" ${type}`);
    expect((await service.api.post('/v1/pets', { name: 'Tom', categoryId: 7 })).status).toBe(201);
    expect(await ready()).toStrictEqual(READY);
  });

  it('reports that a read-only database accepts no writes', async () => {
    // Only new connections notice.
    await onDatabase(
      `ALTER DATABASE "${new URL(database.url).pathname.slice(1)}" SET default_transaction_read_only = on`,
    );
    const later = await startApp({ databaseUrl: database.url });
    expect((await later.api.post('/v1/pets', { name: 'Tom', categoryId: 7 })).status).toBe(503);
    expect(outcome(await later.api.get('/ready'))).toStrictEqual(notReady({ writes: false }));
    await later.close();
  });

  it.each([
    ['locks a table', 'LOCK TABLE "pets" IN ACCESS EXCLUSIVE MODE', { reads: false, writes: false }],
    ['builds an index', 'CREATE INDEX "later" ON "pets" ("status")', { writes: false }],
    ['keeps the ids', 'LOCK TABLE "sequences" IN EXCLUSIVE MODE', { writes: false }],
  ])('reports what is impossible while another transaction %s for long', async (_, statement, missing) => {
    const other = new Client({ connectionString: database.url });
    await other.connect();
    await other.query(`BEGIN; ${statement}`);
    expect(await ready()).toStrictEqual(READY);
    expect(await untilNotReady()).toStrictEqual(notReady(missing));
    await other.query('ROLLBACK');
    expect(await ready()).toStrictEqual(READY);
    await other.end();
  });

  it('reports what is impossible while a lock that is awaited keeps everybody waiting', async () => {
    const [reader, waiting] = [1, 2].map(() => new Client({ connectionString: database.url }));
    await Promise.all([reader!.connect(), waiting!.connect()]);
    await reader!.query('BEGIN; SELECT FROM "pets"');
    const locked = waiting!.query('BEGIN; LOCK TABLE "pets" IN ACCESS EXCLUSIVE MODE');
    expect(await untilNotReady()).toStrictEqual(notReady({ reads: false, writes: false }));
    expect(await onDatabase(WHO_LOCKS)).toEqual(
      expect.arrayContaining([
        { pid: expect.any(Number), query: 'BEGIN; SELECT FROM "pets"' },
        { pid: expect.any(Number), query: 'BEGIN; LOCK TABLE "pets" IN ACCESS EXCLUSIVE MODE' },
      ]),
    );
    await reader!.end();
    await locked;
    await waiting!.end();
    expect(await ready()).toStrictEqual(READY);
  });

  it('reports ready while transactions lock a table one after another', async () => {
    const other = new Client({ connectionString: database.url });
    await other.connect();
    const end = performance.now() + 3000;
    while (performance.now() < end) {
      await other.query('BEGIN; LOCK TABLE "pets" IN EXCLUSIVE MODE');
      expect(await ready()).toStrictEqual(READY);
      await other.query('COMMIT');
    }
    await other.end();
  });

  it('reports ready while another process writes to the database', async () => {
    expect(await whileLocked(database.url, ready)).toStrictEqual(READY);
  });
});
