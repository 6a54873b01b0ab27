import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { sqliteFile } from '../../src/platform/database/sqlite/sqlite.js';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import { closeDatabase, expectRetry } from '../support/outages.js';
import { DATABASE_UNAVAILABLE, FAILED, outcome } from '../properties/outcome.js';
import { addPet, addPets, numbered, type Pet, storePets, walk } from '../support/pets.js';
import type { HttpResponse } from '../support/http/http-response.js';
import { untilServed } from '../support/http/until-served.js';
import { startApp, type StartedApp } from '../support/start-app.js';

let service: StartedApp;
/** The connection of another process to the same database. */
let other: Database.Database;

beforeEach(async () => {
  service = await startApp();
  other = new Database(sqliteFile(service.databaseUrl));
});

afterEach(async () => {
  jest.restoreAllMocks();
  other.close();
  await service.close();
});

const READY = { database: true, migrations: true, reads: true, writes: true, notDraining: true };

/** Milliseconds for which a lock is short: a write waits ten times as long for it. */
const SHORT = 50;

/** Stops the clock by which a write waits for a lock, so that a pause of this process takes nothing of that time. */
const stopClock = () => jest.spyOn(performance, 'now').mockReturnValue(performance.now());

/** Locks the database, and unlocks it soon after the service has received the next request. */
function lockShortly(): void {
  stopClock();
  other.exec('BEGIN IMMEDIATE');
  service.app.getHttpServer().once('request', () => setTimeout(() => other.exec('COMMIT'), SHORT));
}

const create = (name = 'Tom'): Promise<HttpResponse> =>
  untilServed(() => service.api.post('/v1/pets', { name, categoryId: 7 }));
const list = (): Promise<HttpResponse> => untilServed(() => service.api.get('/v1/pets'));

const OPERATIONS: [string, () => Promise<HttpResponse>][] = [
  ['GET /v1/pets', list],
  ['GET /v1/pets with a filter', () => service.api.get('/v1/pets?status=sold&limit=1')],
  ['POST /v1/pets', create],
  ['GET /v1/pets/1', () => service.api.get('/v1/pets/1')],
];

function expectUnavailable(response: HttpResponse): void {
  expectRetry(response, DATABASE_UNAVAILABLE);
}

describe('a database that another process has locked for writing', () => {
  it('rejects creations with 503 until it is unlocked', async () => {
    other.exec('BEGIN IMMEDIATE');
    expectUnavailable(await create());
    other.exec('ROLLBACK');
    expect(outcome(await create())).toEqual({ status: 201, body: { id: 1, name: 'Tom', categoryId: 7 } });
    expect((await list()).json).toEqual([{ id: 1, name: 'Tom', categoryId: 7 }]);
  });

  it('accepts creations when the lock is released soon', async () => {
    lockShortly();
    const responses = await Promise.all([create(), create()]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
  });

  it('is not ready for writes until it is unlocked', async () => {
    other.exec('BEGIN IMMEDIATE');
    expect(outcome(await service.api.get('/ready'))).toStrictEqual({
      status: 503,
      body: { status: 'not ready', checks: { ...READY, writes: false } },
    });
    other.exec('ROLLBACK');
    expect(outcome(await service.api.get('/ready'))).toStrictEqual({
      status: 200,
      body: { status: 'ready', checks: READY },
    });
  });

  it('is ready when the lock is released soon', async () => {
    lockShortly();
    expect((await service.api.get('/ready')).status).toBe(200);
  });

  it('serves reads while a creation waits for the lock', async () => {
    const clock = stopClock();
    other.exec('BEGIN IMMEDIATE');
    const wait = { isOver: false };
    const creation = create().finally(() => (wait.isOver = true));
    await once(service.app.getHttpServer(), 'request');
    for (let reads = 0; reads < 3; reads += 1) expect((await list()).status).toBe(200);
    expect(wait.isOver).toBe(false);
    clock.mockRestore();
    expectUnavailable(await creation);
    // SQLite's own wait would occupy the thread.
    expect(await service.app.get(ServedDatabase).dataSource.query('PRAGMA busy_timeout')).toEqual([{ timeout: 0 }]);
  });

  it('rejects concurrent creations with 503 after a single wait', async () => {
    // Open the connections first, so that the creations arrive together.
    await Promise.all(Array.from({ length: 50 }, list));
    other.exec('BEGIN IMMEDIATE');
    const start = performance.now();
    expectUnavailable(await create());
    const wait = performance.now() - start;
    for (const response of await Promise.all(Array.from({ length: 50 }, () => create()))) expectUnavailable(response);
    expect(performance.now() - start - wait).toBeLessThan(10 * wait);
    other.exec('ROLLBACK');
    expect(outcome(await list())).toEqual({ status: 200, body: [] });
  });

  it('still serves reads', async () => {
    const rex = await addPet(service.api);
    other.exec('BEGIN IMMEDIATE');
    expect((await list()).json).toEqual([rex]);
    expect((await service.api.get('/v1/pets/1')).json).toEqual(rex);
    other.exec('ROLLBACK');
  });
});

describe('a readiness check', () => {
  it('writes nothing', async () => {
    const log = `${sqliteFile(service.databaseUrl)}-wal`;
    const stored = () => ({ version: other.pragma('data_version'), log: statSync(log).mtimeMs });
    const before = stored();
    expect((await service.api.get('/ready')).status).toBe(200);
    expect(stored()).toEqual(before);
    await addPet(service.api);
    expect(stored()).not.toEqual(before);
  });
});

describe('a table with a column that the service does not know', () => {
  const NOT_READY = { status: 503, body: { status: 'not ready', checks: { ...READY, writes: false } } };

  it.each([
    ['requires a value', 'text NOT NULL', NOT_READY],
    ['requires a value, with a default of null', 'text NOT NULL DEFAULT NULL', NOT_READY],
    ['may be null', 'text', { status: 200, body: { status: 'ready', checks: READY } }],
    ['has a default', `text NOT NULL DEFAULT 'nobody'`, { status: 200, body: { status: 'ready', checks: READY } }],
  ])('is ready for writes unless the column %s', async (_, owner, expected) => {
    // SQLite adds no column that requires a value to a table that exists.
    const statement = other.prepare(`SELECT "sql" FROM "sqlite_master" WHERE "name" = 'pets'`).pluck().get() as string;
    other.exec(`DROP TABLE "pets"; ${statement.replace('(', `("owner" ${owner}, `)}`);
    expect(outcome(await create()).status).toBe(expected.status === 200 ? 201 : 500);
    expect(outcome(await service.api.get('/ready'))).toStrictEqual(expected);
  });
});

describe('a read-only database', () => {
  it('is not ready for writes', async () => {
    const dataSource = service.app.get(ServedDatabase).dataSource;
    await dataSource.query('PRAGMA query_only = 1');
    expectUnavailable(await create());
    expect(outcome(await service.api.get('/ready'))).toStrictEqual({
      status: 503,
      body: { status: 'not ready', checks: { ...READY, writes: false } },
    });
  });
});

describe('a full database', () => {
  it('rejects creations with 503, serves reads, and accepts creations when there is space again', async () => {
    const rex = await addPet(service.api);
    const dataSource = service.app.get(ServedDatabase).dataSource;
    const [{ page_count: pages }] = await dataSource.query('PRAGMA page_count');
    await dataSource.query(`PRAGMA max_page_count = ${pages}`);
    expectUnavailable(await create('x'.repeat(90_000)));
    expect((await list()).json).toEqual([rex]);
    await dataSource.query('PRAGMA max_page_count = 100000');
    expect(outcome(await create())).toEqual({ status: 201, body: { id: 2, name: 'Tom', categoryId: 7 } });
  });
});

describe('a closed database', () => {
  it.each(OPERATIONS)('returns 503 for %s', async (_, call) => {
    await closeDatabase(service);
    expectUnavailable(await call());
  });

  it('fails readiness, but not liveness', async () => {
    await closeDatabase(service);
    expect((await service.api.get('/live')).status).toBe(200);
    expect(await service.api.get('/ready')).toMatchObject({ status: 503, json: { checks: { database: false } } });
  });
});

describe('a database with missing tables', () => {
  it.each(OPERATIONS)('returns 500 for %s, without details', async (_, call) => {
    await addPet(service.api);
    other.exec('DROP TABLE "pets"');
    const response = await call();
    expect(outcome(response)).toEqual(FAILED);
    expect(response.rawHeaders.join()).not.toMatch(/sqlite|\.[jt]s|node_modules/i);
  });

  it('returns 500 for creations only while the table of sequences is missing', async () => {
    other.exec('ALTER TABLE "sequences" RENAME TO "hidden"');
    expect(outcome(await create())).toEqual(FAILED);
    other.exec('ALTER TABLE "hidden" RENAME TO "sequences"');
    expect(outcome(await create())).toEqual({ status: 201, body: { id: 1, name: 'Tom', categoryId: 7 } });
  });

  it('returns 500 for a creation when all ids are used up', async () => {
    other.prepare(`INSERT OR REPLACE INTO "sequences" VALUES ('pets', ?)`).run(2n ** 63n - 2n);
    const last = { id: 2n ** 63n - 1n, name: 'Tom', categoryId: 7 };
    expect(outcome(await create())).toEqual({ status: 201, body: last });
    expect(outcome(await create())).toEqual(FAILED);
    expect(outcome(await list())).toEqual({ status: 200, body: [last] });
  });

  it('still accepts the known keys', async () => {
    other.exec('DROP TABLE "api_keys"');
    expect(outcome(await list())).toEqual({ status: 200, body: [] });
  });
});

describe('an id', () => {
  it('is greater than those of all rows, even of rows inserted by hand', async () => {
    const [first] = await addPets(service.api, numbered(1));
    await storePets(service, [{ id: Number(first!.id) + 5, name: 'stray', categoryId: 1 }]);
    expect(outcome(await create())).toEqual({
      status: 201,
      body: { id: Number(first!.id) + 6, name: 'Tom', categoryId: 7 },
    });
  });

  it('is greater than the last one in "sequences"', async () => {
    other.exec(`INSERT INTO "sequences" VALUES ('pets', 7)`);
    expect(outcome(await create())).toEqual({ status: 201, body: { id: 8, name: 'Tom', categoryId: 7 } });
    expect(outcome(await create())).toEqual({ status: 201, body: { id: 9, name: 'Tom', categoryId: 7 } });
  });
});

describe('a failed creation', () => {
  /** Creates pets concurrently and separates them by their responses. */
  async function createTogether(names: readonly string[]): Promise<{ rejected: HttpResponse[]; added: Pet[] }> {
    const responses = await Promise.all(names.map(create));
    return {
      rejected: responses.filter(({ status }) => status !== 201),
      added: responses.filter(({ status }) => status === 201).map(({ json }) => json as Pet),
    };
  }

  const names = numbered(20).map(({ name }) => name!);

  it.each(['ABORT', 'FAIL', 'ROLLBACK'])(
    'does not affect concurrent creations when the database rejects its row with %s',
    async (action) => {
      other.exec(
        `CREATE TRIGGER "refuse" BEFORE INSERT ON "pets" WHEN NEW."name" = 'bad' BEGIN SELECT RAISE(${action}, 'no'); END`,
      );
      const { rejected, added } = await createTogether([...names.slice(0, 10), 'bad', ...names.slice(10)]);
      expect(rejected.map(outcome)).toEqual([FAILED]);
      expect(added.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
      expect(new Set(added.map(({ id }) => id)).size).toBe(names.length);
      expect(await walk(service.api, '/v1/pets?limit=100')).toEqual(
        added.toSorted((a, b) => Number(a.id) - Number(b.id)),
      );
    },
  );
});
