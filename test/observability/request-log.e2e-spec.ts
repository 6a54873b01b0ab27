import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { once } from 'node:events';
import type { Request, Response } from 'express';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { creation, listRequest, message } from '../support/http/raw/raw-requests.js';
import { startApp } from '../support/start-app.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const ID = expect.stringMatching(/^[\da-f-]{36}$/);
const DURATION = expect.any(Number);
const KEY_NAME = 'API_KEYS 1';
/** Milliseconds for which a handler waits. */
const WORK = 300;

/** The lines of requests, once there are at least `count` after `work`. */
async function linesOf(count: number, work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const add = (line: Record<string, unknown>) => void lines.push(line);
  Logger.overrideLogger({ log: add, warn: add, error: () => {} });
  try {
    await work();
    while (lines.length < count) await delay(1);
  } finally {
    Logger.overrideLogger(false);
  }
  return lines;
}

function byId(one: Record<string, unknown>, other: Record<string, unknown>): number {
  return String(one.requestId) < String(other.requestId) ? -1 : 1;
}

/** 12 MB: more than the kernel takes for a client that does not read. */
const LARGE_LIST = Array.from({ length: 100 }, (_, index) => ({
  id: index + 1,
  name: 'x'.repeat(120_000),
  categoryId: 1,
}));
const sendLargeList = (_: Request, response: Response) => void response.json(LARGE_LIST);

describe('a request', () => {
  it('has one line in the log with LOG_REQUESTS=all, however it is answered', async () => {
    const service = await startApp({ logRequests: 'all' });
    const { api, key } = service;
    const sizes: number[] = [];
    const lines = await linesOf(12, async () => {
      const traced = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, 'X-Request-Id': 'order-7' };
      const raw = async (bytes: string) => (await service.sendRaw(bytes)).responses[0]!;
      for (const send of [
        () => api.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { headers: traced }),
        () => api.get('/v1/pets'),
        () => api.head('/v1/pets/1'),
        () => api.get('/v1/pets?limit=0'),
        () => api.get('/v1/pets', { key: 'wrong' }),
        () => api.get('/docs/swagger-ui.css'),
        () => api.get('/live'),
        () => api.get('/nowhere'),
        () => raw(creation(key, ['Content-Length: 20000000'], 'x')),
        () => raw(creation(key, ['Transfer-Encoding: chunked'], 'nonsense\r\n')),
        () => raw('nonsense\r\n\r\n'),
        () => raw(message(['CONNECT localhost:1 HTTP/1.1', 'Host: localhost'])),
      ]) {
        sizes.push((await send()).bytes.length);
      }
    });
    const read = { requestId: ID, durationMs: DURATION };
    const get = { ...read, method: 'GET' };
    const post = { ...read, method: 'POST', operationId: 'createPet', keyName: KEY_NAME };
    const list = { ...get, operationId: 'listPets' };
    const expected = [
      { ...post, status: 201, requestId: 'order-7', traceId: TRACE },
      { ...list, status: 200, keyName: KEY_NAME },
      { ...get, operationId: 'getPet', method: 'HEAD', status: 200, keyName: KEY_NAME },
      { ...list, status: 400, keyName: KEY_NAME },
      { ...list, status: 401 },
      { ...get, status: 200 },
      { ...get, status: 200 },
      { ...get, status: 404 },
      { ...post, status: 413 },
      { ...post, status: 400 },
      { requestId: ID, status: 400 },
      { requestId: ID, method: 'CONNECT', status: 400 },
    ];
    expect(lines).toEqual(expected.map((line, index) => ({ ...line, bytes: sizes[index] })));
  });

  // A key of 16 random bytes in hexadecimal has the form of a trace id.
  it.each([
    ['a key of API_KEYS', TRACE, 'none'],
    ['a key with more digits around it', TRACE.slice(4, 20), 'none'],
    ['the bearer token', 'unrelated-key', TRACE],
  ])('has no trace id in its line that is %s', async (_, configured, sent) => {
    const { api } = await startApp({ logRequests: 'all', apiKeys: [configured] });
    const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
    const lines = await linesOf(1, () => api.get('/v1/pets', { key: sent, headers }));
    expect(lines).toEqual([expect.not.objectContaining({ traceId: expect.anything() })]);
  });

  it('has the milliseconds that it took in its line', async () => {
    const wait = (_: Request, __: Response, next: () => void) => void setTimeout(next, WORK);
    const { api } = await startApp({ logRequests: 'all' }, { prepare: (app) => void app.use('/v1', wait) });
    const start = performance.now();
    const [line] = await linesOf(1, () => api.get('/v1/pets'));
    const elapsed = performance.now() - start;
    // A timer may be a millisecond early.
    expect(line?.durationMs).toBeGreaterThan(0.9 * WORK);
    expect(line?.durationMs).toBeLessThan(elapsed);
  });

  it('has a line and an id of its own when it repeats another one, and when its key was used for another request', async () => {
    const { api } = await startApp({ logRequests: 'all' });
    const pet = { name: 'Rex', categoryId: 7 };
    const lines = await linesOf(3, async () => {
      for (const [id, body] of [
        ['first', pet],
        ['again', pet],
        ['other', { ...pet, name: 'Max' }],
      ] as const) {
        await api.post('/v1/pets', body, { headers: { 'Idempotency-Key': 'order-7', 'X-Request-Id': id } });
      }
    });
    const line = {
      method: 'POST',
      operationId: 'createPet',
      keyName: KEY_NAME,
      bytes: expect.any(Number),
      durationMs: DURATION,
    };
    expect(lines).toEqual([
      { ...line, status: 201, requestId: 'first' },
      { ...line, status: 201, requestId: 'again' },
      { ...line, status: 422, requestId: 'other' },
    ]);
  });

  it('has a line with 409 when another one with its Idempotency-Key is unfinished', async () => {
    const { api } = await startApp({ logRequests: 'errors' });
    const refused: string[] = [];
    const lines = await linesOf(1, async () => {
      for (let round = 0; refused.length === 0; round += 1) {
        const headers = { 'Idempotency-Key': `round-${round}` };
        const create = () => api.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { headers });
        const responses = await Promise.all(Array.from({ length: 10 }, create));
        const conflicts = responses.filter(({ status }) => status === 409);
        refused.push(...conflicts.map((response) => response.header('x-request-id')!));
      }
    });
    const line = { method: 'POST', operationId: 'createPet', keyName: KEY_NAME, status: 409, durationMs: DURATION };
    const expected = refused.map((requestId) => ({ ...line, requestId, bytes: expect.any(Number) }));
    expect(lines.toSorted(byId)).toEqual(expected.toSorted(byId));
  });

  it.each(['all', 'errors'] as const)(
    'is logged as disconnected, with LOG_REQUESTS=%s, when the connection is lost before the answer',
    async (logRequests) => {
      let wait = () => {};
      const waiting = new Promise<void>((resolve) => (wait = resolve));
      const { app, api, port, key } = await startApp(
        { logRequests },
        { prepare: (created) => void created.use('/v1', () => wait()) },
      );
      const lines = await linesOf(1, async () => {
        const connected = once(app.getHttpServer(), 'connection') as Promise<[Socket]>;
        const client = connect(port, '127.0.0.1');
        // The second one waits behind the first one.
        client.write(listRequest(key, 'X-Request-Id: gone') + listRequest(key, 'X-Request-Id: behind'));
        await waiting;
        const [socket] = await connected;
        client.resetAndDestroy();
        if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
        // A line that is certain: those of the lost requests come before it.
        await api.get('/nowhere');
      });
      const common = { method: 'GET', disconnected: true, bytes: 0, durationMs: DURATION };
      expect(lines).toEqual([
        { ...common, operationId: 'listPets', requestId: 'gone' },
        { ...common, requestId: 'behind' },
        expect.objectContaining({ status: 404 }),
      ]);
    },
  );

  it('is logged as disconnected, with its answer, when its client closed the connection before', async () => {
    const wait = ({ socket }: Request, response: Response) => void socket.once('end', () => response.json([]));
    const { port, key } = await startApp({ logRequests: 'errors' }, { prepare: (app) => void app.use('/v1', wait) });
    const lines = await linesOf(1, async () => {
      const client = connect(port, '127.0.0.1');
      client.end(listRequest(key, 'X-Request-Id: gone'));
    });
    const common = { method: 'GET', operationId: 'listPets', durationMs: DURATION };
    expect(lines).toEqual([{ ...common, status: 200, disconnected: true, bytes: 2, requestId: 'gone' }]);
  });

  it('is logged as disconnected when its client left in the middle of a large answer, but not when it read all of it', async () => {
    const { port, key, api } = await startApp(
      { logRequests: 'all' },
      { prepare: (app) => void app.use('/v1', sendLargeList) },
    );
    const lines = await linesOf(2, async () => {
      const client = connect(port, '127.0.0.1').pause();
      client.write(listRequest(key, 'X-Request-Id: gone'));
      await once(client, 'readable');
      client.destroy();
      await api.get('/v1/pets', { headers: { 'X-Request-Id': 'read' } });
    });
    const answer = { method: 'GET', operationId: 'listPets', status: 200, durationMs: DURATION };
    const { length: bytes } = JSON.stringify(LARGE_LIST);
    expect(lines).toEqual([
      { ...answer, bytes, requestId: 'gone', disconnected: true },
      { ...answer, bytes, requestId: 'read' },
    ]);
  });

  it('is logged as disconnected before a stop ends that closes its connection in the middle of a large answer', async () => {
    const started = await startApp(
      { logRequests: 'errors', shutdownTimeout: 100 },
      { prepare: (app) => void app.use('/v1', sendLargeList) },
    );
    const { port, key } = started;
    let client: Socket;
    const lines = await linesOf(0, async () => {
      client = connect(port, '127.0.0.1').pause();
      client.write(listRequest(key, 'X-Request-Id: gone'));
      await once(client, 'readable');
      await started.close();
    });
    client!.destroy();
    expect(lines.filter(({ requestId }) => requestId === 'gone')).toEqual([
      expect.objectContaining({ status: 200, disconnected: true }),
    ]);
  });

  it.each([
    ['reset', (client: Socket): unknown => client.resetAndDestroy(), undefined],
    ['closed', (client: Socket): unknown => client.destroy(), 400],
  ] as const)(
    'is logged once when its client %s the connection in the middle of its body',
    async (_, leave, status) => {
      const { port, key, api } = await startApp({ logRequests: 'errors' });
      const lines = await linesOf(2, async () => {
        const client = connect(port, '127.0.0.1');
        client.write(creation(key, ['Content-Length: 9', 'Expect: 100-continue', 'X-Request-Id: gone'], ''));
        await once(client, 'data');
        leave(client);
        await delay(100);
        await api.get('/nowhere');
      });
      const line = { disconnected: true, operationId: 'createPet', requestId: 'gone', keyName: KEY_NAME };
      expect(lines).toEqual([
        expect.objectContaining({ ...line, ...(status !== undefined && { status }) }),
        expect.objectContaining({ status: 404 }),
      ]);
    },
  );

  it.each([
    ['none', []],
    ['errors', ['bad']],
  ] as const)('has a line with LOG_REQUESTS=%s only if it is one of these: %j', async (logRequests, ids) => {
    const { api } = await startApp({ logRequests });
    const lines = await linesOf(0, async () => {
      await api.get('/v1/pets');
      await api.get('/v1/pets', { key: null, headers: { 'X-Request-Id': 'bad' } });
    });
    expect(lines.map(({ requestId }) => requestId)).toEqual(ids);
  });

  it('is logged when it fails with LOG_REQUESTS=errors, or counted among others', async () => {
    const count = 500;
    const service = await startApp({ logRequests: 'errors' });
    const lines = await linesOf(100, async () => {
      // Pipelined, so that a fast machine answers more than 100 a second, of which only 100 are logged.
      const socket = connect(service.port, '127.0.0.1').setEncoding('latin1');
      let received = '';
      socket.on('data', (text: string) => (received += text));
      socket.write(message(['GET /nowhere HTTP/1.1', 'Host: localhost']).repeat(count));
      while (received.split('HTTP/1.1 404').length <= count) await delay(1);
      socket.destroy();
      // A stop reports the last ones.
      await service.close();
    });
    const written = lines.filter(({ status }) => status === 404).length;
    const counts = lines.flatMap(({ count: others }) => (typeof others === 'number' ? others : []));
    expect(written).toBeGreaterThanOrEqual(100);
    expect(counts.reduce((sum, one) => sum + one, written)).toBe(count);
  });
});
