import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { NextFunction, Request, Response } from 'express';
import { listRequest, message } from '../../support/http/raw/raw-requests.js';
import { startApp } from '../../support/start-app.js';

const CONNECTIONS = 50;
const PIPELINED = 40;
const ALIVE = message(['GET /live HTTP/1.1', 'Host: localhost']);

/** A service that records the header `X-Client` of each request when it is served, after `milliseconds`. */
async function startRecording(milliseconds: number) {
  const served: string[] = [];
  const service = await startApp(
    {},
    {
      prepare: (app) =>
        void app.use('/v1', (request: Request, _: Response, next: NextFunction) => {
          served.push(request.get('X-Client')!);
          if (milliseconds === 0) next();
          else setTimeout(next, milliseconds);
        }),
    },
  );
  const many = await Promise.all(Array.from({ length: CONNECTIONS }, () => service.connect()));
  return { service, served, many, request: (client: string) => listRequest(service.key, `X-Client: ${client}`) };
}

describe('pipelined requests on many connections', () => {
  it('delay the request of another client by at most a few requests of each connection', async () => {
    const { service, served, many, request } = await startRecording(0);
    const single = await service.connect();
    // The service reads a connection that it has not accepted yet in another turn.
    await Promise.all([single, ...many].map((connection) => connection.send(ALIVE).response()));
    for (const connection of many) connection.send(request('many').repeat(PIPELINED));
    expect((await single.send(request('single')).response()).status).toBe(200);
    expect(served.indexOf('single')).toBeLessThanOrEqual(3 * CONNECTIONS);
    for (const connection of many) connection.close();
  });

  it('are served one at a time, and no longer once their client is gone', async () => {
    const { service, served, many, request } = await startRecording(20);
    for (const connection of many) connection.send(request('many').repeat(PIPELINED));
    await Promise.all(many.map((connection) => connection.response()));
    for (const connection of many) connection.close();
    await service.api.get('/v1/pets', { headers: { 'X-Client': 'another' } });
    // A busy service needs a while to notice that the clients are gone.
    let servedBefore: number;
    do {
      servedBefore = served.length;
      await delay(200);
    } while (served.length > servedBefore);
    expect(servedBefore).toBeLessThan((CONNECTIONS * PIPELINED) / 2);
  });
});
