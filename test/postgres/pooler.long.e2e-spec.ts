import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import {
  errorMessageOf,
  type End,
  runCommand,
  runService,
  startService,
  stopService,
} from '../support/built-service.js';
import { livedTime } from '../support/lived-time.js';
import { expectRetry, PROMISED, whileLocked } from '../support/outages.js';
import { DATABASE_UNAVAILABLE, INVALID_KEY, outcome } from '../properties/outcome.js';
import { addPet, idOf, numbered, type Pet, walk } from '../support/pets.js';
import { untilServed } from '../support/http/until-served.js';
import { createDatabase, createEmptyDatabase, onServer, type TestDatabase } from '../support/databases/databases.js';
import { canPool, type Pooler, runPooler, SHARED } from '../support/databases/pooler.js';
import { startApp, type StartedApp } from '../support/start-app.js';
import { fill, sqlite } from './copy/copies.js';
import { stored } from './copy/stored-rows.js';
import { STRETCHED } from '../support/databases/time-limits.js';

/** Milliseconds for several processes, and possibly a build. */
const TIME = 240_000;
const POOLED = { DATABASE_POOLER: 'true' };

const describePooler = canPool() || process.env.CI ? describe : describe.skip;

describePooler('DATABASE_POOLER=true, behind PgBouncer in transaction mode', () => {
  let pooler: Pooler;
  let database: TestDatabase;
  let url: string;

  beforeAll(async () => {
    pooler = await runPooler(process.env.TEST_POSTGRES_URL!);
  }, TIME);

  afterAll(() => pooler.stop());

  beforeEach(async () => {
    database = await createDatabase();
    url = pooler.url(database.url);
  });

  afterEach(() => database.drop());

  const start = (): Promise<StartedApp> => startApp({ databaseUrl: url, databasePooler: true, ...STRETCHED });

  const keys = async (...args: string[]): Promise<string> => {
    const { stdout, ...end } = await runCommand(url, ['src/commands/keys.js', ...args, '--json'], POOLED);
    expect(end).toEqual({ code: 0, signal: null, stderr: '' });
    return stdout;
  };

  const connections = async (): Promise<number> => {
    const name = new URL(database.url).pathname.slice(1);
    return (await onServer('SELECT "pid" FROM "pg_stat_activity" WHERE "datname" = $1', [name])).length;
  };

  it('serves the clients of several services over a few connections', async () => {
    const services = [await start(), await start(), await start()];
    const creations = services.flatMap(({ api }) =>
      numbered(20, { status: 'sold' }).map((pet) => untilServed(() => api.post('/v1/pets', { ...pet, categoryId: 7 }))),
    );
    const created = (await Promise.all(creations)).map(({ json }) => json as Pet);
    expect(created.map(idOf).toSorted((a, b) => a - b)).toEqual(created.map((_, index) => index + 1));
    const reads = services.flatMap(({ api }) =>
      created.map(async (pet) => {
        const found = await untilServed(() => api.get(`/v1/pets/${pet.id}`));
        expect(outcome(found)).toEqual({ status: 200, body: pet });
        expect((await untilServed(() => api.get('/v1/pets?status=sold&limit=3'))).status).toBe(200);
      }),
    );
    await Promise.all(reads);
    const sorted = created.toSorted((a, b) => idOf(a) - idOf(b));
    for (const { api } of services) expect(await walk(api, '/v1/pets?limit=100')).toEqual(sorted);
    expect(await connections()).toBeLessThanOrEqual(SHARED);
    for (const service of services) await service.close();
  }, 120_000);

  it.each([
    ['extra_float_digits', '0'],
    ['DateStyle', 'German'],
    ['array_nulls', 'off'],
  ])('does not start while the "%s" of the database would change values', async (setting, value) => {
    await onServer(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET ${setting} TO ${value}`);
    await expect(start()).rejects.toThrow(`PostgreSQL would not keep every value, because ${setting} is`);
  });

  it('prepares no statements', async () => {
    const { app, api } = await start();
    await addPet(api);
    for (const target of ['/v1/pets', '/v1/pets/1']) expect((await api.get(target)).status).toBe(200);
    expect(await app.get(ServedDatabase).dataSource.query('SELECT "name" FROM "pg_prepared_statements"')).toEqual([]);
    await app.close();
  });

  it('returns 503 in time while a table is locked, and does not store the creations afterwards', async () => {
    const { app, api } = await startApp({ databaseUrl: url, databasePooler: true, ...STRETCHED });
    const startedAt = livedTime();
    const responses = await whileLocked(database.url, () =>
      Promise.all(numbered(20).map((pet) => api.post('/v1/pets', { ...pet, categoryId: 7 }))),
    );
    expect(livedTime() - startedAt).toBeLessThan(PROMISED);
    for (const response of responses) expectRetry(response, DATABASE_UNAVAILABLE);
    expect(outcome(await api.get('/v1/pets'))).toEqual({ status: 200, body: [] });
    expect(outcome(await api.get('/ready'))).toMatchObject({ status: 200 });
    await app.close();
  });

  it('returns 503 while the pooler is down, and recovers', async () => {
    const own = await runPooler(process.env.TEST_POSTGRES_URL!);
    const { app, api } = await startApp({ databaseUrl: own.url(database.url), databasePooler: true });
    const rex = await addPet(api);
    await own.stop();
    expectRetry(await api.get('/v1/pets'), DATABASE_UNAVAILABLE);
    expectRetry(await api.post('/v1/pets', { name: 'Rex', categoryId: 7 }), DATABASE_UNAVAILABLE);
    const again = await runPooler(process.env.TEST_POSTGRES_URL!, own.port);
    expect(outcome(await api.get('/v1/pets'))).toEqual({ status: 200, body: [rex] });
    await app.close();
    await again.stop();
  });

  it(
    'migrates once when many services start together',
    async () => {
      const empty = await createEmptyDatabase();
      const address = pooler.url(empty.url);
      const env = { ...POOLED, MIGRATE_ON_START: 'true' };
      const services = await Promise.all([1, 2, 3].map(() => startService(address, env)));
      for (const { api } of services) expect((await api.get('/v1/pets')).json).toEqual([]);
      await Promise.all(services.map(stopService));
      const { code, stdout } = await runCommand(address, ['src/commands/migrate.js'], POOLED);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^The database \S+ was up to date; no migration ran\.\n$/),
      });
      await empty.drop();
    },
    TIME,
  );

  it(
    'keeps no lock after a migration, although the pooler keeps the session',
    async () => {
      const empty = await createEmptyDatabase();
      const { code } = await runCommand(pooler.url(empty.url), ['src/commands/migrate.js'], POOLED);
      expect(code).toBe(0);
      const name = new URL(empty.url).pathname.slice(1);
      expect(await onServer('SELECT FROM "pg_stat_activity" WHERE "datname" = $1', [name])).not.toEqual([]);
      const locks = await onServer(
        `SELECT "objid" FROM "pg_locks" WHERE "locktype" = 'advisory'
          AND "database" = (SELECT "oid" FROM "pg_database" WHERE "datname" = $1)`,
        [name],
      );
      expect(locks).toEqual([]);
      await empty.drop();
    },
    TIME,
  );

  it(
    'creates and revokes keys, which takes effect in running services',
    async () => {
      const service = await startService(url, POOLED);
      const { key } = JSON.parse(await keys('create', 'app')) as { key: string };
      const list = () => service.api.get('/v1/pets', { key });
      const until = async (status: number): Promise<void> => {
        // How soon it must is tested in `authentication-keys`.
        while ((await list()).status !== status) await delay(25);
      };
      await until(200);
      expect(outcome(await list())).toEqual({ status: 200, body: [] });
      expect(JSON.parse(await keys('revoke', 'app'))).toEqual({ name: 'app', revoked: true });
      await until(401);
      expect(outcome(await list())).toEqual(INVALID_KEY);
      await stopService(service);
    },
    TIME,
  );

  it(
    'copies a database in both directions',
    async () => {
      const copy = (from: string, to: string): Promise<End> =>
        runCommand(to, ['src/commands/db-copy.js', '--from', from, '--to', to], POOLED);
      const [from, back] = [await fill(sqlite(), 12_345), sqlite()];
      expect(await copy(from, url)).toMatchObject({ code: 0 });
      expect(await copy(url, back)).toMatchObject({ code: 0 });
      expect(await stored(back)).toEqual(await stored(from));
      expect(await stored(database.url)).toEqual(await stored(from));
    },
    TIME,
  );

  it(
    'is required: without it the start fails with one sentence',
    async () => {
      expect(errorMessageOf(await runService(url))).toMatch(/unsupported startup parameter: statement_timeout/);
    },
    TIME,
  );
});
