import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { REX, creation, goodCreation, listRequest } from '../../support/http/raw/raw-requests.js';
import { startApp } from '../../support/start-app.js';

const TUNNEL = 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n';
/** Milliseconds: much longer than the timeouts configured here, but shorter than the defaults. */
const TIMEOUT = 8000;

const BYTES: Record<string, (key: string) => string> = {
  'without a byte': () => '',
  'after its first byte': () => 'G',
  'in the header fields': (key) => listRequest(key).slice(0, 40),
  'in a body': (key) => goodCreation(key).slice(0, -5),
  'in a body that is not read': () => creation('wrong', [`Content-Length: ${REX.length}`], ''),
  'in a body that is too large': (key) => creation(key, ['Content-Length: 5000000'], REX),
  'while it waits for 100': (key) => creation(key, ['Expect: 100-continue', 'Content-Length: 9'], ''),
  'after a response': (key) => listRequest(key),
  'after the last response': (key) => listRequest(key, 'Connection: close'),
  'after malformed bytes': () => 'nonsense\r\n\r\n',
  'after a request and malformed bytes': (key) => `${listRequest(key)}nonsense\r\n\r\n`,
  'after too many header fields': () => `GET / HTTP/1.1\r\nX-Field: ${'x'.repeat(100_000)}`,
  'after a request for an upgrade': (key) => listRequest(key, 'Connection: Upgrade', 'Upgrade: websocket'),
  'after CONNECT': () => TUNNEL,
  'after CONNECT and further bytes': () => `${TUNNEL}${'x'.repeat(100_000)}`,
};

const clients: Socket[] = [];
const serverSides = new Map<string, Socket>();

/** Creates a client that sends bytes, reads everything, and never ends its side. */
async function abandon(port: number, bytes: string): Promise<Socket> {
  const client = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  client.on('error', () => {}).on('data', () => {});
  clients.push(client);
  await once(client, 'connect');
  client.write(bytes, 'latin1');
  return client;
}

// Concurrently, because each takes seconds.
beforeAll(async () => {
  const { app, port, key } = await startApp({ headersTimeout: 500, requestTimeout: 800, keepAliveTimeout: 500 });
  const byPort = new Map<number, Socket>();
  app.getHttpServer().on('connection', (socket: Socket) => byPort.set(socket.remotePort!, socket));
  for (const [name, bytes] of Object.entries(BYTES)) {
    const { localPort } = await abandon(port, bytes(key));
    while (!byPort.has(localPort!)) await delay(1);
    serverSides.set(name, byPort.get(localPort!)!);
  }
  const deadline = Date.now() + TIMEOUT;
  while ([...serverSides.values()].some(({ destroyed }) => !destroyed) && Date.now() < deadline) await delay(20);
});

afterAll(() => {
  for (const client of clients) client.destroy();
});

describe('a connection whose client never ends it', () => {
  it.each(Object.keys(BYTES))('is closed: %s', (name) => {
    expect(serverSides.get(name)?.destroyed).toBe(true);
  });
});
