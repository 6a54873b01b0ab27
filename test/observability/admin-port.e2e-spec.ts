import { beforeAll, describe, expect, it } from '@jest/globals';
import { maxHeaderSize } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { AdminServer } from '../../src/health/admin-server.js';
import { COUNT, startBusy } from '../platform/load/busy-service.js';
import { badRequest, methodNotAllowed, outcome, rejection } from '../properties/outcome.js';
import type { HttpResponse } from '../support/http/http-response.js';
import { listRequest, MALFORMED, message } from '../support/http/raw/raw-requests.js';
import { RawConnection } from '../support/http/raw/raw-socket.js';
import { sendRaw } from '../support/http/raw/send-raw.js';
import { startApp, type StartedApp } from '../support/start-app.js';
import { adminUrl } from './metrics.js';

const CLOSE = 'Connection: close';
const CHUNKED = 'Transfer-Encoding: chunked';
const HOST = 'Host: localhost';
const ID = 'X-Request-Id: order-7';
const ADMIN_PATHS = ['/metrics', '/ready', '/live'];
const NOT_FOUND = rejection(404, 'NOT_FOUND', 'The admin port serves /metrics, /live and /ready.');
const ALLOW = 'GET, HEAD, OPTIONS';
const notAllowed = (method: string) => methodNotAllowed(method, '/live', ALLOW);
const TOO_SLOW = rejection(408, 'REQUEST_TIMEOUT', 'The request did not arrive in time; send it faster.');
const LONG_TARGET = rejection(414, 'URI_TOO_LONG', 'The request target is longer than 8192 bytes.');
const LARGE_HEAD = rejection(
  431,
  'REQUEST_HEADER_FIELDS_TOO_LARGE',
  `The target and the header fields are larger than ${maxHeaderSize} bytes.`,
);
const LIVE = { status: 200, body: { status: 'live' } };

let port: number;
/** Of a service that waits only shortly for a request to arrive. */
let impatientPort: number;
// The contract says nothing about the admin port.
const check = (): void => {};

beforeAll(async () => {
  const portOf = ({ app }: StartedApp) => app.get(AdminServer).port;
  port = portOf(await startApp({ adminPort: 0 }));
  impatientPort = portOf(await startApp({ adminPort: 0, headersTimeout: 500, requestTimeout: 1000 }));
});

function expectError(response: HttpResponse, expected: object): void {
  expect(outcome(response)).toEqual(expected);
  expect(response.header('content-type')).toBe('application/json');
  expect(response.header('cache-control')).toBe('no-store');
  expect(response.header('x-request-id')).toMatch(/^(order-7|[\da-f-]{36})$/);
}

describe('an error of the admin port is an Error body', () => {
  it.each([
    ['a request line that is nonsense', 'nonsense\r\n\r\n', MALFORMED],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', MALFORMED],
    ['an unknown method', message(['FETCH /metrics HTTP/1.1', HOST]), MALFORMED],
    ['another version of HTTP', message(['GET /metrics HTTP/1.2', HOST]), MALFORMED],
    ['a header without a colon', message(['GET /metrics HTTP/1.1', HOST, 'X-Field value']), MALFORMED],
    ['a long target', message([`GET /metrics?${'a'.repeat(9000)} HTTP/1.1`, HOST, CLOSE]), LONG_TARGET],
    ['a target longer than all headers', message([`GET /${'a'.repeat(20_000)} HTTP/1.1`, HOST]), LONG_TARGET],
    ['large headers', message(['GET /metrics HTTP/1.1', HOST, `X-Field: ${'a'.repeat(20_000)}`]), LARGE_HEAD],
    ['a malformed body', message(['POST /live HTTP/1.1', HOST, CHUNKED], 'nonsense\r\n'), MALFORMED],
    ['two lengths', message(['GET /live HTTP/1.1', HOST, 'Content-Length: 1', 'Content-Length: 2']), MALFORMED],
    [
      'an unknown transfer coding',
      message(['POST /live HTTP/1.1', HOST, 'Transfer-Encoding: gzip, chunked']),
      MALFORMED,
    ],
    ['no Host', message(['GET /live HTTP/1.1']), badRequest('The request must have exactly one Host header field.')],
    ['CONNECT', message(['CONNECT localhost:80 HTTP/1.1', HOST, ID]), badRequest('CONNECT is not supported.')],
  ])('after %s, and the connection closes', async (_, bytes, expected) => {
    const { responses, closed } = await sendRaw(port, bytes, { check });
    expectError(responses[0]!, expected);
    expect(closed).toBe(true);
  });

  it.each([
    ['an unknown path', message(['GET /v1/pets HTTP/1.1', HOST, ID]), NOT_FOUND],
    ['the target *', message(['OPTIONS * HTTP/1.1', HOST, ID]), NOT_FOUND],
    ['DELETE', message(['DELETE /live HTTP/1.1', HOST, ID]), notAllowed('DELETE')],
    ['TRACE', message(['TRACE /live HTTP/1.1', HOST, ID]), notAllowed('TRACE')],
    ['a body', message(['POST /live HTTP/1.1', HOST, ID, 'Content-Length: 2'], '{}'), notAllowed('POST')],
    ['an unknown expectation', message(['GET /nowhere HTTP/1.1', HOST, ID, 'Expect: magic']), NOT_FOUND],
  ])('after %s, with the id of the request', async (_, bytes, expected) => {
    const { responses } = await sendRaw(port, bytes, { check });
    expectError(responses[0]!, expected);
    expect(responses[0]!.header('x-request-id')).toBe('order-7');
  });

  it.each([
    ['half a request line', 'GET /met'],
    ['its request line', 'GET /metrics HTTP/1.1\r\n'],
  ])('after a request of which only %s arrives in time', async (_, bytes) => {
    const connection = await RawConnection.open(impatientPort, check);
    expectError(await connection.send(bytes).response(), TOO_SLOW);
    expect(await connection.isClosed()).toBe(true);
  });

  it('after half a request line of a client that has ended its side', async () => {
    const connection = await RawConnection.open(port, check);
    expectError(await connection.send('GET /met').finish().response(), MALFORMED);
    connection.close();
  });

  it('once, even if a malformed body follows', async () => {
    const head = message(['POST /live HTTP/1.1', HOST, CHUNKED]);
    const connection = await RawConnection.open(port, check);
    expectError(await connection.send(head).response(), notAllowed('POST'));
    connection.send('nonsense\r\n');
    expect(await connection.isClosed()).toBe(true);
    expect(connection.unread).toHaveLength(0);
  });
});

describe('the admin port', () => {
  it.each([...ADMIN_PATHS.map((path) => ['OPTIONS', path, 204]), ...ADMIN_PATHS.map((path) => ['PUT', path, 405])])(
    'lists the methods of a page in response to %s %s',
    async (method, path, status) => {
      const { responses } = await sendRaw(port, message([`${method} ${path} HTTP/1.1`, HOST, CLOSE]), { check });
      expect([responses[0]!.status, responses[0]!.header('allow')]).toEqual([status, ALLOW]);
      // RFC 9110, section 8.6: a 204 has no length.
      expect(responses[0]!.header('content-length') === undefined).toBe(status === 204);
    },
  );

  it('serves a request for an upgrade without it, and closes the connection, whose further bytes Node ignores', async () => {
    const upgrade = message(['GET /live HTTP/1.1', HOST, 'Connection: Upgrade', 'Upgrade: websocket']);
    const { responses, closed } = await sendRaw(port, `${upgrade}nonsense\r\n\r\n`, { check });
    expect([outcome(responses[0]!), closed]).toEqual([LIVE, true]);
  });

  it('closes a connection on which no byte arrives, without a response', async () => {
    const connection = await RawConnection.open(impatientPort, check);
    expect(await connection.isClosed()).toBe(true);
    expect(connection.unread.toString()).toBe('');
  });

  it('accepts a target in absolute form, a query and HTTP/1.0', async () => {
    for (const line of ['GET http://admin.test/live HTTP/1.1', 'GET /live?x=1 HTTP/1.1', 'GET /live HTTP/1.0']) {
      const { responses } = await sendRaw(port, message([line, HOST, CLOSE]), { check });
      expect(outcome(responses[0]!)).toEqual(LIVE);
    }
  });
});

it('the admin port serves metrics and health while the service refuses requests because of overload', async () => {
  const service = await startBusy({ adminPort: 0 });
  const url = adminUrl(service.app);
  const overload = { refused: 0, isOver: false };
  const clients = Array.from({ length: COUNT }, async () => {
    const connection = await service.connect();
    while (!overload.isOver) {
      const { status } = await connection.send(listRequest(service.key)).response();
      if (status === 503) overload.refused += 1;
    }
  });
  while (overload.refused === 0) await delay(5);
  const statuses = new Set<number>();
  let waiting = 0;
  // All that waited may just have been refused.
  for (let scrapes = 0; scrapes < 100 && waiting === 0 && !statuses.has(503); scrapes += 1) {
    const responses = await Promise.all(ADMIN_PATHS.map((path) => fetch(`${url}${path}`)));
    for (const { status } of responses) statuses.add(status);
    const [metrics] = await Promise.all(responses.map((response) => response.text()));
    waiting = Number(/^http_server_requests_waiting (\d+)$/m.exec(metrics!)?.[1]);
  }
  // The service still refuses requests.
  const before = overload.refused;
  while (overload.refused === before) await delay(5);
  overload.isOver = true;
  await Promise.all(clients);
  expect([...statuses]).toEqual([200]);
  expect(waiting).toBeGreaterThan(0);
});
