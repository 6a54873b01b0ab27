import { beforeAll, describe, expect, it } from '@jest/globals';
import { responded } from '../nest/toys/responses/express-toys.controller.js';
import { startToys } from '../nest/toys/start-toys.js';
import { outcome } from '../../properties/outcome.js';
import { creation, message, REX } from '../../support/http/raw/raw-requests.js';
import { SETTLE_TIME } from '../../support/http/raw/raw-socket.js';
import { startApp, type StartedApp } from '../../support/start-app.js';

/** More bytes than the service reads of a body that it discards. */
const LENGTH = 20_000_000;

let service: StartedApp;

beforeAll(async () => {
  service = await startToys();
});

const request = (way: string): string =>
  message([
    `GET /v1/express-responses/${way} HTTP/1.1`,
    'Host: toys.test',
    `Authorization: Bearer ${service.key}`,
    `Content-Length: ${LENGTH}`,
  ]);

describe('a response that precedes a body of 20 MB', () => {
  it.each(['json', 'send', 'end', 'end-bytes', 'end-hex'])(
    'is complete, and the client has time to read it: %s',
    async (way) => {
      const connection = await service.connect();
      const response = await connection.send(request(way)).response();
      expect(outcome(response)).toEqual({ status: 200, body: { name: 'Ball' } });
      expect(response.header('connection')).toBe('close');
      expect(await connection.isClosed(SETTLE_TIME)).toBe(false);
      connection.send('x'.repeat(LENGTH));
      expect(await connection.isClosed()).toBe(true);
    },
  );

  it('calls the callback of `end`', async () => {
    const connection = await service.connect();
    await connection.send(request('end-callback')).response();
    connection.send('x'.repeat(LENGTH));
    expect(await connection.isClosed()).toBe(true);
    expect(responded.map(({ writableFinished }) => writableFinished)).toEqual([true]);
  });
});

describe('a response that precedes the body of the last request of a connection', () => {
  const close = (key: string, ...headers: string[]) =>
    creation(key, ['Connection: close', `Content-Length: ${REX.length}`, ...headers], '');

  it.each<[number, string, (key: string) => string]>([
    [401, 'a wrong key', () => close('wrong')],
    [404, 'an unknown path', (key) => close(key).replace('/v1/pets', '/v1/dogs')],
    [405, 'an unknown method', (key) => close(key).replace('POST', 'PUT')],
    [
      413,
      'a body that is too large',
      (key) => close(key).replace(`Content-Length: ${REX.length}`, 'Content-Length: 102401'),
    ],
    [415, 'another media type', (key) => close(key).replace('application/json', 'text/plain')],
    [401, 'a wrong key in HTTP/1.0', () => close('wrong').replace('HTTP/1.1', 'HTTP/1.0')],
    [401, 'a wrong key and 100-continue', () => close('wrong', 'Expect: 100-continue')],
    [401, 'a wrong key and an upgrade', () => close('wrong', 'Upgrade: h2c').replace('close', 'upgrade')],
    [200, 'a health check', (key) => close(key).replace('POST /v1/pets', 'GET /live')],
  ])('is not lost to a reset while the client sends the body: %i for %s', async (status, _, bytes) => {
    const pets = await startApp();
    const connection = await pets.connect();
    const response = await connection.send(bytes(pets.key)).response();
    expect([response.status, response.header('connection')]).toEqual([status, 'close']);
    // Closing it now would reset it when the body arrives, and the client could lose the response.
    expect(await connection.isClosed(SETTLE_TIME)).toBe(false);
    connection.send(REX);
    expect(await connection.isClosed()).toBe(true);
    await pets.close();
  });
});
