import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { HttpResponse } from '../support/http/http-response.js';
import { chunk, message } from '../support/http/raw/raw-requests.js';
import { RawConnection } from '../support/http/raw/raw-socket.js';
import { describeWithHaproxy, HAPROXY, type Proxy, type StartedProxy, startHaproxy } from './haproxy/start-haproxy.js';

const DEPLOY = fileURLToPath(new URL('../../deploy', import.meta.url));

/** Whether it uses its files for requests that it cannot read: otherwise those get HTML. Debian 12 has 2.6. */
const usesFiles = existsSync(HAPROXY) && versionOf(HAPROXY) >= 3.3;
const itWithFiles = usesFiles ? it : it.skip;
const itBefore = usesFiles ? it.skip : it;

const HOST = 'Host: localhost';
const CHUNKED = message(['POST /v1/pets HTTP/1.1', HOST, 'Transfer-Encoding: chunked']);
// The contract says nothing about the errors of a proxy.
const check = (): void => {};

function versionOf(program: string): number {
  return Number(/ version (\d+\.\d+)/.exec(execFileSync(program, ['-v'], { encoding: 'utf8' }))![1]);
}

/** The configuration in `deploy` with other timeouts, by name and in seconds. */
function configuration(timeouts: Readonly<Record<string, number>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'haproxy-errors-'));
  cpSync(join(DEPLOY, 'haproxy-errors'), join(directory, 'haproxy-errors'), { recursive: true });
  let text = readFileSync(join(DEPLOY, 'haproxy.cfg'), 'utf8');
  for (const [name, seconds] of Object.entries(timeouts)) {
    text = text.replace(new RegExp(`timeout ${name} \\d+s`), `timeout ${name} ${seconds}s`);
  }
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(file, text);
  return file;
}

/** Is ready, breaks the connection of /broken, and responds to nothing else. */
async function startReplica(): Promise<Server> {
  const server = createServer(({ url, socket }, response) => {
    if (url === '/ready') response.end();
    if (url === '/broken') socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describeWithHaproxy('an error of HAProxy is an Error body', () => {
  let replica: Server;
  let proxy: Proxy;
  let port: number;

  /** A proxy with other timeouts. A test shortens only one that must expire: a busy machine may exceed it. */
  function startProxy(timeouts: Readonly<Record<string, number>> = {}): Promise<StartedProxy> {
    return startHaproxy((replica.address() as AddressInfo).port, configuration({ check: 60, ...timeouts }));
  }

  beforeAll(async () => {
    replica = await startReplica();
    ({ proxy, port } = await startProxy());
  });

  afterAll(() => {
    replica.close().closeAllConnections();
  });

  const responseTo = (...parts: string[]): Promise<HttpResponse> => responseThrough(port, ...parts);

  async function responseThrough(address: number, ...parts: string[]): Promise<HttpResponse> {
    const connection = await RawConnection.open(address, check);
    for (const part of parts) {
      connection.send(part);
      await delay(100);
    }
    const response = await connection.response();
    connection.close();
    return response;
  }

  function expectError(response: HttpResponse, status: number, code: string): void {
    expect({ status: response.status, body: response.json }).toEqual({
      status,
      body: { code, message: expect.any(String), status },
    });
    expect(response.header('content-type')).toBe('application/json');
    expect(response.header('cache-control')).toBe('no-store');
  }

  it('when the replica breaks the connection: 502', async () => {
    const response = await responseTo(message(['POST /broken HTTP/1.1', HOST]));
    expectError(response, 502, 'BAD_GATEWAY');
  });

  it('when the replica does not respond in time: 504', async () => {
    const { port: impatient } = await startProxy({ server: 2 });
    const response = await responseThrough(impatient, message(['GET /v1/pets HTTP/1.1', HOST]));
    expectError(response, 504, 'GATEWAY_TIMEOUT');
  });

  // Later releases close the connection instead.
  itBefore('when a body becomes malformed after its beginning: 400', async () => {
    expectError(await responseTo(CHUNKED, chunk('{"name":'), 'nonsense\r\n'), 400, 'BAD_REQUEST');
  });

  itWithFiles.each([
    ['a request line is nonsense', ['nonsense\r\n\r\n']],
    ['a TLS handshake arrives', ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n']],
    ['a header has no colon', [message(['GET /v1/pets HTTP/1.1', HOST, 'X-Field value'])]],
    ['a transfer coding is unknown', [message(['POST / HTTP/1.1', HOST, 'Transfer-Encoding: gzip, chunked'])]],
    ['a GET of HTTP/1.0 has a body', [message(['GET / HTTP/1.0', HOST, 'Content-Length: 1'], 'x')]],
    [
      'an upgrade has a body',
      [message(['POST / HTTP/1.1', HOST, 'Connection: Upgrade', 'Upgrade: a', 'Content-Length: 1'])],
    ],
    ['the first chunk is malformed', [`${CHUNKED}nonsense\r\n`]],
  ])('when %s: 400', async (_, parts) => {
    expectError(await responseTo(...parts), 400, 'BAD_REQUEST');
  });

  itWithFiles('when a target or headers are larger than its buffer: 414, 431', async () => {
    const large = 'a'.repeat(40_000);
    expectError(await responseTo(message([`GET /${large} HTTP/1.1`, HOST])), 414, 'URI_TOO_LONG');
    const response = await responseTo(message(['GET / HTTP/1.1', HOST, `X-Field: ${large}`]));
    expectError(response, 431, 'REQUEST_HEADER_FIELDS_TOO_LARGE');
  });

  itWithFiles.each([
    ['a request line', 'GET /v1/pets HT'],
    ['its headers', 'GET /v1/pets HTTP/1.1\r\nHost: local'],
  ])('when only half of %s arrives in time: 408', async (_, text) => {
    const { port: impatient } = await startProxy({ 'http-request': 1, client: 1 });
    expectError(await responseThrough(impatient, text), 408, 'REQUEST_TIMEOUT');
  });

  it('when no replica is ready: 503 with Retry-After', async () => {
    replica.removeAllListeners('request').on('request', (_, { socket }) => socket!.destroy());
    while ((await proxy.isUp('a')) || (await proxy.isUp('b'))) await delay(50);
    const response = await responseTo(message(['GET /v1/pets HTTP/1.1', HOST]));
    expectError(response, 503, 'SERVICE_UNAVAILABLE');
    expect(response.header('retry-after')).toBe('1');
  });
});
