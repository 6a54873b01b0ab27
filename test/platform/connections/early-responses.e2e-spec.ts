import { beforeAll, describe, expect, it } from '@jest/globals';
import { responded } from '../nest/toys/responses/express-toys.controller.js';
import { startToys } from '../nest/toys/start-toys.js';
import { outcome } from '../../properties/outcome.js';
import { message } from '../../support/http/raw/raw-requests.js';
import { SETTLE_TIME } from '../../support/http/raw/raw-socket.js';
import type { StartedApp } from '../../support/start-app.js';

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
