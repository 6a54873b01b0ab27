import { describe, expect, it } from '@jest/globals';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import { untilServed } from '../support/http/until-served.js';
import { idOf, type Pet } from '../support/pets.js';
import { createDatabase } from '../support/databases/databases.js';
import { startApp, type StartedApp } from '../support/start-app.js';
import { expectExact, type Walk, walkToEnd } from './walks.js';

const SERVICES = 4;
/** Concurrent creations of each service. */
const WRITERS = 8;
/** Walks of each service. */
const WALKS = 12;

/**
 * Delays each creation by up to 10 ms between taking its id and the commit. Without the delay, creations happen to commit in
 * the order of their ids, and a walk never reaches the end of the list.
 */
async function delayCommits({ app }: StartedApp): Promise<void> {
  const dataSource = app.get(ServedDatabase).dataSource;
  await dataSource.query(
    `CREATE FUNCTION "dawdle"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(random() * 0.01); RETURN NULL; END $$`,
  );
  // AFTER, because ids are taken within the statement.
  await dataSource.query(
    `CREATE TRIGGER "dawdle" AFTER INSERT ON "pets" FOR EACH STATEMENT EXECUTE FUNCTION "dawdle"()`,
  );
}

describe('walks while several services create pets in one database', () => {
  it('miss no pet acknowledged before, and no smaller id appears after a page was read', async () => {
    const database = await createDatabase();
    const services: StartedApp[] = [];
    for (let count = 0; count < SERVICES; count += 1) services.push(await startApp({ databaseUrl: database.url }));
    await delayCommits(services[0]!);
    const stopping = new AbortController();
    const acknowledged: number[] = [];
    const walks: Walk[] = [];

    const write = async ({ api }: StartedApp): Promise<void> => {
      while (!stopping.signal.aborted) {
        const { status, json } = await untilServed(() => api.post('/v1/pets', { name: 'Rex', categoryId: 7 }));
        expect(status).toBe(201);
        acknowledged.push(idOf(json as Pet));
      }
    };
    const read = async ({ api }: StartedApp): Promise<void> => {
      for (let count = 0; count < WALKS; count += 1)
        walks.push(await walkToEnd(api, '/v1/pets?limit=100', acknowledged));
    };

    const writing = services.flatMap((service) => Array.from({ length: WRITERS }, () => write(service)));
    await Promise.all(services.map(read));
    stopping.abort();
    await Promise.all(writing);

    expect(walks).toHaveLength(SERVICES * WALKS);
    const all = await expectExact(walks, services[0]!.api);
    expect(all).toStrictEqual(acknowledged.toSorted((a, b) => a - b));
    for (const service of services) await service.close();
    await database.drop();
  }, 120_000);
});
