import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { metricsOf } from '../../observability/metrics.js';
import { type Outcome, outcome, rejection } from '../../properties/outcome.js';
import { REX, chunk, creation, goodCreation, listRequest } from '../../support/http/raw/raw-requests.js';
import { startApp, type StartedApp } from '../../support/start-app.js';

interface End extends Outcome {
  readonly connection: string | undefined;
  readonly closed: boolean;
}

const TOO_SLOW: End = {
  ...rejection(408, 'REQUEST_TIMEOUT', 'The request did not arrive in time; send it faster.'),
  connection: 'close',
  closed: true,
};
const DURATIONS = 'http_server_request_duration_seconds';
/** Milliseconds: more than a timeout and the interval in which the service checks it. */
const TIMEOUT = 8000;

let service: StartedApp;

beforeAll(async () => {
  service = await startApp({ headersTimeout: 500, requestTimeout: 1000, keepAliveTimeout: 600 });
});

afterEach(async () => {
  // The service may have just closed a connection that the client keeps.
  const headers = { connection: 'close' };
  expect(outcome(await service.api.get('/v1/pets', { headers }))).toEqual({ status: 200, body: [] });
});

async function endOf(bytes: string): Promise<End> {
  const connection = await service.connect();
  const response = await connection.send(bytes).response(TIMEOUT);
  const closed = await connection.isClosed();
  return { ...outcome(response), connection: response.header('connection'), closed };
}

describe('a request that is too slow', () => {
  const PARTS: Record<string, (key: string) => string> = {
    'its first byte': () => 'G',
    'its request line': () => 'GET /v1/pets HTTP/1.1\r\n',
    'half a header field': () => 'GET /v1/pets HTTP/1.1\r\nHost: loc',
    'all but the end of its header fields': (key) => listRequest(key).slice(0, -2),
    'its header fields': (key) => creation(key, [`Content-Length: ${REX.length}`], ''),
    'half its body': (key) => goodCreation(key).slice(0, -9),
    'all but the last byte': (key) => goodCreation(key).slice(0, -1),
    'half a chunk': (key) => creation(key, ['Transfer-Encoding: chunked'], chunk(REX).slice(0, 20)),
    'its chunks but not the last': (key) => creation(key, ['Transfer-Encoding: chunked'], chunk(REX)),
    'the size of a chunk': (key) => creation(key, ['Transfer-Encoding: chunked'], '1'),
    'half a trailer': (key) => creation(key, ['Transfer-Encoding: chunked'], `${chunk(REX)}0\r\nX-Sum: `),
  };
  let ends: Map<string, PromiseSettledResult<End>>;

  // Concurrently, because each takes seconds.
  beforeAll(async () => {
    const results = await Promise.allSettled(Object.values(PARTS).map((part) => endOf(part(service.key))));
    ends = new Map(Object.keys(PARTS).map((name, index) => [name, results[index]!]));
  });

  it.each(Object.keys(PARTS))('gets 408 after %s', (name) => {
    expect(ends.get(name)).toEqual({ status: 'fulfilled', value: TOO_SLOW });
  });

  it('gets 408 even if bytes keep arriving slowly', async () => {
    const connection = await service.connect();
    let responded = false;
    const response = connection.response(TIMEOUT).finally(() => (responded = true));
    for (const byte of listRequest(service.key, `X-Slow: ${'x'.repeat(200)}`)) {
      if (responded) break;
      connection.send(byte);
      await delay(20);
    }
    expect((await response).json).toEqual(TOO_SLOW.body);
  });

  it.each<[string, (request: string) => number]>([
    ['its request line', (request) => request.indexOf('\n') + 1],
    ['half its header fields', (request) => request.indexOf('Content-Type')],
    ['half its body', (request) => request.length - 9],
    ['half its body, with a connection that closes', (request) => request.length - 9],
  ])('is not carried out when the rest arrives after the 408, which came after %s', async (name, split) => {
    const fields = [`Content-Length: ${REX.length}`, ...(name.endsWith('closes') ? ['Connection: close'] : [])];
    const request = creation(service.key, fields, REX);
    const connection = await service.connect();
    const response = await connection.send(request.slice(0, split(request))).response(TIMEOUT);
    connection.send(request.slice(split(request)));
    expect(outcome(response)).toEqual({ status: TOO_SLOW.status, body: TOO_SLOW.body });
    expect(await connection.isClosed()).toBe(true);
    expect(connection.unread.toString()).toBe('');
    expect(outcome(await service.api.get('/v1/pets'))).toEqual({ status: 200, body: [] });
  });

  it('gets no second response if it was rejected before its body arrived', async () => {
    const connection = await service.connect();
    connection.send(creation('wrong', ['Content-Length: 100'], ''));
    expect((await connection.response()).status).toBe(401);
    expect(await connection.isClosed(TIMEOUT)).toBe(true);
    expect(connection.unread.toString()).toBe('');
  });

  it('does not affect the responses to earlier requests', async () => {
    const connection = await service.connect();
    connection.send(listRequest(service.key) + listRequest(service.key).slice(0, 30));
    expect(outcome(await connection.response())).toEqual({ status: 200, body: [] });
    expect((await connection.response(TIMEOUT)).json).toEqual(TOO_SLOW.body);
    expect(await connection.isClosed()).toBe(true);
  });
});

describe('a connection', () => {
  it('is closed without a response, a line in the log or a count when no byte arrives', async () => {
    const counting = await startApp({ headersTimeout: 500, adminPort: 0, logRequests: 'all' });
    const lines: unknown[] = [];
    const add = (...line: unknown[]) => void lines.push(line);
    Logger.overrideLogger({ log: add, warn: add, error: add });
    try {
      const connection = await counting.connect();
      expect(await connection.isClosed(TIMEOUT)).toBe(true);
      expect(connection.unread.toString()).toBe('');
    } finally {
      Logger.overrideLogger(false);
    }
    expect(lines).toEqual([]);
    const counts = [...(await metricsOf(counting.app))].filter(([name]) => name.startsWith(`${DURATIONS}_count`));
    expect(counts.filter(([, count]) => count > 0)).toEqual([]);
  });

  it('is closed without a further response when it is idle after one', async () => {
    const connection = await service.connect();
    await connection.send(listRequest(service.key)).response();
    expect(await connection.isClosed(TIMEOUT)).toBe(true);
    expect(connection.unread.toString()).toBe('');
  });

  it('accepts further requests before the idle timeout', async () => {
    const idle = 2000;
    const other = await startApp({ keepAliveTimeout: idle });
    let connection = await other.connect();
    let before = performance.now();
    for (let turn = 0; turn < 6; turn += 1) {
      const now = performance.now();
      const response = await connection
        .send(listRequest(other.key))
        .response()
        .catch(() => undefined);
      if (response) {
        expect(response.status).toBe(200);
      } else {
        // Only a pause of this process may have taken the rest of the time.
        expect(performance.now() - before).toBeGreaterThanOrEqual(idle);
        connection = await other.connect();
        turn -= 1;
      }
      before = now;
      await delay(idle / 4);
    }
  });
});
