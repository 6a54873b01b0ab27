import { describe, expect, it } from '@jest/globals';
import type { NextFunction, Request, Response } from 'express';
import { DATABASE_UNAVAILABLE, type Outcome, outcome, petNotFound } from '../../properties/outcome.js';
import { goodCreation, listRequest, message } from '../../support/http/raw/raw-requests.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import { RawConnection } from '../../support/http/raw/raw-socket.js';
import { startApp, type StartedApp } from '../../support/start-app.js';

/** Milliseconds of work for each request. */
const WORK = 30;
/** More requests than the service can serve before the last of them has waited too long. */
const COUNT = 80;

/** Pipelined requests of each connection, in threes. */
const BUNDLES = 20;

/** Milliseconds; only a failing test takes this long. */
const PATIENCE = 100_000;

const ALIVE = message(['GET /live HTTP/1.1', 'Host: localhost']);
const OVERLOADED = {
  status: 503,
  body: { code: 'SERVICE_UNAVAILABLE', message: 'The service is overloaded; try again.', status: 503 },
};

const REFUSED = [OVERLOADED, DATABASE_UNAVAILABLE];
const CREATED: Outcome = { status: 201, body: expect.objectContaining({ name: 'Rex' }) };

/** A service that can do nothing else while it works for a request, as for a large list. */
function startBusy(): Promise<StartedApp> {
  return startApp(
    {},
    {
      prepare: (app) =>
        void app.use('/v1', (_: Request, __: Response, next: NextFunction) => {
          const end = performance.now() + WORK;
          while (performance.now() < end);
          next();
        }),
    },
  );
}

describe('an overloaded service', () => {
  it.each([
    ['lists', (key: string) => listRequest(key), { status: 200, body: [] }],
    // The check of each response includes the headers of a deprecated operation.
    ['gets', (key: string) => listRequest(key).replace('/v1/pets', '/v1/pets/1'), petNotFound(1)],
    ['creations', (key: string) => goodCreation(key), CREATED],
  ])('serves what it can, and refuses what would wait too long: %s', async (_, request, expected) => {
    const service = await startBusy();
    const connections = await Promise.all(Array.from({ length: COUNT }, () => service.connect()));
    const probe = await service.connect();
    // The service reads a connection that it has not accepted yet in another turn.
    await Promise.all([probe, ...connections].map((connection) => connection.send(ALIVE).response()));
    for (const connection of connections) connection.send(request(service.key));
    let answered = 0;
    const alive = probe
      .send(ALIVE)
      .response()
      .then((response) => ({ response, answeredBefore: answered }));
    const responses = await Promise.all(
      connections.map(async (connection) => {
        const response = await connection.response();
        answered += 1;
        return response;
      }),
    );
    const refused = responses.filter(({ status }) => status === 503);
    const served = responses.filter(({ status }) => status !== 503);
    const { response: probed, answeredBefore } = await alive;
    expect(outcome(probed)).toEqual({ status: 200, body: { status: 'live' } });
    expect(answeredBefore).toBeLessThan(COUNT / 2);
    expect([served.length, refused.length]).not.toContain(0);
    for (const response of served) expect(outcome(response)).toEqual(expected);
    for (const response of refused) {
      expect(outcome(response)).toEqual(OVERLOADED);
      expect(response.header('retry-after')).toBe('1');
    }
    // Afterwards, the same connection is served.
    expect(outcome(await connections[0]!.send(request(service.key)).response())).toEqual(expected);
  });

  it('refuses none of the pipelined requests of a client that nobody waits for', async () => {
    const service = await startBusy();
    const connection = await service.connect();
    connection.send(listRequest(service.key).repeat(COUNT));
    const responses = await Promise.all(Array.from({ length: COUNT }, () => connection.response()));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it(
    'answers pipelined requests in their order, whether it serves or refuses them',
    async () => {
      const service = await startBusy();
      // Without a check of each response: this client shares its thread with the service, whose requests would all wait
      // too long while it checks.
      const connections = await Promise.all(
        Array.from({ length: COUNT }, () => RawConnection.open(service.port, () => {})),
      );
      await Promise.all(connections.map((connection) => connection.send(ALIVE).response()));
      const get = (id: number) => listRequest(service.key).replace('/v1/pets', `/v1/pets/${id}`);
      const requests = get(1000) + goodCreation(service.key) + get(2000);
      const expected = [petNotFound(1000), CREATED, petNotFound(2000)];
      const deadline = performance.now() + PATIENCE;
      const responses: [HttpResponse, Outcome][] = [];
      let refusedEarly = 0;
      const pipeline = async (connection: RawConnection) => {
        connection.send(requests.repeat(BUNDLES));
        for (let left = BUNDLES; left > 0; left -= 1) {
          for (const served of expected) {
            const response = await connection.response();
            responses.push([response, served]);
            // A request with a body is refused by a response of Node, the others by a text without a date.
            if (response.header('date') === undefined) refusedEarly += 1;
          }
          // Refusing what waits takes several turns, in which these arrive.
          if (refusedEarly === 0 && performance.now() < deadline) {
            connection.send(requests);
            left += 1;
          }
        }
      };
      await Promise.all(connections.map(pipeline));
      for (const [response, served] of responses) {
        // On a busy machine, PostgreSQL can be too slow as well.
        if (response.status === 503) expect(REFUSED).toContainEqual(outcome(response));
        else expect(outcome(response)).toEqual(served);
      }
      expect(refusedEarly).toBeGreaterThan(0);
    },
    2 * PATIENCE,
  );
});
