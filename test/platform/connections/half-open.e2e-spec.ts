import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { whileLocked } from '../../support/outages.js';
import { DATABASE_AWAY, outcome } from '../../properties/outcome.js';
import { addPets, numbered } from '../../support/pets.js';
import { REX, creation, goodCreation, listRequest } from '../../support/http/raw-requests.js';
import { startApp, type StartedApp } from '../../support/start-app.js';

/** Milliseconds: all of them longer than what is looked for here, but the one for a whole request or answer. */
const TIMEOUTS = { headersTimeout: 60_000, requestTimeout: 1500, keepAliveTimeout: 60_000 };
/** More than the buffers of both systems hold. */
const MANY = 100;
const LONG = 'x'.repeat(90_000);

let service: StartedApp;
const serverSides = new Map<number, Socket>();
const clients: Socket[] = [];

beforeAll(async () => {
  service = await startApp(TIMEOUTS);
  service.app.getHttpServer().on('connection', (socket: Socket) => serverSides.set(socket.remotePort!, socket));
  await addPets(
    service.api,
    numbered(MANY, { status: 'sold' }).map((pet) => ({ ...pet, name: LONG })),
  );
}, 60_000);

afterAll(() => {
  for (const client of clients) client.destroy();
});

/** Both sides of a connection on which bytes were sent, of a client that reads nothing until it is told to. */
async function send(bytes: string): Promise<{ client: Socket; server: Socket }> {
  const client = connect({ host: '127.0.0.1', port: service.port, allowHalfOpen: true }).on('error', () => {});
  clients.push(client);
  await once(client, 'connect');
  while (!serverSides.has(client.localPort!)) await delay(1);
  client.write(bytes, 'latin1');
  return { client, server: serverSides.get(client.localPort!)! };
}

async function isLetGo(server: Socket, patience: number): Promise<boolean> {
  for (const end = Date.now() + patience; !server.destroyed && Date.now() < end;) await delay(10);
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
    ['after a request that is refused', () => listRequest('wrong')],
    ['after nonsense', () => 'nonsense\r\n\r\n'],
  ])('is let go of at once: %s', async (_, bytes) => {
    const { client, server } = await send(bytes(service.key));
    client.resume().end();
    expect(await isLetGo(server, 1000)).toBe(true);
  });

  it('is let go of at once when it was idle', async () => {
    const { client, server } = await send(listRequest(service.key));
    await once(client, 'data');
    await delay(50);
    client.end();
    expect(await isLetGo(server, 1000)).toBe(true);
  });

  it('has its answer when the database is away, and is let go of', async () => {
    const connection = await service.connect();
    await whileLocked(service.databaseUrl, async () => {
      connection.send(goodCreation(service.key)).finish();
      expect(outcome(await connection.answer())).toEqual(DATABASE_AWAY);
    });
    expect(await connection.isClosed(1000)).toBe(true);
  });
});

describe('a client that does not read its answer', () => {
  it.each([
    ['and ends its side', true],
    ['and does not end its side', false],
  ])('%s is let go of when the time of a request has passed', async (_, ends) => {
    const list = listRequest(service.key).replace('/v1/pets', `/v1/pets?status=sold&limit=${MANY}`);
    const { client, server } = await send(list);
    if (ends) client.end();
    while (server.writableLength === 0) await delay(1);
    await delay(TIMEOUTS.requestTimeout / 2);
    expect(server.destroyed).toBe(false);
    expect(await isLetGo(server, 2 * TIMEOUTS.requestTimeout)).toBe(true);
  });

  it('but then does has all of it', async () => {
    const list = listRequest(service.key, 'Connection: close');
    const { client } = await send(list.replace('/v1/pets', `/v1/pets?status=sold&limit=${MANY}`));
    await delay(TIMEOUTS.requestTimeout / 2);
    let received = 0;
    client.on('data', (bytes: Buffer) => (received += bytes.length));
    await once(client, 'end');
    expect(received).toBeGreaterThan(MANY * LONG.length);
  });
});
