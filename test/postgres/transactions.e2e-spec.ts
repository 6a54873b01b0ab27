import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../src/platform/database/tables/database-unavailable.js';
import { postgresPool } from '../../src/platform/database/postgres/postgres.js';
import type { Transaction } from '../../src/platform/database/transactions/transaction.js';
import { databaseOf, openStock, ShelfEntity, type Stock, ToyEntity } from '../database/support/stock.js';
import { onServer } from '../support/databases/databases.js';

let stock: Stock;

beforeEach(async () => {
  stock = await openStock();
});

afterEach(() => stock.close());

const TAKE_ID = `INSERT INTO "sequences" VALUES ('toys', 1)
  ON CONFLICT ("name") DO UPDATE SET "last" = "sequences"."last" + 1`;

/** Resolves for all who wait when `count` of them do; at once for those who come later. */
function barrier(count: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length >= count) for (const go of waiting) go();
    });
}

const increase = async (transaction: Transaction, id: bigint): Promise<void> => {
  const shelves = transaction.table(ShelfEntity);
  await shelves.update(id, { count: (await shelves.find(id))!.count + 1n });
};

describe('a transaction on PostgreSQL', () => {
  it('is repeated after a deadlock', async () => {
    const ids = [
      await stock.shelves.insert({ label: 'A', count: 0n }),
      await stock.shelves.insert({ label: 'B', count: 0n }),
    ];
    const bothHaveOne = barrier(2);
    let attempts = 0;
    const inOrder = (first: bigint, second: bigint): Promise<void> =>
      stock.database.transaction(async (transaction) => {
        attempts += 1;
        await increase(transaction, first);
        await bothHaveOne();
        await increase(transaction, second);
      });
    await Promise.all([inOrder(ids[0]!, ids[1]!), inOrder(ids[1]!, ids[0]!)]);
    expect(attempts).toBeGreaterThan(2);
    expect(await stock.shelves.page({ where: { count: 2n }, limit: 9 })).toHaveLength(2);
  });

  it('is repeated once when it took ids from an old snapshot, however often others take some', async () => {
    let attempts = 0;
    const others: Promise<unknown>[] = [];
    await stock.database.transaction(async (transaction) => {
      attempts += 1;
      if (attempts > 2) throw new Error('repeated again');
      const toys = transaction.table(ToyEntity);
      // The snapshot, after which another one creates a toy; the repetition makes it wait.
      await toys.find(1n);
      others.push(stock.dataSource.query(TAKE_ID));
      await (attempts === 1 ? others[0] : delay(100));
      await toys.insert({ name: 'Ball', price: 1n });
    });
    await Promise.all(others);
    expect(attempts).toBe(2);
    expect(await stock.toys.page({ where: {}, limit: 9 })).toHaveLength(1);
  });

  it('does not deadlock with another one when both take ids', async () => {
    // A deadlock would last longer than a transaction may.
    await onServer(`ALTER DATABASE ${new URL(stock.url).pathname.slice(1)} SET deadlock_timeout = '10min'`);
    const dataSource = await stock.connect();
    const database = await databaseOf(dataSource, 20_000);
    const id = await stock.shelves.insert({ label: 'A', count: 0n });
    const bothWait = barrier(2);
    const first = database.transaction(async (transaction) => {
      await increase(transaction, id);
      await bothWait();
      await transaction.table(ToyEntity).insert({ name: 'Ball', price: 1n });
    });
    let attempts = 0;
    const second = database.transaction(async (transaction) => {
      attempts += 1;
      const toys = transaction.table(ToyEntity);
      await toys.find(1n);
      // Then the repetition has locked the sequences before it waits for the shelf.
      if (attempts === 1) await stock.dataSource.query(TAKE_ID);
      await toys.insert({ name: 'Car', price: 1n });
      void bothWait();
      await increase(transaction, id);
    });
    await Promise.all([first, second]);
    expect(await stock.shelves.find(id)).toMatchObject({ count: 2n });
    expect(await stock.toys.page({ where: {}, limit: 9 })).toHaveLength(2);
    await dataSource.destroy();
  });

  it('fails with 503 when its connection is lost, and the next one succeeds', async () => {
    const id = await stock.shelves.insert({ label: 'A', count: 0n });
    const work = stock.database.transaction(async (transaction) => {
      await increase(transaction, id);
      await onServer(
        `SELECT pg_terminate_backend("pid") FROM "pg_stat_activity" WHERE "state" = 'idle in transaction' AND "datname" = $1`,
        [new URL(stock.url).pathname.slice(1)],
      );
      await increase(transaction, id);
    });
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
    await stock.database.transaction((transaction) => increase(transaction, id));
    expect(await stock.shelves.find(id)).toMatchObject({ count: 1n });
  });

  it('returns its connection to the pool, whatever its end', async () => {
    await stock.close();
    stock = await openStock({ databasePoolSize: 2 });
    const id = await stock.shelves.insert({ label: 'A', count: 0n });
    const other = await stock.shelves.insert({ label: 'B', count: 0n });
    const failing = new Error('no');
    for (let turn = 0; turn < 5; turn += 1) {
      await stock.database.transaction((transaction) => increase(transaction, id));
      await expect(stock.database.transaction(() => Promise.reject(failing))).rejects.toBe(failing);
      const again = stock.database.transaction((transaction) =>
        // The statement fails before it has ever succeeded on this connection.
        transaction.table(ShelfEntity).update(other, { label: 'A' }),
      );
      await expect(again).rejects.toThrow('Another row of "shelves" has the same label');
    }
    const [open] = await onServer<{ count: string }>(
      `SELECT count(*) FROM "pg_stat_activity" WHERE "state" LIKE 'idle in transaction%' AND "datname" = $1`,
      [new URL(stock.url).pathname.slice(1)],
    );
    expect(open).toEqual({ count: '0' });
    expect(await stock.shelves.find(id)).toMatchObject({ count: 5n });
  });

  it('fails with 503 when it gets no connection in time, and takes none later', async () => {
    await stock.close();
    stock = await openStock({ limit: 100, databasePoolSize: 1, databaseConnectTimeout: 60_000 });
    const pool = postgresPool(stock.dataSource);
    const only = await pool.connect();
    // Without a limit of its own, it would wait for a minute.
    const refusal: unknown = await stock.database.transaction(async () => 1).catch((error: unknown) => error);
    only.release();
    expect(refusal).toBeInstanceOf(DatabaseUnavailable);
    expect(await stock.database.transaction(async () => 1)).toBe(1);
    expect(pool.waitingCount).toBe(0);
  });

  it('does not conflict with one that takes ids of another table, also behind a pooler', async () => {
    await stock.close();
    stock = await openStock({ databasePooler: true });
    await stock.shelves.insert({ label: 'A', count: 0n });
    await stock.toys.insert({ name: 'Ball', price: 1n });
    // Then PostgreSQL knows that the table is small.
    await stock.dataSource.query('ANALYZE "sequences"');
    const bothHaveIds = barrier(2);
    let attempts = 0;
    const insert = (into: (transaction: Transaction) => Promise<bigint>): Promise<void> =>
      stock.database.transaction(async (transaction) => {
        attempts += 1;
        await into(transaction);
        await bothHaveIds();
      });
    await Promise.all([
      insert((transaction) => transaction.table(ShelfEntity).insert({ label: 'B', count: 0n })),
      insert((transaction) => transaction.table(ToyEntity).insert({ name: 'Car', price: 1n })),
    ]);
    expect(attempts).toBe(2);
  });

  it('needs no prepared statements, which a pooler would lose', async () => {
    await stock.close();
    stock = await openStock({ databasePooler: true });
    const id = await stock.shelves.insert({ label: 'A', count: 0n });
    await stock.database.transaction((transaction) => increase(transaction, id));
    expect(await stock.shelves.find(id)).toMatchObject({ count: 1n });
    expect(await stock.dataSource.query('SELECT "name" FROM "pg_prepared_statements"')).toEqual([]);
  });
});
