import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { DATABASE_DEFAULTS } from '../../src/config.js';
import { postgresPool } from '../../src/platform/database/postgres/postgres.js';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import { DATABASE_UNAVAILABLE } from '../properties/outcome.js';
import { createDatabase, type TestDatabase } from '../support/databases/databases.js';
import type { HttpResponse } from '../support/http/http-response.js';
import { untilServed } from '../support/http/until-served.js';
import { UnsteadyNetwork } from '../support/http/unsteady-network.js';
import { livedTime } from '../support/lived-time.js';
import { expectRetry, whileLocked } from '../support/outages.js';
import { addPet } from '../support/pets.js';
import { startApp, type StartedApp } from '../support/start-app.js';

/** The factor by which these tests multiply all times, so that a slow machine affects them less. */
const STRETCH = 5;
const LIMITS = {
  databaseConnectTimeout: DATABASE_DEFAULTS.databaseConnectTimeout * STRETCH,
  databaseStatementTimeout: DATABASE_DEFAULTS.databaseStatementTimeout * STRETCH,
};
/** Milliseconds: of the two seconds that a caller may wait, more than half. */
const MOMENT = 1100 * STRETCH;
/** More than the pool has connections, so that some requests wait for one. */
const CALLS = 40;

let database: TestDatabase;
let network: UnsteadyNetwork;
let service: StartedApp;

beforeEach(async () => {
  database = await createDatabase();
  network = await UnsteadyNetwork.to(database.url);
  service = await startApp({ databaseUrl: network.url, ...LIMITS });
  await addPet(service.api);
});

afterEach(async () => {
  await service.close();
  await network.close();
  await database.drop();
});

const list = (): Promise<HttpResponse> => service.api.get('/v1/pets');
const OPERATIONS: [() => Promise<HttpResponse>, number][] = [
  [list, 200],
  [() => service.api.get('/v1/pets/1'), 200],
  [() => service.api.post('/v1/pets', { name: 'Tom', categoryId: 7 }), 201],
  // A load balancer would take out the replica.
  [() => service.api.get('/ready'), 200],
];

async function loseConnections(): Promise<void> {
  const pool = postgresPool(service.app.get(ServedDatabase).dataSource);
  for (network.cut(); pool.totalCount > 0;) await delay(5);
}

describe('a PostgreSQL that does not respond for more than half of the time that a caller may wait', () => {
  it.each([
    ['open', () => Promise.all(Array.from({ length: CALLS }, list))],
    ['new', loseConnections],
  ])('delays requests over %s connections but fails none', async (_, prepare) => {
    await prepare();
    network.jam();
    const calls = Array.from({ length: CALLS }, (_item, index) => OPERATIONS[index % OPERATIONS.length]!);
    const responses = calls.map(([call]) => untilServed(call));
    await delay(MOMENT);
    network.release();
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual(calls.map(([, status]) => status));
  });

  it('leaves a statement only the rest of that time', async () => {
    await loseConnections();
    network.jam();
    await whileLocked(database.url, async () => {
      const start = livedTime();
      const creation = service.api.post('/v1/pets', { name: 'Tom', categoryId: 7 });
      await delay(MOMENT);
      network.release();
      expectRetry(await creation, DATABASE_UNAVAILABLE);
      expect(livedTime() - start).toBeLessThan(MOMENT + LIMITS.databaseStatementTimeout);
    });
  });
});
