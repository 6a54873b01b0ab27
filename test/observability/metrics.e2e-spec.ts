import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { connect, type Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { AdminServer } from '../../src/health/admin-server.js';
import { ApiKeys } from '../../src/auth/api-keys.js';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import type { ContractAdapter } from '../../src/platform/http/contract-adapter.js';
import { outcome } from '../properties/outcome.js';
import { creation, listRequest, REX } from '../support/http/raw/raw-requests.js';
import { closeDatabase } from '../support/outages.js';
import { startApp, type StartedApp } from '../support/start-app.js';
import { adminUrl, metricsOf, type Series, seriesOf } from './metrics.js';

/** Milliseconds for which a handler waits. */
const WORK = 300;
/** Milliseconds that a client takes to send a body. */
const UPLOAD = 500;
const DURATIONS = 'http_server_request_duration_seconds_count';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

describe('the metrics', () => {
  let service: StartedApp;
  let series: Series;

  beforeAll(async () => {
    service = await startApp({ adminPort: 0 });
    const { api, app } = service;
    const shop = (await app.get(ApiKeys).create('shop'))!;
    while ((await api.get('/v1/pets/1', { key: shop })).status === 401) await delay(20);
    const before = await metricsOf(app);
    for (const name of ['Rex', 'Tom']) await api.post('/v1/pets', { name, categoryId: 7 });
    await api.get('/v1/pets');
    await api.get('/v1/pets?limit=0');
    await api.get('/v1/pets', { key: null });
    await api.get('/v1/pets/1', { key: shop });
    await api.get('/nowhere');
    await service.sendRaw('nonsense\r\n\r\n');
    const after = await metricsOf(app);
    series = new Map([...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)]));
  });

  it.each([
    [`${DURATIONS}{operation="createPet",status="2xx"}`, 2],
    [`${DURATIONS}{operation="listPets",status="2xx"}`, 1],
    [`${DURATIONS}{operation="listPets",status="4xx"}`, 2],
    [`${DURATIONS}{operation="getPet",status="2xx"}`, 1],
    [`${DURATIONS}{operation="none",status="4xx"}`, 2],
    ['authentication_failures_total{operation="listPets"}', 1],
    ['deprecated_operation_requests_total{operation="getPet",key="shop"}', 1],
    ['database_commit_group_size_sum', 2],
  ])('count requests, failures and commits: %s', (name, value) => {
    expect(series.get(name)).toBe(value);
  });

  it('count requests without a valid key also where their number is limited', async () => {
    const { api, app } = await startApp({ adminPort: 0, rateLimit: { requests: 1, window: 3600 } });
    const statuses = [];
    for (const key of [undefined, undefined, null, null])
      statuses.push((await api.get('/v1/pets', key === undefined ? {} : { key })).status);
    expect(statuses).toEqual([200, 429, 401, 429]);
    const counts = await metricsOf(app);
    expect(counts.get('authentication_failures_total{operation="listPets"}')).toBe(2);
    expect(counts.get(`${DURATIONS}{operation="listPets",status="4xx"}`)).toBe(3);
  });

  it('count each duration in the last bucket', () => {
    const last = 'http_server_request_duration_seconds_bucket{le="+Inf",operation="createPet",status="2xx"}';
    expect(series.get(last)).toBe(2);
    expect(series.get('http_server_request_duration_seconds_sum{operation="createPet",status="2xx"}')).toBeGreaterThan(
      0,
    );
    expect(series.get('database_commit_duration_seconds_count')).toBe(series.get('database_commit_group_size_count'));
  });

  it('name the versions and have the process, the event loop, the queue and the log', async () => {
    const all = await metricsOf(service.app);
    const { version: build } = JSON.parse(read('package.json')) as { version: string };
    const { info } = parse(read('openapi.yaml')) as { info: { version: string } };
    const versions = `build_info{version="${build}",contract_version="${info.version}",node_version="${process.version}"}`;
    expect(all.get(versions)).toBe(1);
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'database_commit_queue_length',
      'http_server_requests_waiting',
      'log_lines_dropped_total',
    ]) {
      expect(all.get(name)).toBeGreaterThanOrEqual(0);
    }
  });

  it('are all explained in the documentation', async () => {
    const page = read('docs/metrics.md');
    const all = await seriesOf(service.app);
    const names = all.map((name) => name.replace(/\{.*$/, '').replace(/_(bucket|sum|count)$/, ''));
    expect([...new Set(names)].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('have each metric that an alert of the documentation uses', async () => {
    const page = read('docs/metrics.md');
    const ofPostgres = [...page.matchAll(/^\| `(\w+)` .*\| PostgreSQL: /gm)].map(([, name]) => name!);
    const scraped = [...(await metricsOf(service.app)).keys()].map((name) => name.replace(/\{.*$/, ''));
    const expressions = page.split('## Alerts')[1]!.replaceAll(/ by \([^)]*\)/g, '');
    const used = expressions.match(/\b[a-z]+(_[a-z0-9]+)+(?=[ {[)])/g)!;
    expect(used.filter((name) => ![...scraped, ...ofPostgres].includes(name))).toEqual([]);
  });

  it('get no series from the content of requests', async () => {
    const { app, api, key } = service;
    const requests = () => [
      api.get(`/${Math.random()}`),
      api.get(`/v1/${Math.random()}`),
      api.get(`/v1/pets/${Math.random()}`, { key: `key-${Math.random()}` }),
      api.get('/v1/pets', { headers: { 'X-Request-Id': `id-${Math.random()}`, 'User-Agent': `${Math.random()}` } }),
      api.request(`M${Math.random()}`.replace('.', ''), '/v1/pets').catch(() => undefined),
      service.sendRaw(listRequest(key, `traceparent: ${Math.random()}`)),
    ];
    // On a busy machine, the service refuses some requests with 503.
    const names = async () => (await seriesOf(app)).filter((name) => !name.includes('status="5xx"'));
    await Promise.all(requests());
    const before = await names();
    for (let round = 0; round < 50; round += 1) await Promise.all(requests());
    expect(await names()).toEqual(before);
  });
});

it('the metrics report each check of readiness, so that an outage that no request reaches is noticed', async () => {
  const service = await startApp({ adminPort: 0 });
  const checks = async () => {
    const series = [...(await metricsOf(service.app))].filter(([name]) => name.startsWith('readiness_check'));
    return Object.fromEntries(series.map(([name, value]) => [/check="(\w+)"/.exec(name)![1], value]));
  };
  expect(await checks()).toEqual({ database: 1, migrations: 1, reads: 1, writes: 1, notDraining: 1 });
  await service.app.get(ServedDatabase).dataSource.query('ALTER TABLE "pets" RENAME TO "lost"');
  expect(await checks()).toEqual({ database: 1, migrations: 1, reads: 0, writes: 0, notDraining: 1 });
});

it('the metrics are served at the end of a stop, when the database is closed', async () => {
  const service = await startApp({ adminPort: 0 });
  await closeDatabase(service);
  const metrics = await metricsOf(service.app);
  expect(metrics.get('readiness_check{check="database"}')).toBe(0);
  expect([...metrics.keys()].filter((name) => name.startsWith('database_pool'))).toEqual([]);
});

it('the metrics report the requests in flight and those that wait', async () => {
  const arrived: Request[] = [];
  const service = await startApp(
    { adminPort: 0 },
    { prepare: (app) => void app.use('/v1', (request: Request) => void arrived.push(request)) },
  );
  const { app, port, key } = service;
  const closed: Promise<unknown>[] = [];
  // Its connections are closed when the service has handled that.
  app.getHttpServer().on('connection', (socket: Socket) => {
    closed.push(new Promise((resolve) => socket.once('close', resolve)));
  });
  const clients = [1, 2].map(() => connect(port, '127.0.0.1'));
  // Two on each connection: one of them waits.
  for (const client of clients) client.write(listRequest(key).repeat(2));
  const loadOf = (series: Series) => ['in_flight', 'waiting'].map((name) => series.get(`http_server_requests_${name}`));
  while (arrived.length < 2) await delay(5);
  expect(loadOf(await metricsOf(app))).toEqual([2, 2]);
  for (const client of clients) client.resetAndDestroy();
  await Promise.all(closed);
  const after = await metricsOf(app);
  expect(after.get('http_server_requests_disconnected_total{operation="listPets"}')).toBe(2);
  expect(loadOf(after)).toEqual([0, 0]);
});

it('the metrics report the seconds of a request', async () => {
  const { app, api } = await startApp(
    { adminPort: 0 },
    {
      prepare: (created) =>
        void created.use('/v1', (_: Request, __: Response, next: () => void) => setTimeout(next, WORK)),
    },
  );
  const start = performance.now();
  await api.get('/v1/pets');
  const sum = (await metricsOf(app)).get('http_server_request_duration_seconds_sum{operation="listPets",status="2xx"}');
  const seconds = (performance.now() - start) / 1000;
  // A timer may be a millisecond early.
  expect(sum).toBeGreaterThan((0.9 * WORK) / 1000);
  expect(sum).toBeLessThan(seconds);
});

it('the metrics leave out the time in which a body arrives, which the log includes', async () => {
  const service = await startApp({ adminPort: 0, logRequests: 'all' });
  const lines: Record<string, unknown>[] = [];
  const add = (line: Record<string, unknown>) => void lines.push(line);
  Logger.overrideLogger({ log: add, warn: () => {}, error: () => {} });
  try {
    const connection = await service.connect();
    connection.send(creation(service.key, ['Expect: 100-continue', `Content-Length: ${REX.length}`], ''));
    // The service sends it when it waits for the body.
    while (!connection.unread.includes('100 Continue')) await delay(5);
    await delay(UPLOAD);
    expect(outcome(await connection.send(REX).response())).toEqual({
      status: 201,
      body: { id: 1, name: 'Rex', categoryId: 7 },
    });
    const series = await metricsOf(service.app);
    expect(lines).toEqual([expect.objectContaining({ operationId: 'createPet', status: 201 })]);
    const durationMs = lines[0]!.durationMs as number;
    const seconds = series.get('http_server_request_duration_seconds_sum{operation="createPet",status="2xx"}')!;
    // A timer may be a millisecond early.
    expect(durationMs - seconds * 1000).toBeGreaterThan(0.9 * UPLOAD);
    expect(seconds).toBeGreaterThan(0);
  } finally {
    Logger.overrideLogger(false);
  }
});

describe('the admin port', () => {
  it('serves health like the port of the operations', async () => {
    const { app, api } = await startApp({ adminPort: 0 });
    for (const path of ['/live', '/ready']) {
      const response = await fetch(`${adminUrl(app)}${path}`);
      expect([response.status, await response.json()]).toEqual([200, (await api.get(path)).json]);
    }
  });

  it('returns 503 for /ready while the service stops, and closes with it', async () => {
    const { app } = await startApp({ adminPort: 0, shutdownGrace: 60_000 });
    const url = adminUrl(app);
    const closed = app.close();
    const response = await fetch(`${url}/ready`);
    const state = [response.status, await response.json()];
    (app.getHttpAdapter() as unknown as ContractAdapter).abort('the test');
    await closed;
    expect(state).toEqual([
      503,
      expect.objectContaining({ status: 'not ready', checks: expect.objectContaining({ notDraining: false }) }),
    ]);
    await expect(fetch(`${url}/live`)).rejects.toThrow('fetch failed');
  });

  it.each([
    ['GET', '/v1/pets', 404, 'NOT_FOUND'],
    ['POST', '/metrics', 405, 'METHOD_NOT_ALLOWED'],
  ])('answers %s %s with %d and an Error', async (method, path, status, code) => {
    const { app } = await startApp({ adminPort: 0 });
    const response = await fetch(`${adminUrl(app)}${path}`, { method, headers: { 'X-Request-Id': 'order-7' } });
    expect(response.headers.get('x-request-id')).toBe('order-7');
    expect([response.status, await response.json()]).toEqual([status, { code, message: expect.any(String), status }]);
  });

  it('is off by default, and the port of the operations never serves metrics', async () => {
    const { app, api } = await startApp();
    expect(app.get(AdminServer)).toBeUndefined();
    expect((await api.get('/metrics')).status).toBe(404);
  });

  it('stops the start in one sentence when it is in use', async () => {
    const { app } = await startApp({ adminPort: 0 });
    const { port } = app.get(AdminServer);
    await expect(startApp({ adminPort: port })).rejects.toThrow(
      `The admin port ${port} cannot be used (EADDRINUSE); set another ADMIN_PORT.`,
    );
  });
});
