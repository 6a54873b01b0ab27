import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { DATABASE_DEFAULTS } from '../../../src/config.js';
import { createDatabase } from '../../support/databases/databases.js';
import { whileLocked } from '../../support/outages.js';
import { DATABASE_UNAVAILABLE, outcome } from '../../properties/outcome.js';
import { addPets, numbered } from '../../support/pets.js';
import { REX, creation, goodCreation, listRequest } from '../../support/http/raw/raw-requests.js';
import { startApp, type StartedApp } from '../../support/start-app.js';

/** Milliseconds; these do not expire in a test. */
const TIMEOUTS = { headersTimeout: 120_000, requestTimeout: 120_000, keepAliveTimeout: 120_000 };
/** Milliseconds; this one expires in a test. */
const REQUEST_TIMEOUT = 1500;
/** Milliseconds; only a failing test takes this long. */
const TIMEOUT = 20_000;
/** Enough pets to fill the socket buffers of both sides. */
const MANY = 100;
const LONG = 'x'.repeat(90_000);

let service: StartedApp;
const serverSides = new Map<number, Socket>();
const clients: Socket[] = [];

beforeAll(async () => {
  service = await start();
  await fill(service);
}, 120_000);

afterAll(() => {
  for (const client of clients) client.destroy();
});

async function fill({ api }: StartedApp): Promise<void> {
  await addPets(
    api,
    numbered(MANY, { status: 'sold' }).map((pet) => ({ ...pet, name: LONG })),
  );
}

async function start(overrides: Parameters<typeof startApp>[0] = {}): Promise<StartedApp> {
  const started = await startApp({ ...TIMEOUTS, ...overrides });
  started.app.getHttpServer().on('connection', (socket: Socket) => serverSides.set(socket.remotePort!, socket));
  return started;
}

/** Sends bytes on a new connection and returns both sockets. The client reads nothing until it is resumed. */
async function send(bytes: string, { port } = service): Promise<{ client: Socket; server: Socket }> {
  const client = connect({ host: '127.0.0.1', port, allowHalfOpen: true }).on('error', () => {});
  clients.push(client);
  await once(client, 'connect');
  while (!serverSides.has(client.localPort!)) await delay(1);
  client.write(bytes, 'latin1');
  return { client, server: serverSides.get(client.localPort!)! };
}

async function isClosed(server: Socket): Promise<boolean> {
  for (const end = Date.now() + TIMEOUT; !server.destroyed && Date.now() < end;) await delay(10);
  return server.destroyed;
}

describe('a connection whose client ends its side', () => {
  it.each<[string, (key: string) => string]>([
    ['without a byte', () => ''],
    ['in the header fields', (key) => listRequest(key).slice(0, 40)],
    ['in a body', (key) => goodCreation(key).slice(0, -5)],
    ['while it waits for 100', (key) => creation(key, ['Expect: 100-continue', `Content-Length: ${REX.length}`], '')],
    ['after a request', (key) => listRequest(key)],
    ['after a creation', (key) => goodCreation(key)],
    ['after a request with a wrong key', () => listRequest('wrong')],
    ['after malformed bytes', () => 'nonsense\r\n\r\n'],
  ])('is closed at once: %s', async (_, bytes) => {
    const { client, server } = await send(bytes(service.key));
    client.resume().end();
    expect(await isClosed(server)).toBe(true);
  });

  it('is closed at once when it was idle', async () => {
    const { client, server } = await send(listRequest(service.key));
    await once(client, 'data');
    await delay(50);
    client.end();
    expect(await isClosed(server)).toBe(true);
  });

  it('gets 503 when the database is unavailable, and is closed', async () => {
    // Stretched timeouts of the database would be longer than the service waits for a client that may have left.
    const { databaseConnectTimeout, databaseStatementTimeout } = DATABASE_DEFAULTS;
    const usual = await start({ databaseConnectTimeout, databaseStatementTimeout });
    const connection = await usual.connect();
    await whileLocked(usual.databaseUrl, async () => {
      connection.send(goodCreation(usual.key)).finish();
      expect(outcome(await connection.response())).toEqual(DATABASE_UNAVAILABLE);
    });
    expect(await connection.isClosed(TIMEOUT)).toBe(true);
  });
});

describe('a client that does not read its response', () => {
  it.each([
    ['ends its side', true],
    ['does not end its side', false],
  ])('is disconnected after the request timeout when it %s', async (_, ends) => {
    const database = await createDatabase();
    const patient = await start({ databaseUrl: database.url });
    await fill(patient);
    await patient.close();
    const other = await start({ databaseUrl: database.url, requestTimeout: REQUEST_TIMEOUT });
    const list = listRequest(other.key).replace('/v1/pets', `/v1/pets?status=sold&limit=${MANY}`);
    const startTime = performance.now();
    const { client, server } = await send(list, other);
    if (ends) client.end();
    while (server.writableLength === 0) await delay(1);
    expect(await isClosed(server)).toBe(true);
    expect(performance.now() - startTime).toBeGreaterThan(REQUEST_TIMEOUT / 2);
    await other.close();
    await database.drop();
  });

  it('receives the whole response when it reads before the timeout', async () => {
    const list = listRequest(service.key, 'Connection: close');
    const { client } = await send(list.replace('/v1/pets', `/v1/pets?status=sold&limit=${MANY}`));
    await delay(500);
    let received = 0;
    client.on('data', (bytes: Buffer) => (received += bytes.length));
    await once(client, 'end');
    expect(received).toBeGreaterThan(MANY * LONG.length);
  });
});
