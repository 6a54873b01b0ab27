import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { NextFunction, Request, Response } from 'express';
import type { ContractAdapter } from '../../../../src/platform/http/contract-adapter.js';
import { readResponse } from '../../../support/http/raw/http-messages.js';
import { listRequest, message } from '../../../support/http/raw/raw-requests.js';
import { addPets } from '../../../support/pets.js';
import { startApp } from '../../../support/start-app.js';

/** Of 11 kB each: less than a socket may buffer. Together they are four times what the kernel keeps for one that is not read. */
const LISTS = 2000;
const PETS = Array.from({ length: 100 }, () => ({ name: 'x'.repeat(60) }));
/** Requests of others in a row that find as many lists waiting: then none is served any more. */
const SETTLED = 50;

/** Counts the responses that the service has begun to make and Node has yet to send. */
function countUnsent() {
  const made = {
    unsent: 0,
    most: 0,
    count: (_: Request, response: Response, next: NextFunction) => {
      made.unsent += 1;
      made.most = Math.max(made.most, made.unsent);
      response.once('finish', () => (made.unsent -= 1));
      next();
    },
  };
  return made;
}

describe('a client that pipelines lists and reads nothing', () => {
  it('causes no more responses than the kernel takes, and gets each of them once it reads', async () => {
    const made = countUnsent();
    const service = await startApp({}, { prepare: (app) => void app.use('/v1', made.count) });
    await addPets(service.api, PETS);
    // Nest declares the adapter by its base class.
    const adapter = service.app.getHttpAdapter() as unknown as ContractAdapter;
    const socket = connect({ host: '127.0.0.1', port: service.port });
    await once(socket, 'connect');
    socket.pause().write(listRequest(service.key).replace('/v1/pets', '/v1/pets?limit=100').repeat(LISTS));

    let waiting = -1;
    for (let same = 0; same < SETTLED;) {
      expect((await service.api.get('/v1/pets?limit=1')).status).toBe(200);
      same = adapter.load.waiting === waiting ? same + 1 : 0;
      ({ waiting } = adapter.load);
    }
    expect(waiting).toBeGreaterThan(LISTS / 4);
    expect(made.unsent).toBe(1);

    const statuses: number[] = [];
    let received: Buffer = Buffer.alloc(0);
    for await (const piece of socket) {
      received = Buffer.concat([received, piece as Buffer]);
      for (let next = readResponse(received, false, false); next; next = readResponse(received, false, false)) {
        statuses.push(next.response.status);
        received = received.subarray(next.length);
      }
      if (statuses.length === LISTS) break;
    }
    expect(statuses.length).toBe(LISTS);
    // Some have waited for too long while others made requests.
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  });

  it('causes at most one response while another one is still unsent', async () => {
    const made = countUnsent();
    const service = await startApp(
      {},
      {
        prepare: (app) =>
          void app.use('/short', made.count, (_: Request, response: Response) => void response.end('short')),
      },
    );
    const socket = connect({ host: '127.0.0.1', port: service.port });
    await once(socket, 'connect');
    socket.end(message(['GET /short HTTP/1.1', 'Host: localhost']).repeat(1000));
    const received = await text(socket);
    expect(received.split('short').length - 1).toBe(1000);
    expect(made.most).toBe(2);
  });
});
