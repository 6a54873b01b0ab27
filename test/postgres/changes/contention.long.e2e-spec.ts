import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { databaseOf, openStock, ShelfEntity, type Stock, ToyEntity } from '../../database/support/stock.js';
import { onServer } from '../../support/databases/databases.js';

const CLIENTS = 64;
const SHELVES = 10;
const MOVES = 200;
const COUNT = 100n;
/** Milliseconds of a transaction, which only a failing test takes. */
const LIMIT = 40_000;

let stock: Stock;
let other: DataSource;

beforeEach(async () => {
  stock = await openStock();
  // A deadlock that PostgreSQL had to end would last longer than the test.
  await onServer(`ALTER DATABASE ${new URL(stock.url).pathname.slice(1)} SET deadlock_timeout = '10min'`);
  other = await stock.connect();
  await stock.dataSource.destroy();
  await stock.dataSource.initialize();
});

afterEach(async () => {
  await other.destroy();
  await stock.close();
});

describe.each([1, 2])('transactions of %d processes that change the same rows in any order', (processes) => {
  it.each([
    ['and nothing else', false],
    ['and insert', true],
  ])('%s succeed with few repetitions', async (_, inserts) => {
    const sources = [stock.dataSource, other].slice(0, processes);
    const databases = await Promise.all(sources.map((source) => databaseOf(source, LIMIT)));
    const setUp = await databaseOf(other, LIMIT);
    await setUp.transaction(async (transaction) => {
      const shelves = transaction.table(ShelfEntity);
      for (let index = 0; index < SHELVES; index += 1) await shelves.insert({ label: `${index}`, count: COUNT });
    });
    let attempts = 0;
    const move = (turn: number): Promise<void> =>
      databases[turn % processes]!.transaction(async (transaction) => {
        attempts += 1;
        const shelves = transaction.table(ShelfEntity);
        const [from, to] = [BigInt(1 + ((turn * 7) % SHELVES)), BigInt(1 + ((turn * 3 + 1) % SHELVES))];
        await shelves.update(from, { count: (await shelves.find(from))!.count - 1n });
        await shelves.update(to, { count: (await shelves.find(to))!.count + 1n });
        if (inserts) await transaction.table(ToyEntity).insert({ name: 'Ball', price: 1n });
      });
    let moved = 0;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (moved < MOVES) await move((moved += 1));
      }),
    );
    expect(attempts).toBeLessThan(2 * MOVES);
    const counts: { sum: string }[] = await other.query('SELECT SUM("count") AS "sum" FROM "shelves"');
    expect(counts).toEqual([{ sum: String(BigInt(SHELVES) * COUNT) }]);
    const toys: { count: string }[] = await other.query('SELECT COUNT(*) AS "count" FROM "toys"');
    expect(toys).toEqual([{ count: inserts ? String(MOVES) : '0' }]);
    for (const database of [...databases, setUp]) database.onApplicationShutdown();
  });
});
