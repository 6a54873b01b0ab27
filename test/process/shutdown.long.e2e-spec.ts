import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { sqliteFile } from '../../src/platform/database/sqlite/sqlite.js';
import {
  build,
  type BuiltService,
  type Environment,
  KEY,
  listeningPort,
  spawnProcess,
  startService,
  temporaryDirectory,
} from '../support/built-service.js';
import { responseWhileStopping } from '../support/outages.js';
import { STOPPING, outcome } from '../properties/outcome.js';
import { addPets } from '../support/pets.js';
import { statements } from '../postgres/copy/stored-rows.js';
import { REX, goodCreation, listRequest } from '../support/http/raw/raw-requests.js';
import { createDatabase, ENGINE, onServer } from '../support/databases/databases.js';
import type { HttpResponse } from '../support/http/http-response.js';
import { RawConnection, SETTLE_TIME } from '../support/http/raw/raw-socket.js';
import { startApp } from '../support/start-app.js';

/** Milliseconds for a start, possibly the build, and the delays of the test itself, on a busy machine. */
const TIME = 180_000;
/** Milliseconds. A service that still runs by then would wait for minutes. */
const SOON = 20_000;
/** Timeouts that no passing test reaches. */
const LONG_TIMEOUTS = { SHUTDOWN_TIMEOUT_MS: '120000', HEADERS_TIMEOUT_MS: '120000', REQUEST_TIMEOUT_MS: '120000' };
const CLEAN = { code: 0, signal: null };
const NO_EXIT_1 = 'const { exit } = process; process.exit = (code) => code !== 1 && exit(code);';
/** For a service that closes its database late, as it may on a busy machine: its deadline would end it with exit code 1. */
const UNHURRIED = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(NO_EXIT_1)}` };

const newDatabase = async (): Promise<string> => (await createDatabase()).url;

/** Files that stay when a service has stopped. */
const KEPT = new Set(['pets.sqlite', 'pets.sqlite-lock', 'pets.sqlite-migration-lock']);

/** Signs that the database is open: the files that SQLite keeps beside it, or connections to the server. */
async function tracesOfUse(url: string): Promise<unknown[]> {
  if (ENGINE === 'sqlite') return readdirSync(dirname(sqliteFile(url))).filter((name) => !KEPT.has(name));
  const name = new URL(url).pathname.slice(1);
  return onServer('SELECT "pid" FROM "pg_stat_activity" WHERE "datname" = $1', [name]);
}

/** Waits for the end of the use. The server may notice the end of a connection with a delay. */
async function untilUnused(url: string): Promise<void> {
  while ((await tracesOfUse(url)).length > 0) await delay(20);
}

/** Sends a signal; returns the exit and the milliseconds until it. */
async function stop(service: BuiltService, signal: NodeJS.Signals = 'SIGTERM') {
  const start = performance.now();
  service.kill(signal);
  const exit = await Promise.race([service.exit, delay(SOON, 'still running', { ref: false })]);
  return { exit, time: performance.now() - start };
}

async function isRefused(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  const refused = await Promise.race([
    once(socket, 'connect').then(
      () => false,
      () => true,
    ),
    delay(1000, false, { ref: false }),
  ]);
  socket.destroy();
  return refused;
}

async function untilRefused(port: number): Promise<void> {
  while (!(await isRefused(port))) await delay(10);
}

/** A connection that has sent all but the end of a creation. `100 Continue` proves that the service reads it. */
async function halfCreation(port: number, key = KEY): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  connection.send(goodCreation(key, 'Expect: 100-continue').slice(0, -9));
  while (connection.unread.length === 0) await delay(20);
  return connection;
}

const SETTINGS = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', LOG_REQUESTS: 'none' };

/** The service as a script of package.json starts it. */
async function startByNpm(script: string, database: string) {
  const { child, output, exit } = spawnProcess('npm', ['run', '--silent', '--ignore-scripts', script], {
    cwd: await build(),
    env: { ...SETTINGS, PATH: process.env.PATH, HOME: temporaryDirectory(), DATABASE_URL: database, API_KEYS: KEY },
  });
  return { port: await listeningPort(output, exit), npm: child };
}

// Otherwise the service would outlive npm, with its port and its database.
it.each(['start', 'start:prod'])(
  'SIGTERM to "npm run %s" stops the service',
  async (script) => {
    const { port, npm } = await startByNpm(script, await newDatabase());
    npm.kill('SIGTERM');
    // Not when its output is closed, which a service that goes on would keep open.
    expect(await once(npm, 'exit')).toEqual([CLEAN.code, CLEAN.signal]);
    expect(await isRefused(port)).toBe(true);
  },
  TIME,
);

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it(
    'stops an idle service with exit code 0 long before its timeouts, and closes its database',
    async () => {
      const database = await newDatabase();
      const service = await startService(database, LONG_TIMEOUTS);
      await service.api.post('/v1/pets', REX);
      expect(await tracesOfUse(database)).not.toEqual([]);
      const { exit, time } = await stop(service, signal);
      expect(exit).toEqual(CLEAN);
      expect(time).toBeLessThan(SOON);
      await untilUnused(database);
      expect(service.output.stderr).toBe('');
    },
    TIME,
  );

  it(
    'completes a creation in progress and accepts no new connections',
    async () => {
      const database = await newDatabase();
      const service = await startService(database, LONG_TIMEOUTS);
      const idle = await RawConnection.open(service.port);
      await idle.send(listRequest(KEY)).response();
      const busy = await halfCreation(service.port);

      service.kill(signal);
      await untilRefused(service.port);
      expect(await idle.isClosed()).toBe(true);
      busy.send(goodCreation(KEY).slice(-9));
      const response = await busy.response();
      expect(outcome(response)).toEqual({ status: 201, body: { id: 1, name: 'Rex', categoryId: 7 } });
      expect(response.header('connection')).toBe('close');
      expect(await busy.isClosed()).toBe(true);
      expect(await service.exit).toEqual(CLEAN);

      expect(await statements(database, 'SELECT "name" FROM "pets"')).toEqual([[{ name: 'Rex' }]]);
    },
    TIME,
  );
});

/** A service with a list larger than the socket buffers, and a client that has requested it but read nothing. */
async function slowReader(env: Environment) {
  const service = await startService(await newDatabase(), { ...env, LOG_LEVEL: 'warn' });
  await addPets(
    service.api,
    Array.from({ length: 100 }, () => ({ name: 'x'.repeat(90_000) })),
  );
  const reader = connect({ host: '127.0.0.1', port: service.port });
  reader.write(listRequest(KEY).replace('/v1/pets', '/v1/pets?limit=100'));
  await once(reader, 'readable');
  return { service, reader };
}

describe('shutdown', () => {
  it(
    'sends a response completely, however slowly it is read',
    async () => {
      const { service, reader } = await slowReader(LONG_TIMEOUTS);
      service.kill('SIGTERM');
      await delay(500);
      const response = await buffer(reader);
      const head = response.subarray(0, response.indexOf('\r\n\r\n') + 4);
      const [, length] = /^content-length: (\d+)$/im.exec(head.toString())!;
      expect(Number(length)).toBeGreaterThan(9_000_000);
      expect(response).toHaveLength(head.length + Number(length));
      expect(await service.exit).toEqual(CLEAN);
      expect(service.output.stderr).toBe('');
    },
    TIME,
  );

  it(
    'aborts an unread response at the deadline, and logs it',
    async () => {
      const { service, reader } = await slowReader({ ...LONG_TIMEOUTS, ...UNHURRIED, SHUTDOWN_TIMEOUT_MS: '700' });
      const { exit, time } = await stop(service);
      reader.destroy();
      expect(exit).toEqual(CLEAN);
      expect(time).toBeGreaterThanOrEqual(690);
      expect(time).toBeLessThan(SOON);
      expect(service.output.stderr).toContain('Requests aborted by the shutdown deadline: 1.');
    },
    TIME,
  );

  it(
    'aborts an incomplete request at the deadline',
    async () => {
      const env = { ...LONG_TIMEOUTS, ...UNHURRIED, SHUTDOWN_TIMEOUT_MS: '700', LOG_LEVEL: 'warn' };
      const service = await startService(await newDatabase(), env);
      const stuck = await halfCreation(service.port);
      const { exit, time } = await stop(service);
      expect(exit).toEqual(CLEAN);
      expect(time).toBeGreaterThanOrEqual(690);
      expect(time).toBeLessThan(SOON);
      expect(await stuck.isClosed()).toBe(true);
      expect(service.output.stderr).toContain('Requests aborted by the shutdown deadline: 1.');
    },
    TIME,
  );

  it(
    'logs each request that it aborts at the deadline',
    async () => {
      const env = {
        ...LONG_TIMEOUTS,
        ...UNHURRIED,
        SHUTDOWN_TIMEOUT_MS: '700',
        LOG_LEVEL: 'info',
        LOG_REQUESTS: 'all',
      };
      const service = await startService(await newDatabase(), env);
      const stuck = await halfCreation(service.port);
      expect((await stop(service)).exit).toEqual(CLEAN);
      const lines = service.output.stderr.trimEnd().split('\n');
      const requests = lines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ context }) => context === 'Request');
      expect(requests).toEqual([expect.objectContaining({ method: 'POST', operationId: 'createPet' })]);
      // The service left, not the client.
      expect(requests[0]).not.toHaveProperty('status');
      expect(requests[0]).not.toHaveProperty('disconnected');
      stuck.close();
    },
    TIME,
  );

  it.each([
    ['in the grace period', { ...LONG_TIMEOUTS, SHUTDOWN_GRACE_MS: '120000' }],
    ['after the grace period', LONG_TIMEOUTS],
  ])(
    'ends at once on a second signal %s, and logs how many requests it aborted',
    async (_, env) => {
      const database = await newDatabase();
      const service = await startService(database, { ...env, ...UNHURRIED, LOG_LEVEL: 'warn' });
      const idle = await RawConnection.open(service.port);
      await idle.send(listRequest(KEY)).response();
      const rejected = await RawConnection.open(service.port);
      await rejected.send(goodCreation('wrong').slice(0, -9)).response();
      await Promise.all([halfCreation(service.port), halfCreation(service.port)]);
      service.kill('SIGTERM');
      while ((await service.api.get('/ready').catch(() => undefined))?.status === 200) await delay(20);
      // Signals in quick succession would count as one.
      await delay(200);
      const { exit, time } = await stop(service, 'SIGINT');
      expect(exit).toEqual(CLEAN);
      expect(time).toBeLessThan(SOON);
      expect(service.output.stderr).toContain('Requests aborted by a second signal: 2.');
      await untilUnused(database);
    },
    TIME,
  );

  it(
    'keeps serving during the grace period, and closes each connection after its next response',
    async () => {
      // The deadline of the requests begins after the grace period, so it may be shorter.
      const env = { ...LONG_TIMEOUTS, SHUTDOWN_GRACE_MS: '4000', SHUTDOWN_TIMEOUT_MS: '3000' };
      const service = await startService(await newDatabase(), env);
      const idle = await RawConnection.open(service.port);
      await idle.send(listRequest(KEY)).response();
      const late = await RawConnection.open(service.port);
      await late.send(listRequest(KEY)).response();
      const start = performance.now();
      service.kill('SIGTERM');
      let ready: HttpResponse;
      do ready = await service.api.get('/ready');
      while (ready.status === 200);

      expect({ status: ready.status, body: ready.json }).toMatchObject({
        status: 503,
        body: { checks: { notDraining: false } },
      });
      expect((await service.api.get('/live')).status).toBe(200);
      const responses = [
        await idle.send(goodCreation(KEY)).response(),
        await (await RawConnection.open(service.port)).send(listRequest(KEY)).response(),
      ];
      expect(responses.map((response) => [response.status, response.header('connection')])).toEqual([
        [201, 'close'],
        [200, 'close'],
      ]);
      expect(await idle.isClosed()).toBe(true);
      expect(await late.isClosed(SETTLE_TIME)).toBe(false);

      expect(await service.exit).toEqual(CLEAN);
      expect(performance.now() - start).toBeGreaterThanOrEqual(3990);
      expect(performance.now() - start).toBeLessThan(SOON);
      expect(await late.isClosed()).toBe(true);
    },
    TIME,
  );

  const tunnel = 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n';

  // Each connection with its requests, complete or not; the service responds to each.
  it.each<[string, Environment, readonly string[][]]>([
    ['without pending requests', {}, [[], [listRequest(KEY)], [listRequest(KEY, 'Connection: close')]]],
    [
      'with rejected requests',
      { HEADERS_TIMEOUT_MS: '300' },
      [
        [],
        ['nonsense\r\n\r\n'],
        [listRequest(KEY).slice(0, 40)],
        [listRequest(KEY), 'GET '],
        [listRequest(KEY, 'Connection: Upgrade', 'Upgrade: websocket')],
      ],
    ],
    [
      'with requests rejected before their body arrived',
      { ...UNHURRIED, SHUTDOWN_TIMEOUT_MS: '700' },
      [[goodCreation('wrong').slice(0, -9)]],
    ],
    ['that have sent nothing', {}, [[], []]],
    ['with a CONNECT request', {}, [[tunnel], [listRequest(KEY), tunnel], [`${tunnel}bytes`]]],
  ])(
    'is not delayed by connections %s',
    async (_, env, requests) => {
      const service = await startService(await newDatabase(), { ...LONG_TIMEOUTS, ...env });
      const held = await Promise.all(requests.map(() => RawConnection.open(service.port)));
      for (const [index, connection] of held.entries()) connection.send(requests[index]!.join(''));
      // While this process pauses, HEADERS_TIMEOUT_MS may end a connection before its requests are sent.
      await Promise.allSettled(held.flatMap((connection, index) => requests[index]!.map(() => connection.response())));
      // The service accepts connections in their order, so also those that send nothing before this one.
      await service.api.get('/live');
      const { exit } = await stop(service);
      for (const connection of held) connection.close();
      expect(exit).toEqual(CLEAN);
    },
    TIME,
  );

  // Within this process, so that the responses count for the contract coverage.
  it.each([
    ['GET /v1/pets HTTP/1.1'],
    ['POST /v1/pets HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 0'],
    ['GET /v1/pets/1 HTTP/1.1'],
    ['HEAD /v1/pets HTTP/1.1'],
  ])('returns 503 for a request that is still arriving: %s', async (...lines) => {
    const service = await startApp();
    const head = [...lines, `Authorization: Bearer ${service.key}`].filter((line) => typeof line === 'string');
    const response = await responseWhileStopping(service, head);
    const retry = response.header('retry-after');
    expect({ status: response.status, retry, connection: response.header('connection') }).toEqual({
      status: 503,
      retry: '1',
      connection: 'close',
    });
    if (!lines[0].startsWith('HEAD')) expect(outcome(response)).toEqual(STOPPING);
  });
});
