import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Connection } from 'pg';
import { DatabaseUnavailable } from '../../../src/platform/database/tables/database-unavailable.js';
import { databaseOf, openStock, ShelfEntity, type Stock, ToyEntity } from '../../database/support/stock.js';
import { onServer } from '../../support/databases/databases.js';

const TOY = { name: 'Ball', price: 1n };
const RAISE = 'UPDATE "shelves" SET "count" = "count" + 1';

let stock: Stock;
let other: Connection;
let id: bigint;

beforeEach(async () => {
  stock = await openStock({ limit: 1000 });
  id = await stock.shelves.insert({ label: 'A', count: 0n });
  other = new Connection(stock.url);
  await other.connect();
});

afterEach(async () => {
  await other.end();
  await stock.close();
});

/** Whether a connection to the database does something, or has a transaction. */
async function isBusy(): Promise<boolean> {
  const rows = await onServer(
    `SELECT FROM "pg_stat_activity" WHERE "datname" = $1 AND "state" <> 'idle' AND "pid" <> pg_backend_pid()`,
    [new URL(stock.url).pathname.slice(1)],
  );
  return rows.length > 0;
}

describe('a transaction on PostgreSQL that takes longer than it may', () => {
  it('fails with 503 while its statement waits for a lock, and never changes anything', async () => {
    await other.query(`BEGIN; ${RAISE}`);
    const work = stock.database.transaction(async (transaction) => {
      await transaction.table(ToyEntity).insert(TOY);
      await transaction.table(ShelfEntity).update(id, { count: 100n });
    });
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
    // Then the server goes on with the statement, of which nobody waits for the end any more.
    await other.query('ROLLBACK');
    while (await isBusy()) await delay(20);
    expect(await stock.shelves.find(id)).toMatchObject({ count: 0n });
    expect(await stock.toys.page({ where: {}, limit: 9 })).toEqual([]);
    const patient = await databaseOf(stock.dataSource, 0);
    await patient.transaction((transaction) => transaction.table(ShelfEntity).update(id, { count: 7n }));
    expect(await stock.shelves.find(id)).toMatchObject({ count: 7n });
  });

  it('fails with 503 when others interfere with every repetition, and leaves nothing of them', async () => {
    const raises: Promise<unknown>[] = [];
    const runWork = () =>
      stock.database.transaction(async (transaction) => {
        const shelf = await transaction.table(ShelfEntity).find(id);
        raises.push(other.query(RAISE));
        await raises.at(-1);
        await transaction.table(ToyEntity).insert(TOY);
        await transaction.table(ShelfEntity).update(id, { count: shelf!.count + 100n });
      });
    // On a busy machine, the time may pass before the first statement is done.
    do await expect(runWork()).rejects.toBeInstanceOf(DatabaseUnavailable);
    while (raises.length === 0);
    await Promise.all(raises);
    while (await isBusy()) await delay(20);
    expect(await stock.shelves.find(id)).toMatchObject({ count: BigInt(raises.length) });
    expect(await stock.toys.page({ where: {}, limit: 9 })).toEqual([]);
  });
});
