import { describe, expect, it } from '@jest/globals';
import { addPet, pages, type Pet, walk } from '../pets.js';
import { createDatabase } from '../support/databases.js';
import { startApp, type StartedApp } from '../support/start-app.js';

const SERVICES = 4;
/** Creations under way at a time, of each service. */
const WRITERS = 8;
/** Walks of each service. */
const WALKS = 12;

const idOf = ({ id }: Pet): number => Number(id);

/** A walk: what had been answered with 201 before it began, and what it saw. */
interface Walk {
  readonly promised: readonly number[];
  readonly seen: readonly number[];
}

describe('walks while several services on one database take creations', () => {
  it('miss no pet that was there before, and see none appear behind them', async () => {
    const database = await createDatabase();
    const services: StartedApp[] = [];
    for (let count = 0; count < SERVICES; count += 1) services.push(await startApp({ databaseUrl: database.url }));
    const stopping = new AbortController();
    const promised: number[] = [];
    const walks: Walk[] = [];

    const write = async ({ api }: StartedApp): Promise<void> => {
      while (!stopping.signal.aborted) promised.push(idOf(await addPet(api)));
    };
    const read = async ({ api }: StartedApp): Promise<void> => {
      for (let count = 0; count < WALKS; count += 1) {
        const before = [...promised];
        const last = Math.max(0, ...before);
        const seen: number[] = [];
        for await (const page of pages(api, '/v1/pets?limit=100')) {
          seen.push(...page.map(idOf));
          // The creations never cease, so the walk might not either.
          if (seen.at(-1)! > last) break;
        }
        walks.push({ promised: before, seen });
      }
    };

    const writing = services.flatMap((service) => Array.from({ length: WRITERS }, () => write(service)));
    await Promise.all(services.map(read));
    stopping.abort();
    await Promise.all(writing);

    const all = (await walk(services[0]!.api, '/v1/pets?limit=100')).map(idOf);
    expect(all).toStrictEqual(promised.toSorted((a, b) => a - b));
    expect(walks).toHaveLength(SERVICES * WALKS);
    for (const { promised: before, seen } of walks) {
      const set = new Set(seen);
      expect(before.filter((id) => !set.has(id))).toStrictEqual([]);
      // Were an id to be committed behind a page that was read, it would be here and not there.
      expect(seen).toStrictEqual(all.slice(0, seen.length));
    }
    // Walks that meet no creations prove nothing.
    expect(walks.at(-1)!.promised.length).toBeGreaterThan(walks[0]!.promised.length);
    for (const service of services) await service.close();
    await database.drop();
  }, 60_000);
});
