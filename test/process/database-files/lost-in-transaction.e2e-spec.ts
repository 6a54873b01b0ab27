import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../../src/platform/database/tables/database-unavailable.js';
import { sqliteConnection, sqliteFile } from '../../../src/platform/database/sqlite/sqlite.js';
import type { Work } from '../../../src/platform/database/transactions/transaction.js';
import { openStock, ShelfEntity, type Stock, ToyEntity } from '../../database/support/stock.js';
import { EVENTS, halve } from './events.js';

/** Frames of the log after which SQLite does so. */
const CHECKPOINT = 1000;

/** Milliseconds after which a commit notices that another file has replaced the log. */
const REPLACED = 20;

const TOY = { name: 'Ball', price: 1n };

let stock: Stock;
let file: string;

beforeEach(async () => {
  stock = await openStock({ engine: 'sqlite' });
  file = sqliteFile(stock.url);
  for (let count = 0; count < 20; count += 1) await stock.toys.insert({ ...TOY, name: 'x'.repeat(3000) });
  await stock.database.transaction((transaction) => transaction.table(ShelfEntity).insert({ label: 'A', count: 0n }));
  // The log is empty then, and the database complete.
  const other = new Database(file);
  other.pragma('wal_checkpoint(TRUNCATE)');
  other.close();
  for (let count = 0; count < 5; count += 1) await stock.toys.insert(TOY);
});

afterEach(() => stock.close());

/** Changes two tables, and lets something happen in between. */
const changes =
  (happen: () => void): Work<boolean> =>
  async (transaction) => {
    await transaction.table(ToyEntity).insert(TOY);
    happen();
    await delay(REPLACED);
    return transaction.table(ShelfEntity).update(1n, { count: 1n });
  };

describe('a transaction on SQLite', () => {
  it.each(EVENTS)(
    'is not acknowledged, nor anything after it, when %s before its commit',
    async (_, suffix, happen) => {
      const work = stock.database.transaction(changes(() => happen(`${file}${suffix}`)));
      await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
      const later = [
        () => stock.database.transaction(changes(() => undefined)),
        () => stock.database.transaction(async () => 1),
        () => stock.toys.insert(TOY),
        () => stock.toys.update(1n, { price: 2n }),
        () => stock.toys.delete(1n),
        () => stock.toys.find(1n),
        () => stock.toys.page({ where: {}, limit: 9 }),
      ];
      for (const use of later) await expect(use()).rejects.toBeInstanceOf(DatabaseUnavailable);
    },
  );

  it.each(EVENTS)('that only reads returns nothing when %s', async (_, suffix, happen) => {
    const work = stock.database.transaction(async (transaction) => {
      happen(`${file}${suffix}`);
      await delay(REPLACED);
      return transaction.table(ShelfEntity).find(1n);
    });
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});

describe('a transaction on SQLite after many others', () => {
  it('is not acknowledged when the database loses its second half, although the log has as many pages', async () => {
    for (let count = 1n; count <= 60n; count += 1n) {
      await stock.database.transaction((transaction) => transaction.table(ShelfEntity).update(1n, { count }));
    }
    halve(file);
    const work = stock.database.transaction((transaction) => transaction.table(ShelfEntity).update(1n, { count: 0n }));
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});

describe('a change on SQLite', () => {
  it.each(EVENTS)('is not acknowledged after %s', async (_, suffix, happen) => {
    happen(`${file}${suffix}`);
    await delay(REPLACED);
    const both = [stock.shelves.update(1n, { count: 1n }), stock.toys.delete(1n)];
    for (const change of both) await expect(change).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});

describe('a commit on SQLite that copies the write-ahead log to the database', () => {
  it('does not hide that the database was truncated before', async () => {
    const before = statSync(file).size;
    const connection = sqliteConnection(stock.dataSource);
    const frames = (): number => (connection.pragma('wal_checkpoint(NOOP)') as { log: number }[])[0]!.log;
    // Up to the last commit before that.
    for (let last = 0, next = 0; next < CHECKPOINT; next = frames() + (frames() - last)) {
      last = frames();
      await stock.toys.insert({ ...TOY, name: 'x'.repeat(3000) });
    }
    halve(file);
    await expect(stock.toys.insert({ ...TOY, name: 'x'.repeat(3000) })).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(statSync(file).size).toBe(before / 2);
  });
});
