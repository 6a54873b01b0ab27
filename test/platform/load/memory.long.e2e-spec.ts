import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build, KEY, listeningPort, spawnProcess, temporaryDirectory } from '../../support/built-service.js';
import { Client } from '../../support/http/client.js';
import { creation, listRequest } from '../../support/http/raw/raw-requests.js';
import { HEAP_LIMIT, MEMORY_LIMIT } from '../../support/memory-limit.js';

/** Milliseconds for one test on a busy machine. */
const TIME = 240_000;

/** Milliseconds for which clients may send or read nothing: no time limit frees memory during a test. */
const PATIENCE = String(10 * TIME);

const BODY = JSON.stringify({ name: 'x'.repeat(100_000), categoryId: 7 });
const CREATION = creation(KEY, [`Content-Length: ${BODY.length}`], BODY);

let port: number;
let api: Client;

/** The system refuses the process memory beyond the limit, and Node then ends it. */
beforeAll(async () => {
  const script = resolve(await build(), 'dist/main.js');
  const database = `sqlite:${join(temporaryDirectory(), 'pets.sqlite')}`;
  const command = [`--data=${MEMORY_LIMIT}`, process.execPath, `--max-old-space-size=${HEAP_LIMIT}`, script];
  const { output, exit } = spawnProcess('prlimit', command, {
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      API_KEYS: KEY,
      HEADERS_TIMEOUT_MS: PATIENCE,
      REQUEST_TIMEOUT_MS: PATIENCE,
      DATABASE_URL: database,
    },
  });
  port = await listeningPort(output, exit);
  api = new Client({ port, key: KEY });
}, TIME);

function open(count: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, () => {
      const socket = connect({ host: '127.0.0.1', port });
      return new Promise<Socket>((connected, failed) => {
        socket.once('connect', () => connected(socket.off('error', failed).on('error', () => undefined)));
        socket.once('error', failed);
      });
    }),
  );
}

/** The status of the first response; undefined for a connection that is closed without one. */
function statusOn(socket: Socket): Promise<number | undefined> {
  return new Promise((received) => {
    socket.once('data', (bytes: Buffer) => received(Number(bytes.toString('latin1', 9, 12))));
    socket.once('close', () => received(undefined));
  });
}

/** Retries while the service is overloaded, which takes longer on a slow machine. */
async function expectToServe(): Promise<void> {
  for (;;) {
    const { status } = await api.get('/v1/pets?limit=1');
    if (status === 200) return;
    expect(status).toBe(503);
    await delay(200);
  }
}

afterAll(() => api.close());

describe('the service within the memory that deploy/ allows', () => {
  it(
    'answers 4,000 creations of 100 kB at once with 201 or 503',
    async () => {
      const sockets = await open(4000);
      const statuses = await Promise.all(
        sockets.map((socket) => {
          socket.write(CREATION);
          return statusOn(socket);
        }),
      );
      expect(new Set(statuses)).toEqual(new Set([201, 503]));
      for (const socket of sockets) socket.destroy();
      await expectToServe();
    },
    TIME,
  );

  it.each([
    ['lists', () => listRequest(KEY).replace('/v1/pets', '/v1/pets?limit=100')],
    ['downloads', () => listRequest(KEY).replace('/v1/pets', '/docs/swagger-ui-bundle.js')],
  ])(
    'serves others while 2,000 connections read nothing of 200 pipelined %s each',
    async (_, request) => {
      const sockets = await open(2000);
      const bytes = request().repeat(200);
      for (const socket of sockets) socket.pause().write(bytes);
      await expectToServe();
      for (const socket of sockets) socket.destroy();
      await expectToServe();
    },
    TIME,
  );
});
