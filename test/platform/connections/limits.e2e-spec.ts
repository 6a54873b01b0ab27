import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { MISSING_KEY, NO_JSON, badRequest, noResourceAt, outcome, rejection } from '../../properties/outcome.js';
import { REX, chunk, creation, listRequest, message } from '../../support/http/raw/raw-requests.js';
import { contractCheck } from '../../support/contract/contract-check.js';
import { readResponse } from '../../support/http/raw/http-messages.js';
import { startApp, type StartedApp } from '../../support/start-app.js';
import type { RawConnection } from '../../support/http/raw/raw-socket.js';

const HEADERS_TOO_LARGE = rejection(
  431,
  'REQUEST_HEADER_FIELDS_TOO_LARGE',
  'The target and the header fields are larger than 16384 bytes.',
);
const TARGET_TOO_LONG = rejection(414, 'URI_TOO_LONG', 'The request target is longer than 8192 bytes.');
const BODY_TOO_LARGE = rejection(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than 102400 bytes.');
const FIVE_MEGABYTES = 5_000_000;
const PIECE = 'x'.repeat(50_000);

let service: StartedApp;

beforeAll(async () => {
  service = await startApp();
});

afterEach(async () => {
  expect(outcome(await service.api.get('/v1/pets'))).toEqual({ status: 200, body: [] });
});

describe('header fields', () => {
  const filler = (count: number, line: string): string[] => Array.from({ length: count }, () => line);

  it.each([
    ['in one value', () => [`X-Field: ${'x'.repeat(100_000)}`]],
    ['in one name', () => [`${'x'.repeat(100_000)}: value`]],
    ['in many values', () => filler(1000, `X-Field: ${'x'.repeat(90)}`)],
    ['in the key', () => [`Authorization: Bearer ${'x'.repeat(100_000)}`]],
    ['in Host', () => [`Host: ${'x'.repeat(100_000)}`]],
    ['in a cookie', () => [`Cookie: session=${'x'.repeat(100_000)}`]],
    ['in 3,000 fields', () => filler(3000, 'X-Field: a')],
  ])('get 431 with 100 kB %s', async (_, headers) => {
    const { responses, closed } = await service.sendRaw(listRequest(service.key, ...headers()));
    expect({ ...outcome(responses[0]!), closed }).toEqual({ ...HEADERS_TOO_LARGE, closed: true });
  });

  it('get 431 with a target of 20 kB that arrives in two pieces', async () => {
    const connection = await service.connect();
    connection.send(`GET /${'x'.repeat(10_000)}`);
    // The service reads in the first turn or in the second.
    await turn();
    await turn();
    connection.send('x'.repeat(10_000));
    expect(outcome(await connection.response())).toEqual(HEADERS_TOO_LARGE);
    expect(await connection.isClosed()).toBe(true);
  });

  it('are accepted just below the limit', async () => {
    const { responses } = await service.sendRaw(
      listRequest(service.key, `X-Field: ${'x'.repeat(15_000)}`, 'Connection: close'),
    );
    expect(outcome(responses[0]!)).toEqual({ status: 200, body: [] });
  });

  it('are either all read or all rejected when there are 3,000', async () => {
    const fields = filler(3000, 'a:');
    const keyLast = message([
      'GET /v1/pets HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      ...fields,
      `Authorization: Bearer ${service.key}`,
    ]);
    const twice = listRequest(service.key, 'Connection: close', ...fields, 'Authorization: Bearer other');
    const hosts = listRequest(service.key, 'Connection: close', ...fields, 'Host: elsewhere');
    const statuses: (number | undefined)[] = [];
    for (const request of [keyLast, twice, hosts]) statuses.push((await service.sendRaw(request)).responses[0]?.status);
    // The service either reads every field or rejects all requests as too large.
    expect([
      [200, 401, 400],
      [431, 431, 431],
    ]).toContainEqual(statuses);
  });
});

describe('a request target', () => {
  it.each([
    ['a query', `/v1/pets?x=${'x'.repeat(8182)}`],
    ['a path', `/v1/pets/${'1'.repeat(8184)}`],
    ['an unknown path', `/${'x'.repeat(8192)}`],
    ['a host', `http://${'x'.repeat(8192)}/v1/pets`],
    ['percent signs', `/v1/pets?x=${'%41'.repeat(3000)}`],
  ])('gets 414 when it is longer than 8 kB: %s', async (_, target) => {
    const bytes = message([`GET ${target} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${service.key}`]);
    const { responses } = await service.sendRaw(bytes);
    expect(outcome(responses[0]!)).toEqual(TARGET_TOO_LONG);
  });

  it.each([
    ['a query', `/v1/pets?x=${'x'.repeat(100_000)}`],
    ['a path', `/v1/pets/${'1'.repeat(100_000)}`],
    ['slashes', '/'.repeat(100_000)],
  ])('gets 414 and a closed connection when it is 100 kB long: %s', async (_, target) => {
    const bytes = message([`GET ${target} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${service.key}`]);
    const { responses, closed } = await service.sendRaw(bytes);
    expect({ ...outcome(responses[0]!), closed }).toEqual({ ...TARGET_TOO_LONG, closed: true });
  });

  it('is accepted when it is 8 kB long', async () => {
    const target = `/v1/${'x'.repeat(8188)}`;
    const { responses } = await service.sendRaw(
      message([`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close']),
    );
    expect(outcome(responses[0]!)).toEqual(noResourceAt(target));
  });
});

describe('a body of 5 MB', () => {
  /** Sends all pieces regardless of responses. */
  async function sendPieces(connection: RawConnection, piece: string): Promise<void> {
    for (let sent = 0; sent < FIVE_MEGABYTES; sent += PIECE.length) {
      connection.send(piece);
      await turn();
    }
  }

  /** A client on a busy machine may take longer than the second for which the service reads a body after its response. */
  function lingerForLong(): void {
    const set = globalThis.setTimeout;
    const later = (work: () => void, milliseconds?: number) => set(work, milliseconds === 1000 ? 60_000 : milliseconds);
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(later);
  }

  const byLength = `Content-Length: ${FIVE_MEGABYTES}`;
  const byChunks = 'Transfer-Encoding: chunked';

  it.each([
    ['413 with Content-Length', () => creation(service.key, [byLength], ''), PIECE, BODY_TOO_LARGE],
    ['413 in chunks', () => creation(service.key, [byChunks], ''), chunk(PIECE), BODY_TOO_LARGE],
    ['401 with Content-Length', () => creation('', [byLength], ''), PIECE, MISSING_KEY],
    ['401 in chunks', () => creation('', [byChunks], ''), chunk(PIECE), MISSING_KEY],
    ['415', () => creation(service.key, [byLength], '').replace('application/json', 'text/plain'), PIECE, NO_JSON],
    ['404', () => creation('', [byLength], '').replace('/v1/pets', '/v1/dogs'), PIECE, noResourceAt('/v1/dogs')],
  ])('gets %s while it is still being sent', async (_, head, piece, expected) => {
    const connection = await service.connect();
    connection.send(head());
    await sendPieces(connection, piece);
    expect(outcome(await connection.response())).toEqual(expected);
    connection.close();
  });

  it.each([
    ['413 with Content-Length', () => creation(service.key, [byLength], ''), PIECE, 413],
    ['413 in chunks', () => creation(service.key, [byChunks], ''), chunk(PIECE), 413],
    ['401', () => creation('', [byLength], ''), PIECE, 401],
  ])('gets %s even if the client reads only after it has sent everything', async (_, head, piece, status) => {
    lingerForLong();
    const socket = connect({ host: '127.0.0.1', port: service.port });
    const failed = once(socket, 'error').then(([error]) => Promise.reject(error as Error));
    try {
      socket.write(head(), 'latin1');
      for (let sent = 0; sent < FIVE_MEGABYTES; sent += PIECE.length) {
        await Promise.race([failed, new Promise<void>((resolve) => socket.write(piece, 'latin1', () => resolve()))]);
      }
      const [received] = (await Promise.race([failed, once(socket, 'data')])) as [Buffer];
      const { response } = readResponse(received, false, false)!;
      contractCheck()({ method: 'POST', target: '/v1/pets', body: Buffer.alloc(0), response, raw: true });
      expect(response.status).toBe(status);
    } finally {
      jest.restoreAllMocks();
      failed.catch(() => {});
      socket.destroy();
    }
  });

  it('is not read for a list request, which gets its response at once', async () => {
    const connection = await service.connect();
    connection.send(listRequest(service.key, byLength));
    expect(outcome(await connection.response())).toEqual({ status: 200, body: [] });
    connection.close();
  });
});

describe('a body at the limit', () => {
  const padded = (size: number): string => REX.padEnd(size);
  const broken = (size: number): string => 'x'.padEnd(size);

  it.each([
    ['one byte too many', (key: string) => creation(key, ['Content-Length: 102401'], padded(102_401)), BODY_TOO_LARGE],
    [
      'its last byte',
      (key: string) => creation(key, ['Content-Length: 102400'], broken(102_400)),
      badRequest('The body is not valid JSON: syntax error at position 0.'),
    ],
    [
      'its last byte in chunks',
      (key: string) => creation(key, ['Transfer-Encoding: chunked'], `${chunk(broken(102_400))}0\r\n\r\n`),
      badRequest('The body is not valid JSON: syntax error at position 0.'),
    ],
  ])('keeps the connection open with %s', async (_, request, expected) => {
    const connection = await service.connect();
    expect(outcome(await connection.send(request(service.key)).response())).toEqual(expected);
    expect(outcome(await connection.send(listRequest(service.key)).response())).toEqual({ status: 200, body: [] });
  });

  it('gets 413 in chunks with one byte too many', async () => {
    const body = `${chunk(padded(102_401))}0\r\n\r\n`;
    const { responses } = await service.sendRaw(creation(service.key, ['Transfer-Encoding: chunked'], body));
    expect(outcome(responses[0]!)).toEqual(BODY_TOO_LARGE);
  });
});
