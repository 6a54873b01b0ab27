import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { ApiKeys } from '../../../src/auth/api-keys.js';
import { Database } from '../../../src/platform/database/database.js';
import { ServedDatabase } from '../../../src/platform/database/served/served-database.js';
import { DatabaseUnavailable } from '../../../src/platform/database/tables/database-unavailable.js';
import { adminUrl, metricsOf } from '../../observability/metrics.js';
import { DATABASE_UNAVAILABLE, INVALID_KEY, MISSING_KEY, outcome } from '../../properties/outcome.js';
import {
  errorMessageOf,
  runService,
  startService,
  stopService,
  temporaryDirectory,
} from '../../support/built-service.js';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../support/databases/databases.js';
import { runPostgres } from '../../support/databases/run-postgres.js';
import { UnsteadyNetwork } from '../../support/http/unsteady-network.js';
import { expectRetry } from '../../support/outages.js';
import { startApp, type StartedApp } from '../../support/start-app.js';
import { STRETCHED } from '../../support/databases/time-limits.js';

/** Milliseconds for a few processes, and possibly a build. */
const TIME = 240_000;
const REX = { name: 'Rex', categoryId: 7 };
const CHECKS = { database: true, migrations: true, reads: true, writes: true, notDraining: true };
const NOT_READY = { database: false, migrations: false, reads: false, writes: false, notDraining: true };

let database: TestDatabase;
/** Leads to the database, and is closed at first. */
let network: UnsteadyNetwork;

async function closedNetworkTo({ url }: TestDatabase): Promise<UnsteadyNetwork> {
  const closed = await UnsteadyNetwork.to(url);
  await closed.close();
  return closed;
}

async function untilReady({ api }: StartedApp): Promise<void> {
  while ((await api.get('/ready')).status !== 200) await delay(5);
}

beforeEach(async () => {
  database = await createDatabase();
  network = await closedNetworkTo(database);
});

afterEach(async () => {
  jest.restoreAllMocks();
  // A network that a test leaves closed cannot be closed again.
  await network.close().catch(() => undefined);
  await database.drop();
});

/** A key in the database, which a service that runs meanwhile does not know. */
async function createKey(): Promise<string> {
  const owner = await startApp({ databaseUrl: database.url });
  const key = (await owner.app.get(ApiKeys).create('shop'))!;
  await owner.close();
  return key;
}

describe('a service that starts while PostgreSQL is down', () => {
  it('serves metrics and health on its admin port, and those of the connections once it is open', async () => {
    const service = await startApp({
      databaseUrl: network.url,
      databaseReadUrls: [network.url],
      adminPort: 0,
      ...STRETCHED,
    });
    const { app } = service;
    const primary = 'database_pool_waiting{server="primary"}';
    expect((await fetch(`${adminUrl(app)}/ready`)).status).toBe(503);
    const series = await metricsOf(app);
    expect(series.get('http_server_requests_in_flight')).toBe(0);
    expect(series.has(primary)).toBe(false);
    await network.open();
    await untilReady(service);
    expect((await metricsOf(app)).get(primary)).toBe(0);
    await service.close();
  });

  it('responds with 503, and with 401 only when no key can be valid', async () => {
    const service = await startApp({ databaseUrl: network.url, ...STRETCHED });
    const { api } = service;
    expect((await api.get('/live')).status).toBe(200);
    expect(outcome(await api.get('/ready'))).toStrictEqual({
      status: 503,
      body: { status: 'not ready', checks: NOT_READY },
    });
    for (const key of [service.key, 'another-key']) {
      expectRetry(await api.get('/v1/pets', { key }), DATABASE_UNAVAILABLE);
      expectRetry(await api.get('/v1/pets/1', { key }), DATABASE_UNAVAILABLE);
      expectRetry(await api.post('/v1/pets', REX, { key }), DATABASE_UNAVAILABLE);
    }
    expect(outcome(await api.get('/v1/pets', { key: null }))).toStrictEqual(MISSING_KEY);
    await expect(service.app.get(Database).transaction(() => Promise.resolve())).rejects.toThrow(DatabaseUnavailable);
    await service.close();
  });

  it('works as soon as it is ready, with the keys in the database', async () => {
    const key = await createKey();
    const service = await startApp({ databaseUrl: network.url, ...STRETCHED });
    const { api } = service;
    expectRetry(await api.get('/v1/pets', { key }), DATABASE_UNAVAILABLE);
    // A key that cannot be read yet.
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE "api_keys" IN ACCESS EXCLUSIVE MODE');
    await network.open();
    while (!service.app.get(ServedDatabase).dataSource.isInitialized) await delay(1);
    await delay(300);
    expect((await api.get('/ready')).status).toBe(503);
    await holder.end();
    await untilReady(service);
    expect(outcome(await api.post('/v1/pets', REX, { key }))).toStrictEqual({ status: 201, body: { id: 1, ...REX } });
    expect(outcome(await api.get('/v1/pets/1', { key }))).toStrictEqual({ status: 200, body: { id: 1, ...REX } });
    expect(outcome(await api.get('/v1/pets', { key: 'another-key' }))).toStrictEqual(INVALID_KEY);
    expect(outcome(await api.get('/ready'))).toStrictEqual({ status: 200, body: { status: 'ready', checks: CHECKS } });
    expect(await service.app.get(Database).transaction(() => Promise.resolve(7))).toBe(7);
    await service.close();
  });

  it('opens a database that becomes unavailable again while it is being opened', async () => {
    const key = await createKey();
    const service = await startApp({ databaseUrl: network.url, ...STRETCHED });
    for (let cut = 0; cut < 3; cut += 1) {
      await network.open();
      while (!service.app.get(ServedDatabase).dataSource.isInitialized) await delay(1);
      await network.close();
    }
    await network.open();
    await untilReady(service);
    expect((await service.api.get('/v1/pets', { key })).status).toBe(200);
    await service.close();
  });

  it.each([1, 3])(
    'waits for the keys when they cannot be read in time once the database is open: %d times',
    async (times) => {
      const key = await createKey();
      const owner = new Client({ connectionString: database.url });
      await owner.connect();
      await owner.query('BEGIN; LOCK TABLE "api_keys" IN ACCESS EXCLUSIVE MODE');
      const attempts = jest.spyOn(ApiKeys.prototype, 'valid');
      const service = await startApp({ databaseUrl: database.url, databaseStatementTimeout: 300 });
      const served = service.app.get(ServedDatabase);
      const untilFailed = async (count: number) => {
        // Each attempt begins after the one before it has failed.
        while (attempts.mock.calls.length <= count && !served.isOpen) await Promise.race([delay(5), served.opened]);
      };
      await untilFailed(times);
      expectRetry(await service.api.get('/v1/pets', { key }), DATABASE_UNAVAILABLE);
      expect((await service.api.get('/ready')).status).toBe(503);
      await owner.query('ROLLBACK');
      await owner.end();
      // On a busy machine, a statement may still take longer than 300 ms.
      await untilFailed(times + 10);
      expect(served.isOpen).toBe(true);
      await untilReady(service);
      const create = () => service.api.post('/v1/pets', REX, { key });
      let created = await create();
      while (created.status === 503) created = await create();
      expect(created.status).toBe(201);
      expect(outcome(await service.api.get('/v1/pets', { key: 'another-key' }))).toStrictEqual(INVALID_KEY);
      await service.close();
    },
  );

  it('refuses a database of another release that it finds later', async () => {
    await network.close().catch(() => undefined);
    const empty = await createEmptyDatabase();
    network = await closedNetworkTo(empty);
    const service = await startApp({ databaseUrl: network.url, ...STRETCHED });
    await network.open();
    await expect(service.app.get(ServedDatabase).opened).rejects.toThrow(
      /^The schema of \S+ is older than this release; run "npm run migrate" first/,
    );
    expect((await service.api.get('/ready')).status).toBe(503);
    await service.close();
  });
});

describe('the process of a service that starts while PostgreSQL is down', () => {
  it(
    'logs when it waits, when the database is open, and when it has stopped',
    async () => {
      const service = await startService(network.url, { LOG_LEVEL: 'info' });
      await network.open();
      while ((await service.api.get('/ready')).status !== 200) await delay(20);
      await stopService(service);
      const lines = service.output.stderr.trimEnd().split('\n');
      const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(entries.map(({ msg }) => msg)).toEqual([
        'The database is unavailable; requests fail with 503 until it responds.',
        'The database is open.',
        'The service has stopped, and its database is closed.',
      ]);
      expect(entries[0]).toMatchObject({
        level: 40,
        context: 'Database',
        reason: expect.stringMatching(/ECONNREFUSED/),
      });
      expect(entries[2]).toMatchObject({ level: 30, signal: 'SIGTERM' });
    },
    TIME,
  );

  it(
    'ends with one sentence when the database it finds later has another schema',
    async () => {
      const empty = await createEmptyDatabase();
      const later = await closedNetworkTo(empty);
      const service = await startService(later.url);
      expect((await service.api.get('/v1/pets')).status).toBe(503);
      await later.open();
      expect(await service.exit).toEqual({ code: 1, signal: null });
      expect(service.output.stderr).toMatch(/^The schema of \S+ is older than this release; [^\n]+\.\n$/);
      await later.close();
    },
    TIME,
  );

  it(
    'stops at once with exit code 0 while it waits, also when PostgreSQL does not respond',
    async () => {
      const service = await startService(network.url, { DATABASE_CONNECT_TIMEOUT_MS: '120000' });
      network.jam();
      await network.open();
      // Longer than the pause before the second attempt.
      await delay(600);
      await stopService(service);
      expect(service.output.stderr).toBe('');
    },
    TIME,
  );

  it(
    'ends with one sentence when a password is missing that the server never sees',
    async () => {
      const folder = temporaryDirectory();
      const rules = join(folder, 'pg_hba.conf');
      writeFileSync(rules, 'host all all 127.0.0.1/32 scram-sha-256\n');
      // For the user of the server.
      chmodSync(folder, 0o755);
      const settings = { hba_file: rules, password_encryption: 'scram-sha-256' };
      const server = await runPostgres(join(process.env.TEST_RUN_DIRECTORY!, 'with-scram'), { settings });
      const url = new URL(server.url);
      url.password = '';
      expect(errorMessageOf(await runService(url.href))).toMatch(
        /: SASL: .*client password must be a .*string; add the password to the address\.$/,
      );
      await server.stop();
    },
    TIME,
  );

  it.each<[string, (url: URL) => void, RegExp]>([
    ['the password is wrong', (url) => (url.password = 'battery-staple'), /password authentication failed/],
    ['the password is missing', (url) => (url.password = ''), /empty password .*; correct the user or password/],
    ['the database does not exist', (url) => (url.pathname = '/nothing'), /"nothing" does not exist/],
    ['the server does not support TLS', (url) => (url.search = '?sslmode=verify-full'), /does not support SSL/],
    [
      'the CA certificate is missing',
      (url) => (url.search = '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'),
      /ENOENT/,
    ],
  ])(
    'ends with one sentence when waiting would not help: %s',
    async (_, change, reason) => {
      const url = new URL(database.url);
      change(url);
      expect(errorMessageOf(await runService(url.href))).toMatch(reason);
    },
    TIME,
  );
});
