import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openStock, SampleEntity, ShelfEntity, type Stock } from '../../database/support/stock.js';

/** Connections of the pool, on each of which the statements are prepared. */
const CONNECTIONS = 4;
const WIDEN = 'ALTER TABLE "samples" ALTER COLUMN "short" TYPE varchar(40)';

let stock: Stock;
let count: () => Promise<bigint | undefined>;

beforeEach(async () => {
  stock = await openStock({ databasePoolSize: CONNECTIONS });
  await stock.samples.insert({ short: 'Zoë' });
  await stock.shelves.insert({ label: 'A', count: 0n });
  count = async () => (await stock.shelves.find(1n))?.count;
});

afterEach(() => stock.close());

/** Has each connection of the pool prepare the statements that read samples. */
async function prepare(): Promise<void> {
  let waiting = 0;
  let release = () => {};
  const all = new Promise<void>((resolve) => (release = resolve));
  const read = () =>
    stock.database.transaction(async (transaction) => {
      const samples = transaction.table(SampleEntity);
      await samples.find(1n);
      await samples.page({ where: {}, limit: 1 });
      waiting += 1;
      if (waiting === CONNECTIONS) release();
      await all;
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, read));
}

describe('a service whose prepared statements return a column that a migration widens', () => {
  it('keeps reading and listing', async () => {
    await prepare();
    await stock.dataSource.query(WIDEN);
    expect(await stock.samples.find(1n)).toMatchObject({ id: 1n, short: 'Zoë' });
    expect(await stock.samples.page({ where: {}, limit: 2 })).toMatchObject([{ id: 1n, short: 'Zoë' }]);
    const many = await Promise.all(Array.from({ length: 20 }, () => stock.samples.find(1n)));
    expect(many.map((row) => row?.short)).toEqual(Array(20).fill('Zoë'));
  });

  it('repeats its transactions as a whole', async () => {
    await prepare();
    await stock.dataSource.query(WIDEN);
    let runs = 0;
    const found = await stock.database.transaction(async (transaction) => {
      runs += 1;
      const shelves = transaction.table(ShelfEntity);
      await shelves.update(1n, { count: ((await shelves.find(1n))?.count ?? 0n) + 1n });
      return transaction.table(SampleEntity).find(1n);
    });
    expect(found).toMatchObject({ id: 1n, short: 'Zoë' });
    expect(runs).toBe(CONNECTIONS + 1);
    expect(await count()).toBe(1n);
  });

  it('repeats a transaction whose work catches the error', async () => {
    await prepare();
    await stock.dataSource.query(WIDEN);
    const found = await stock.database.transaction(async (transaction) => {
      const samples = transaction.table(SampleEntity);
      return samples.page({ where: {}, limit: 1 }).catch(() => 'none');
    });
    expect(found).toMatchObject([{ id: 1n, short: 'Zoë' }]);
  });
});
