import { describe, expect, it } from '@jest/globals';
import { DATABASE_UNAVAILABLE, type Outcome, outcome, petNotFound } from '../../properties/outcome.js';
import { goodCreation, listRequest } from '../../support/http/raw/raw-requests.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import { RawConnection } from '../../support/http/raw/raw-socket.js';
import { ALIVE, COUNT, expectShedding, OVERLOADED, startBusy } from './busy-service.js';

/** Pipelined requests of each connection, in threes. */
const BUNDLES = 20;

/** Milliseconds; only a failing test takes this long. */
const PATIENCE = 100_000;

const REFUSED = [OVERLOADED, DATABASE_UNAVAILABLE];
const CREATED: Outcome = { status: 201, body: expect.objectContaining({ name: 'Rex' }) };

describe('an overloaded service', () => {
  it.each([
    ['lists', (key: string) => listRequest(key), { status: 200, body: [] }],
    // The check of each response includes the headers of a deprecated operation.
    ['gets', (key: string) => listRequest(key).replace('/v1/pets', '/v1/pets/1'), petNotFound(1)],
    ['creations', (key: string) => goodCreation(key), CREATED],
  ])('serves what it can, and refuses what would wait too long: %s', async (_, request, expected) => {
    await expectShedding(request, expected);
  });

  it('refuses none of the pipelined requests of a client while no other one waits', async () => {
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
