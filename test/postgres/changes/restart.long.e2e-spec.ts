import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '../../../src/platform/database/tables/database-unavailable.js';
import { openStock, ShelfEntity, type Stock, ToyEntity } from '../../database/support/stock.js';
import { CrashingPostgres } from '../../support/databases/crashing-postgres.js';

const TOY = { name: 'Ball', price: 1n };

let postgres: CrashingPostgres;
let stock: Stock;

beforeAll(async () => {
  postgres = await CrashingPostgres.start();
}, 120_000);

afterAll(() => postgres?.stop());

beforeEach(async () => {
  stock = await openStock({ databaseUrl: postgres.url });
});

afterEach(() => stock.close());

describe.each(['SIGKILL', 'SIGINT'] as const)('a transaction on a PostgreSQL that ends with %s', (signal) => {
  it.each([
    ['before its commit', false],
    ['before its last statement', true],
  ])(
    'fails with 503 %s, leaves nothing, and the next one succeeds',
    async (_, hasMore) => {
      const id = await stock.shelves.insert({ label: `${signal} ${hasMore}`, count: 0n });
      let attempts = 0;
      const work = stock.database.transaction(async (transaction) => {
        attempts += 1;
        await transaction.table(ToyEntity).insert({ ...TOY, shelfId: id });
        await transaction.table(ShelfEntity).update(id, { count: 1n });
        await postgres.end(signal);
        if (hasMore) await transaction.table(ShelfEntity).find(id);
      });
      await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
      // It might have been stored.
      expect(attempts).toBe(1);
      const toys = () => stock.toys.page({ where: { shelfId: id }, limit: 9 });
      // A connection may be found dead only when it is used.
      while ((await toys().catch(() => undefined)) === undefined);
      expect(await toys()).toEqual([]);
      expect(await stock.shelves.find(id)).toMatchObject({ count: 0n });
      await stock.database.transaction(async (transaction) => {
        await transaction.table(ToyEntity).insert({ ...TOY, shelfId: id });
      });
      expect(await toys()).toHaveLength(1);
    },
    120_000,
  );
});
