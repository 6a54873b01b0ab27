import { beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { newApiKey } from '../../../src/auth/api-key.js';
import { readConfig } from '../../../src/config.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { describeWithHaproxy, type StartedProxy, startHaproxy } from './start-haproxy.js';

/** An address of loopback that neither HAProxy nor the service uses. */
const CLIENT = '127.0.0.9';
/** Milliseconds; only a failing test takes this long. */
const TIMEOUT = 10_000;

describeWithHaproxy('the log of HAProxy', () => {
  let service: StartedApp;
  let haproxy: StartedProxy;

  beforeAll(async () => {
    const { rateLimit } = readConfig({ RATE_LIMIT: '1/24h' });
    service = await startApp({ rateLimit });
    haproxy = await startHaproxy(service.port);
  });

  /** Its status, and the id of the response. */
  async function send(headers: OutgoingHttpHeaders = {}): Promise<{ status: number; id: unknown }> {
    const options = { port: haproxy.port, localAddress: CLIENT, path: '/v1/pets', headers, agent: false };
    const [response] = (await once(request({ host: '127.0.0.1', ...options }).end(), 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return { status: response.statusCode!, id: response.headers['x-request-id'] };
  }

  /** Sends text on a connection of its own, and closes it after the response. */
  async function sendText(text: string): Promise<void> {
    const socket = connect({ port: haproxy.port, host: '127.0.0.1', localAddress: CLIENT });
    await once(socket, 'connect');
    socket.end(text).resume();
    await once(socket, 'close');
  }

  /** Client, status and id of each request in its log, as soon as it has the given id, or after TIMEOUT. */
  async function logged(last: string): Promise<(string | undefined)[][]> {
    const deadline = performance.now() + TIMEOUT;
    for (;;) {
      const lines = haproxy.proxy.log.split('\n').filter((line) => /^[\d.]+:\d+ \[/.test(line));
      const requests = lines
        .map((line) => line.split(' '))
        .map(([client, , , , , status, , , , , id]) => [client!.split(':')[0], status, id]);
      if (requests.some(([, , id]) => id === last) || performance.now() > deadline) return requests;
      await delay(20);
    }
  }

  it('has the address of the client and the id of each request that failed, and no other request', async () => {
    const authorization = `Bearer ${service.key}`;
    expect(await send({ authorization, 'X-Request-Id': 'success' })).toEqual({ status: 200, id: 'success' });
    await sendText('');
    expect(await send({ authorization, 'X-Request-Id': 'limited' })).toEqual({ status: 429, id: 'limited' });
    const unauthorized = await send();
    expect(unauthorized).toEqual({ status: 401, id: expect.any(String) });
    await sendText('nonsense\r\n\r\n');
    await service.close();
    while ((await haproxy.proxy.isUp('a')) || (await haproxy.proxy.isUp('b'))) await delay(50);
    const key = newApiKey();
    expect(await send({ 'X-Request-Id': key })).toMatchObject({ status: 503 });
    expect(await send({ 'X-Request-Id': 'unserved' })).toMatchObject({ status: 503 });

    expect(await logged('unserved')).toEqual([
      [CLIENT, '429', 'limited'],
      [CLIENT, '401', unauthorized.id],
      [CLIENT, '400', '-'],
      [CLIENT, '503', '-'],
      [CLIENT, '503', 'unserved'],
    ]);
    expect(haproxy.proxy.log).not.toContain(key);
    expect(haproxy.proxy.log).not.toContain('/v1/pets');
  });
});
