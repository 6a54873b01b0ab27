import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import express from 'express';
import { Patience } from '../../../src/platform/http/load/patience.js';
import { Outcomes } from '../../../src/platform/http/outcomes/outcomes.js';
import { RequestIds } from '../../../src/platform/http/outcomes/request-id.js';
import { EdgeServer } from '../../../src/platform/http/server/edge-server.js';
import { LargeResult, noteStatement } from '../../../src/platform/process/large-results.js';
import { message } from '../../support/http/raw/raw-requests.js';

const REFUSAL = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n';
const GET = message(['GET / HTTP/1.1', 'Host: localhost']);
/** Node reads as many bytes at once, and then what follows in the same turn. */
const READ_SIZE = 65_536;

const pool = { waitingCount: 0, options: { max: 0 } };

const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 10_000,
  shutdownGrace: 0,
  shutdownTimeout: 1000,
};

let server: EdgeServer;
let client: Socket;
/** Its request waits for a database that is saturated. */
let waitingClient: Socket;
let overloads: NodeJS.Timeout;
let patience: Patience;
let received: string;

beforeEach(async () => {
  patience = new Patience();
  const handlers: ConstructorParameters<typeof EdgeServer>[2] = {
    serve: ({ response }) => void response.end('served'),
    refuse: ({ response }) => void response.writeHead(503).end(),
    refusalOf: ({ method }) => (method === 'GET' ? REFUSAL : undefined),
    isProbe: () => false,
    refuseWrite: () => {},
    requestIds: new RequestIds([], () => false),
    assertHeaders: () => {},
    assertHead: () => false,
    assertLength: () => {},
    checkedBody: (_response, _operation, body) => body,
  };
  server = new EdgeServer(express(), TIMEOUTS, handlers, new Outcomes([]), patience);
  server.http.listen(0, '127.0.0.1');
  await once(server.http, 'listening');
  const { port } = server.http.address() as AddressInfo;
  client = connect(port, '127.0.0.1').setEncoding('latin1');
  received = '';
  client.on('data', (text: string) => (received += text));
  client.write(GET);
  while (!received.endsWith('served')) await delay(1);
  received = '';
  const overload = () => {
    new LargeResult(new PassThrough()).end();
    patience.shed(performance.now());
  };
  pool.waitingCount = 1;
  overload();
  noteStatement(pool);
  // The service is saturated for a second, and sheds load for 100 ms. Timers run before sockets are read, however slow it is.
  overloads = setInterval(overload, 20);
  waitingClient = connect(port, '127.0.0.1');
  waitingClient.write(GET);
  while (server.load.waiting === 0) await delay(1);
  // A turn takes a second.
  patience.addBatch(1, 1000, performance.now());
});

afterEach(async () => {
  clearInterval(overloads);
  pool.waitingCount = 0;
  client.destroy();
  waitingClient.destroy();
  await server.drain();
});

/** The statuses of the responses until the connection is closed. */
async function statusesAfter(text: string): Promise<number[]> {
  client.write(text);
  await once(client, 'end');
  return [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}

describe('while the service sheds load', () => {
  it.each([
    ['that is malformed', 'NONSENSE\r\n\r\n', 400],
    ['to connect', message(['CONNECT localhost:1 HTTP/1.1', 'Host: localhost']), 400],
    ['with large header fields', message(['GET / HTTP/1.1', `X-Long: ${'x'.repeat(20_000)}`]), 431],
  ])('refuses the requests before one %s before it reports that one', async (_, text, status) => {
    expect(await statusesAfter(GET.repeat(2) + text)).toEqual([503, 503, status]);
  });

  it('refuses the requests of a client that has ended its side', async () => {
    const count = 8;
    const fixed = message(['GET / HTTP/1.1', 'Host: localhost', 'X-Pad: ']).length;
    const request = message(['GET / HTTP/1.1', 'Host: localhost', `X-Pad: ${'x'.repeat(READ_SIZE / count - fixed)}`]);
    const statuses = statusesAfter(request.repeat(count));
    client.end();
    expect(await statuses).toEqual(Array(count).fill(503));
  });

  it('refuses nothing of a client while no other one waits', async () => {
    waitingClient.destroy();
    while (server.load.waiting > 0) await delay(1);
    const statuses = statusesAfter(GET.repeat(5) + message(['GET / HTTP/1.1', 'Host: localhost', 'Connection: close']));
    while (server.load.waiting === 0) await delay(1);
    pool.waitingCount = 0;
    expect(await statuses).toEqual(Array(6).fill(200));
  });
});
