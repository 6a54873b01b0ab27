import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { PetsService } from '../../src/pets/pets.service.js';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import { startService, stopService } from '../support/built-service.js';
import { livedTime } from '../support/lived-time.js';
import { expectRetry, PROMISED, rejectWrites, allowWrites, whileLocked } from '../support/outages.js';
import { STRETCHED } from '../support/databases/time-limits.js';
import { DATABASE_UNAVAILABLE, FAILED, outcome } from '../properties/outcome.js';
import { addPet, addPets, numbered, type Pet, walk } from '../support/pets.js';
import type { HttpResponse } from '../support/http/http-response.js';
import type { Client } from '../support/http/client.js';
import { untilServed } from '../support/http/until-served.js';
import { createDatabase, onServer, type TestDatabase } from '../support/databases/databases.js';
import { startApp, type StartedApp } from '../support/start-app.js';
import { UnsteadyNetwork } from '../support/http/unsteady-network.js';

const LIVE = { status: 200, body: { status: 'live' } };
const READY = {
  status: 'ready',
  checks: { database: true, migrations: true, reads: true, writes: true, notDraining: true },
};
const NOT_READY = {
  status: 'not ready',
  checks: { database: false, migrations: false, reads: false, writes: false, notDraining: true },
};

let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase();
});

afterEach(() => database.drop());

const databaseName = (): string => new URL(database.url).pathname.slice(1);

/** Terminates the connections of all services, as a restart of the server does. */
async function terminateAll(): Promise<number> {
  const rows = await onServer(
    `SELECT pg_terminate_backend("pid") FROM "pg_stat_activity" WHERE "datname" = $1 AND "application_name" = 'pet-store'`,
    [databaseName()],
  );
  return rows.length;
}

const create = (api: Client, name = 'Tom'): Promise<HttpResponse> =>
  untilServed(() => api.post('/v1/pets', { name, categoryId: 7 }));
const get = (api: Client, target: string): Promise<HttpResponse> => untilServed(() => api.get(target));

type Call = (api: Client) => Promise<HttpResponse>;
const OPERATIONS: Call[] = [
  (api) => get(api, '/v1/pets'),
  (api) => get(api, '/v1/pets?status=sold&limit=1'),
  (api) => create(api),
  (api) => get(api, '/v1/pets/1'),
];

/** Sends more concurrent requests of all kinds than there are connections, and expects 503 in time for each. */
async function expectAllUnavailable(api: Client): Promise<void> {
  const start = livedTime();
  const calls = Array.from({ length: 40 }, (_, index) => OPERATIONS[index % OPERATIONS.length]!(api));
  const ready = api.get('/ready');
  const live = await api.get('/live');
  expect(livedTime() - start).toBeLessThan(STRETCHED.databaseConnectTimeout);
  expect(outcome(live)).toEqual(LIVE);
  for (const response of await Promise.all(calls)) expectRetry(response, DATABASE_UNAVAILABLE);
  expect(outcome(await ready)).toEqual({ status: 503, body: NOT_READY });
  expect(livedTime() - start).toBeLessThan(PROMISED);
}

/** Milliseconds until the service is ready again. */
async function timeUntilReady(api: Client): Promise<number> {
  const start = livedTime();
  while ((await api.get('/ready')).status !== 200) await delay(20);
  return livedTime() - start;
}

describe('creations while connections are cut', () => {
  it('return 201 and are stored, or return 503', async () => {
    const { app, api } = await startApp({ databaseUrl: database.url, ...STRETCHED });
    const acknowledged: Pet[] = [];
    const rejected: HttpResponse[] = [];
    const sent = new Set<string>();
    const stopping = new AbortController();

    const write = async (writer: number): Promise<void> => {
      for (let count = 0; !stopping.signal.aborted; count += 1) {
        const name = `pet ${count} of ${writer}`;
        sent.add(name);
        const response = await create(api, name);
        if (response.status === 201) acknowledged.push(response.json as Pet);
        else rejected.push(response);
      }
    };
    const writers = Array.from({ length: 24 }, (_, writer) => write(writer));
    const start = performance.now();
    let cut = 0;
    // A busy machine needs longer to cut enough connections.
    const isEnough = () => cut > 20 && rejected.length > 0 && acknowledged.length > 100;
    for (; performance.now() - start < 3000 || !isEnough(); await delay(Math.random() * 40))
      cut += await terminateAll();
    stopping.abort();
    await Promise.all(writers);

    for (const response of rejected) expectRetry(response, DATABASE_UNAVAILABLE);
    const stored = await walk(api, '/v1/pets?limit=100');
    const byName = new Map(stored.map((pet) => [pet.name, pet]));
    expect(byName.size).toBe(stored.length);
    expect(acknowledged.filter((pet) => byName.get(pet.name)?.id !== pet.id)).toEqual([]);
    expect(stored.filter(({ name }) => !sent.has(name))).toEqual([]);
    expect(outcome(await api.get('/ready'))).toEqual({ status: 200, body: READY });
    await app.close();
  }, 120_000);
});

describe('a service whose PostgreSQL fails', () => {
  let network: UnsteadyNetwork;
  let service: StartedApp;

  beforeEach(async () => {
    network = await UnsteadyNetwork.to(database.url);
    service = await startApp({ databaseUrl: network.url, ...STRETCHED });
    // Open connections before the failure.
    await Promise.all(Array.from({ length: 20 }, () => get(service.api, '/v1/pets')));
  });

  afterEach(async () => {
    network.clear();
    await service.close();
    await network.close().catch(() => undefined);
  });

  it('returns 503 in time while connections are refused, and recovers', async () => {
    const { api } = service;
    const rex = await addPet(api);
    await network.close();
    await expectAllUnavailable(api);
    await expectAllUnavailable(api);
    await network.open();
    expect(await timeUntilReady(api)).toBeLessThan(PROMISED);
    expect(outcome(await api.get('/v1/pets'))).toEqual({ status: 200, body: [rex] });
    expect((await create(api)).status).toBe(201);
  });

  it('returns 503 in time while PostgreSQL does not respond, and recovers', async () => {
    const { api } = service;
    const rex = await addPet(api);
    network.jam();
    await expectAllUnavailable(api);
    await expectAllUnavailable(api);
    network.clear();
    expect(await timeUntilReady(api)).toBeLessThan(PROMISED);
    const responses = await Promise.all(Array.from({ length: 20 }, () => get(api, '/v1/pets')));
    for (const response of responses) expect(outcome(response)).toEqual({ status: 200, body: [rex] });
    expect((await create(api)).status).toBe(201);
  });

  it.each<[string, (api: Client) => Promise<HttpResponse>]>([
    ['a request', (api) => api.get('/v1/pets')],
    ['a creation', (api) => create(api)],
    ['a readiness check', (api) => api.get('/ready')],
  ])('fails no further request when PostgreSQL responds again after %s timed out', async (_, detect) => {
    const { api } = service;
    network.jam();
    expect((await detect(api)).status).toBe(503);
    network.clear();
    const responses = await Promise.all(Array.from({ length: 20 }, () => get(api, '/v1/pets')));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  });

  it('returns 503 only for requests in progress when connections are cut', async () => {
    const { api } = service;
    await addPets(api, numbered(20));
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round += 1) {
      const calls = Array.from({ length: 20 }, (_, index) => OPERATIONS[index % OPERATIONS.length]!(api));
      await delay(Math.random() * 5);
      network.cut();
      for (const { status } of await Promise.all(calls)) statuses.add(status);
    }
    expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
    expect(await timeUntilReady(api)).toBeLessThan(PROMISED);
  });
});

describe('a service whose database is restricted', () => {
  it('returns 503 in time while no connections are allowed, and recovers', async () => {
    const { api } = await startApp({ databaseUrl: database.url, ...STRETCHED });
    await onServer(`ALTER DATABASE ${databaseName()} ALLOW_CONNECTIONS false`);
    await terminateAll();
    await expectAllUnavailable(api);
    await onServer(`ALTER DATABASE ${databaseName()} ALLOW_CONNECTIONS true`);
    expect(await timeUntilReady(api)).toBeLessThan(PROMISED);
    expect((await create(api)).status).toBe(201);
  });

  it('returns 503 for creations and serves reads while the database is read-only', async () => {
    await onServer(`ALTER DATABASE ${databaseName()} SET default_transaction_read_only = on`);
    const { api } = await startApp({ databaseUrl: database.url, ...STRETCHED });
    expectRetry(await create(api), DATABASE_UNAVAILABLE);
    expect(outcome(await api.get('/v1/pets'))).toEqual({ status: 200, body: [] });
    await onServer(`ALTER DATABASE ${databaseName()} SET default_transaction_read_only = off`);
    await terminateAll();
    const start = livedTime();
    let status: number;
    // The read-only connections end a moment after they are terminated.
    do ({ status } = await create(api));
    while (status === 503 && livedTime() - start < PROMISED);
    expect(status).toBe(201);
  });
});

describe('a service whose table is locked by another client', () => {
  it('returns 503 for concurrent creations in time, after a single wait', async () => {
    const { api } = await startApp({ databaseUrl: database.url, ...STRETCHED });
    const start = livedTime();
    const responses = await whileLocked(database.url, () => Promise.all(numbered(50).map(() => create(api))));
    for (const response of responses) expectRetry(response, DATABASE_UNAVAILABLE);
    expect(livedTime() - start).toBeLessThan(PROMISED);
    expect(outcome(await api.get('/v1/pets'))).toEqual({ status: 200, body: [] });
  });
});

describe('a creation that fails on PostgreSQL', () => {
  const names = numbered(20).map(({ name }) => name!);

  it('is not tried again when it may have been stored', async () => {
    const { app, api } = await startApp({ databaseUrl: database.url, ...STRETCHED });
    // The statement commits, but its result is no longer a bigint.
    await app.get(ServedDatabase).dataSource.query('ALTER TABLE "sequences" ALTER COLUMN "last" TYPE numeric');
    const responses = await Promise.all(names.map((name) => create(api, name)));
    expect(responses.map(outcome)).toEqual(responses.map(() => FAILED));
    const stored = await walk(api, '/v1/pets?limit=100');
    expect(stored.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });

  it('returns a fixed message without the reason, and stores nothing', async () => {
    const { app, api } = await startApp({ databaseUrl: database.url, ...STRETCHED });
    const dataSource = app.get(ServedDatabase).dataSource;
    await rejectWrites(dataSource, 'INSERT', 'pets');
    expect(outcome(await create(api))).toEqual(FAILED);
    await allowWrites(dataSource, 'pets');
    expect(outcome(await api.get('/v1/pets'))).toEqual({ status: 200, body: [] });
    expect((await create(api)).status).toBe(201);
  });

  it('returns 500 when the greatest int64 is already used as an id', async () => {
    const { app, api } = await startApp({ databaseUrl: database.url, ...STRETCHED });
    await app.get(ServedDatabase).dataSource.query(`INSERT INTO "sequences" VALUES ('pets', ${2n ** 63n - 2n})`);
    const last = { id: 2n ** 63n - 1n, name: 'Tom', categoryId: 7 };
    expect(outcome(await create(api))).toEqual({ status: 201, body: last });
    expect(outcome(await create(api))).toEqual(FAILED);
    expect(outcome(await api.get('/v1/pets'))).toEqual({ status: 200, body: [last] });
  });
});

describe('concurrent creations of more pets than there are ids', () => {
  it('use up the ids before they fail', async () => {
    const { app, api } = await startApp({ databaseUrl: database.url, ...STRETCHED });
    await app.get(ServedDatabase).dataSource.query(`INSERT INTO "sequences" VALUES ('pets', ${2n ** 63n - 4n})`);
    // Of one turn, so that they are one group.
    const created = numbered(5).map(({ name }) => app.get(PetsService).create({ name: name!, categoryId: 7n }));
    const results = await Promise.allSettled(created);
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value.id : result.status))).toEqual([
      ...[3n, 2n, 1n].map((below) => 2n ** 63n - below),
      'rejected',
      'rejected',
    ]);
    expect(outcome(await create(api))).toEqual(FAILED);
  });
});

describe('a service with LOG_LEVEL=trace while PostgreSQL fails', () => {
  it('never logs the password', async () => {
    const network = await UnsteadyNetwork.to(database.url);
    const service = await startService(network.url, { LOG_LEVEL: 'trace' });
    await create(service.api);
    await network.close();
    for (const call of OPERATIONS) expectRetry(await call(service.api), DATABASE_UNAVAILABLE);
    while (!service.output.stderr.includes('The API keys cannot be refreshed; the last known keys stay valid.'))
      await delay(20);
    await network.open();
    expect(await timeUntilReady(service.api)).toBeLessThan(PROMISED);
    await stopService(service);
    await network.close();
    expect(service.output.stdout + service.output.stderr).not.toContain('correct-horse');
  }, 180_000);
});
