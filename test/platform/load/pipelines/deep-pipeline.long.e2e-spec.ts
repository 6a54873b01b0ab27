import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { NextFunction, Request, Response } from 'express';
import { listRequest } from '../../../support/http/raw/raw-requests.js';
import { readResponse } from '../../../support/http/raw/http-messages.js';
import { startApp } from '../../../support/start-app.js';

/** More requests than the memory for waiting ones holds, and the size of a header of each. */
const PIPELINES = [
  { count: 20_000, size: 1 },
  { count: 6_000, size: 12_000 },
];
/** Milliseconds; only a failing test takes this long. */
const PATIENCE = 20_000;

describe('a client that pipelines more requests than the service can keep', () => {
  it.each(PIPELINES)(
    'gets the responses to some of $count with $size more bytes, and then the end',
    async (pipeline) => {
      const { count: sent, size } = pipeline;
      const request = listRequest('wrong', `X-Size: ${'x'.repeat(size)}`);
      // Without room for pipelined requests, another client gets the responses to a first one and to one that may have followed its
      // response, and then the end of the connection.
      const expectOthersToEnd = async () => {
        const other = await service.connect();
        other.send(request.repeat(3));
        expect((await other.response()).status).toBe(401);
        expect((await other.response()).status).toBe(401);
        expect(await other.isClosed()).toBe(true);
      };
      const service = await startApp(
        {},
        {
          prepare: (app) =>
            void app.use('/v1', (first: Request, _: Response, next: NextFunction) => {
              if (first.get('X-First') === undefined) next();
              else {
                // Until the service reads nothing more.
                const deadline = performance.now() + PATIENCE;
                const timer = setInterval(() => {
                  const isPaused = first.socket.isPaused();
                  if (!isPaused && performance.now() < deadline) return;
                  clearInterval(timer);
                  if (isPaused) void expectOthersToEnd().then(() => next(), next);
                  // The service reads on.
                  else first.socket.destroy();
                }, 10);
              }
            }),
        },
      );
      const socket = connect({ host: '127.0.0.1', port: service.port });
      await once(socket, 'connect');
      socket.write(listRequest('wrong', 'X-First: yes') + request.repeat(sent));
      const received = await buffer(socket);
      let count = 0;
      for (let start = 0; start < received.length; count += 1) {
        const { response, length } = readResponse(received.subarray(start), false, true)!;
        start += length;
        expect(response.status).toBe(401);
      }
      expect(count).toBeGreaterThan(sent / 4);
      expect(count).toBeLessThan(sent);
      expect((await service.api.get('/v1/pets')).status).toBe(200);
    },
  );
});
