import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openStock, type Stock, ToyEntity } from '../../database/support/stock.js';

const MAX = 9_223_372_036_854_775_807n;

let stock: Stock;

beforeEach(async () => {
  stock = await openStock();
});

afterEach(() => stock.close());

const insertByHand = (from: bigint, to: bigint): Promise<unknown> =>
  stock.dataSource.query(
    `INSERT INTO "toys" ("id", "name", "price") SELECT "id", 'Hand', 1 FROM generate_series(${from}, ${to}) AS "id"`,
  );

const BALL = { name: 'Ball', price: 1n };

/** On SQLite, a creation gets an id above those of all rows. */
describe.each<[string, () => Promise<bigint>]>([
  ['a creation', () => stock.toys.insert(BALL)],
  ['a transaction', () => stock.database.transaction((transaction) => transaction.table(ToyEntity).insert(BALL))],
])('%s on PostgreSQL', (_, insert) => {
  it('skips the ids of rows that were inserted by hand', async () => {
    await insertByHand(1n, 2n);
    expect([await insert(), await insert()]).toEqual([3n, 4n]);
  });

  it('skips those of many rows in a few steps', async () => {
    expect(await insert()).toBe(1n);
    await insertByHand(2n, 100_001n);
    const id = await insert();
    expect(id).toBeGreaterThan(100_001n);
    expect(id).toBeLessThan(300_000n);
  });

  it('fails for good when only taken ids are left', async () => {
    await insert();
    await stock.dataSource.query(`UPDATE "sequences" SET "last" = ${MAX - 6n}`);
    await insertByHand(MAX - 4n, MAX);
    expect(await insert()).toBe(MAX - 5n);
    await expect(insert()).rejects.toThrow('"sequences" has no more ids for "toys"');
  });
});

describe('concurrent creations on PostgreSQL', () => {
  it('are all stored, once, when some of their ids are taken', async () => {
    await insertByHand(5n, 9n);
    const ids = await Promise.all(Array.from({ length: 40 }, () => stock.toys.insert(BALL)));
    expect(new Set(ids).size).toBe(40);
    const stored = await stock.toys.page({ where: { name: 'Ball' }, limit: 100 });
    expect(stored.map(({ id }) => id)).toEqual(ids.toSorted((one, other) => Number(one - other)));
  });
});
