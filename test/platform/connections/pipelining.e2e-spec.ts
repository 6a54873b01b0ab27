import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { NextFunction, Request, Response } from 'express';
import {
  INVALID_KEY,
  NO_JSON,
  methodNotAllowed,
  noResourceAt,
  outcome,
  petNotFound,
  rejection,
} from '../../properties/outcome.js';
import { walk } from '../../support/pets.js';
import { MALFORMED, REX, creation, goodCreation, listRequest, message } from '../../support/http/raw/raw-requests.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import { contractCheck } from '../../support/contract/contract-check.js';
import { readResponse, readRequests } from '../../support/http/raw/http-messages.js';
import { startApp, type StartedApp } from '../../support/start-app.js';
import type { RawConnection } from '../../support/http/raw/raw-socket.js';

const ALLOW = 'GET, HEAD, OPTIONS, POST';
const NONSENSE = 'nonsense\r\n\r\n';
const TUNNEL = 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n';

let service: StartedApp;

beforeAll(async () => {
  service = await startApp();
});

afterEach(async () => {
  expect((await service.api.get('/v1/pets?limit=1')).status).toBe(200);
});

const names = async (): Promise<string[]> =>
  (await walk(service.api, '/v1/pets?limit=100')).map(({ name }) => name).toSorted();
const named = (name: string, ...headers: string[]): string => {
  const body = JSON.stringify({ name, categoryId: 7 });
  return creation(service.key, [`Content-Length: ${body.length}`, ...headers], body);
};
const statusesOf = async (connection: RawConnection, count: number): Promise<number[]> => {
  const responses = await Promise.all(Array.from({ length: count }, () => connection.response()));
  return responses.map(({ status }) => status);
};

describe('pipelined requests', () => {
  it('get their responses in order, whichever finishes first', async () => {
    const connection = await service.connect();
    const wrongKey = listRequest('wrong');
    const unknown = message(['GET /v1/dogs HTTP/1.1', 'Host: localhost']);
    connection.send(named('first') + unknown + listRequest(service.key) + wrongKey + named('second'));
    expect(await statusesOf(connection, 5)).toEqual([201, 404, 200, 401, 201]);
    expect(await names()).toEqual(['first', 'second']);
  });

  it('are each served in the asynchronous context of their arrival, where instrumentation keeps a span', async () => {
    const spans = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const traced = await startApp(
      {},
      {
        prepare(app) {
          const server = app.getHttpServer();
          const emit = server.emit.bind(server) as (name: string, ...args: unknown[]) => boolean;
          server.emit = (name: string, ...args: unknown[]) => {
            const span = (args[0] as IncomingMessage | undefined)?.headers?.['x-number'] as string;
            return name === 'request' ? spans.run(span, () => emit(name, ...args)) : emit(name, ...args);
          };
          app.use('/v1', ({ headers }: Request, _: Response, next: NextFunction) => {
            seen.push([headers['x-number'], spans.getStore()]);
            next();
          });
        },
      },
    );
    const connection = await traced.connect();
    const numbers = ['1', '2', '3'];
    connection.send(numbers.map((number) => listRequest(traced.key, `X-Number: ${number}`)).join(''));
    expect(await statusesOf(connection, 3)).toEqual([200, 200, 200]);
    expect(seen).toEqual(numbers.map((number) => [number, number]));
  });

  it.each([
    ['asks for it', ['Connection: close']],
    ['asks for an upgrade', ['Connection: Upgrade', 'Upgrade: websocket']],
  ])('are processed up to the one that closes the connection: it %s', async (_, headers) => {
    const before = await names();
    const connection = await service.connect();
    connection.send(listRequest(service.key) + listRequest(service.key, ...headers) + named('too late').repeat(3));
    expect(await statusesOf(connection, 2)).toEqual([200, 200]);
    expect(await connection.isClosed()).toBe(true);
    expect(await names()).toEqual(before);
  });

  it('all get a response after the client has ended its side', async () => {
    const connection = await service.connect();
    connection.send(listRequest(service.key) + named('half closed') + listRequest(service.key)).finish();
    expect(await statusesOf(connection, 3)).toEqual([200, 201, 200]);
    expect(await names()).toContain('half closed');
  });

  it.each([
    ['malformed bytes', NONSENSE],
    ['CONNECT', TUNNEL],
    ['a bad header field', 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX Field: value\r\n\r\n'],
    ['100 kB of header fields', `GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX-Field: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['two framings', creation('', ['Content-Length: 3', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
    ['a bad chunk', creation('', ['Transfer-Encoding: chunked'], 'x\r\n')],
  ])('get their responses before the Error for %s', async (name, bad) => {
    const connection = await service.connect();
    connection.send(`${listRequest(service.key)}${named(name)}${listRequest(service.key)}${bad}`);
    const responses = await Promise.all(Array.from({ length: 4 }, () => connection.response()));
    expect(responses.map(({ status }) => (status >= 400 ? 'rejected' : status))).toEqual([200, 201, 200, 'rejected']);
    expect(responses[1]!.json).toEqual({ id: expect.anything(), name, categoryId: 7 });
    expect(await connection.isClosed()).toBe(true);
    expect(connection.unread.toString('latin1')).toBe('');
  });

  it.each([
    ['POST', 3, 201, () => named('in a row')],
    ['GET', 4, 200, () => listRequest(service.key)],
  ])('all get a response before the Error for malformed bytes: %s %i times', async (_, count, status, request) => {
    const connection = await service.connect();
    connection.send(`${request().repeat(count)}${NONSENSE}`);
    const statuses = Array.from({ length: count }, () => status);
    expect(await statusesOf(connection, count)).toEqual(statuses);
    expect(outcome(await connection.response())).toEqual(MALFORMED);
    expect(await connection.isClosed()).toBe(true);
    expect(connection.unread.toString('latin1')).toBe('');
  });

  const startSlowly = (): Promise<StartedApp> =>
    startApp(
      {},
      {
        prepare: (app) => void app.use('/v1', (_: Request, __: Response, next: NextFunction) => setTimeout(next, 200)),
      },
    );

  it('all get a response before the Error for malformed bytes that keep arriving', async () => {
    const slow = await startSlowly();
    const connection = await slow.connect();
    connection.send(listRequest(slow.key).repeat(2));
    for (let packet = 0; packet < 20; packet += 1) {
      connection.send(NONSENSE);
      await delay(5);
    }
    expect(await statusesOf(connection, 2)).toEqual([200, 200]);
    expect(outcome(await connection.response())).toEqual(MALFORMED);
    expect(await connection.isClosed()).toBe(true);
    expect(connection.unread.toString('latin1')).toBe('');
  });

  it('all get a response when the body of the last one turns out to be malformed', async () => {
    const slow = await startSlowly();
    const connection = await slow.connect();
    const unknown = creation(slow.key, ['Transfer-Encoding: chunked'], '').replace('/v1/pets', '/nothing');
    connection.send(`${listRequest(slow.key)}${unknown}`);
    await delay(50);
    connection.send('x\r\n');
    expect((await connection.response()).status).toBe(200);
    expect(outcome(await connection.response())).toEqual(MALFORMED);
    expect(await connection.isClosed()).toBe(true);
  });

  it('get a long response completely before the Error for the next request', async () => {
    for (let index = 0; index < 20; index += 1) {
      await service.api.post('/v1/pets', { name: 'long'.repeat(20_000), categoryId: 7, status: 'sold' });
    }
    const connection = await service.connect();
    const list = listRequest(service.key).replace('/v1/pets', '/v1/pets?status=sold');
    connection.send(`${list}${NONSENSE}`);
    expect((await connection.response()).json).toHaveLength(20);
    expect(outcome(await connection.response())).toEqual(MALFORMED);
    expect(await connection.isClosed()).toBe(true);
  });

  it('get an Error for malformed bytes that arrive after a response', async () => {
    const connection = await service.connect();
    connection.send(listRequest(service.key));
    expect((await connection.response()).status).toBe(200);
    connection.send(NONSENSE);
    expect(outcome(await connection.response())).toEqual(MALFORMED);
    expect(await connection.isClosed()).toBe(true);
  });
});

describe('2,000 bad requests at once', () => {
  const COUNT = 2000;
  const check = contractCheck();

  it.each([
    ['without a key', () => message(['GET /v1/pets HTTP/1.1', 'Host: localhost']), 401],
    ['to an unknown path', () => message(['GET /v1/dogs HTTP/1.1', 'Host: localhost']), 404],
    ['with an unknown method', () => message(['DELETE /v1/pets HTTP/1.1', 'Host: localhost']), 405],
    ['without Host', () => message(['GET /v1/pets HTTP/1.1']), 400],
    ['with a bad body', () => creation(service.key, ['Content-Length: 1'], '{'), 400],
    ['with a bad parameter', () => listRequest(service.key).replace('/v1/pets', '/v1/pets?limit=0'), 400],
  ])(
    'each get a response, in order: %s',
    async (_, request, status) => {
      const before = await names();
      const responses = await pipelined(request(), named('after 2,000', 'Connection: close'));
      expect(responses.map((response) => response.status)).toEqual([
        ...Array.from({ length: COUNT }, () => status),
        201,
      ]);
      expect(await names()).toEqual([...before, 'after 2,000'].toSorted());
    },
    120_000,
  );

  /** The responses to COUNT identical requests and to a last one, which closes the connection. */
  async function pipelined(request: string, last: string): Promise<HttpResponse[]> {
    const socket = connect({ host: '127.0.0.1', port: service.port });
    socket.write(request.repeat(COUNT) + last, 'latin1');
    const received = await buffer(socket);
    const responses: HttpResponse[] = [];
    for (let start = 0; start < received.length;) {
      const { response, length } = readResponse(received.subarray(start), false, true)!;
      start += length;
      responses.push(response);
    }
    const [sent] = readRequests(Buffer.from(request));
    for (const response of responses.slice(0, -1)) check({ ...sent!, response, raw: true });
    return responses;
  }

  it.each([
    ['malformed', NONSENSE],
    ['with an unknown method', message(['FETCH /v1/pets HTTP/1.1', 'Host: localhost'])],
    ['with bad headers', message(['GET /v1/pets HTTP/1.1', 'Host: localhost', 'X Field: value'])],
    ['with two framings', creation('', ['Content-Length: 3', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
    ['CONNECT requests', TUNNEL],
  ])('get one Error and a closed connection: %s', async (_, request) => {
    const connection = await service.connect();
    connection.send(request.repeat(COUNT));
    const response = await connection.response();
    expect([response.status, response.header('connection')]).toEqual([400, 'close']);
    expect(await connection.isClosed()).toBe(true);
    expect(connection.unread.toString('latin1')).toBe('');
  });

  it('do not stop the service on many connections', async () => {
    const connections = await Promise.all(Array.from({ length: 200 }, () => service.connect()));
    const responses = await Promise.all(
      connections.map((connection) => connection.send(NONSENSE.repeat(10)).response()),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400]));
  });
});

describe('a connection after an Error', () => {
  it('accepts the next request', async () => {
    const connection = await service.connect();
    const steps: [string, { status: number; body: unknown }][] = [
      [
        creation(service.key, ['Content-Length: 2'], '[]'),
        rejection(400, 'BAD_REQUEST', 'The body must be a JSON object.'),
      ],
      [listRequest('wrong'), INVALID_KEY],
      [creation('wrong', [`Content-Length: ${REX.length}`], REX), INVALID_KEY],
      [message(['GET /v1/dogs HTTP/1.1', 'Host: localhost']), noResourceAt('/v1/dogs')],
      [goodCreation(service.key).replace('/v1/pets', '/v1/dogs'), noResourceAt('/v1/dogs')],
      [listRequest(service.key).replace('/v1/pets', '/v1/pets/0'), petNotFound(0)],
      [message(['DELETE /v1/pets HTTP/1.1', 'Host: localhost']), methodNotAllowed('DELETE', '/v1/pets', ALLOW)],
      [goodCreation(service.key).replace('POST', 'PUT'), methodNotAllowed('PUT', '/v1/pets', ALLOW)],
      [
        creation(service.key, ['Content-Length: 200000'], 'x'.repeat(200_000)),
        rejection(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than 102400 bytes.'),
      ],
      [goodCreation(service.key).replace('application/json', 'text/plain'), NO_JSON],
      [
        message(['GET /v1/pets HTTP/1.1']),
        rejection(400, 'BAD_REQUEST', 'The request must have exactly one Host header field.'),
      ],
      [`${listRequest(service.key, `Content-Length: ${REX.length}`)}${REX}`, { status: 200, body: expect.any(Array) }],
    ];
    for (const [bytes, expected] of steps) {
      expect(outcome(await connection.send(bytes).response())).toEqual(expected);
      expect((await connection.send(listRequest(service.key)).response()).status).toBe(200);
    }
  });
});
