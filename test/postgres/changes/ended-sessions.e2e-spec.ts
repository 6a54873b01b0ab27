import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '../../../src/platform/database/tables/database-unavailable.js';
import { openStock, ShelfEntity, type Stock } from '../../database/support/stock.js';

let stock: Stock;

beforeEach(async () => {
  stock = await openStock({ databasePoolSize: 1 });
  await stock.shelves.insert({ label: 'A', count: 0n });
});

afterEach(() => stock.close());

/** Has the server do it after each change of a shelf, as if the change had waited for too long. */
async function afterChange(statement: string): Promise<void> {
  await stock.dataSource.query(
    `CREATE FUNCTION "late"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NULL; END $$`,
  );
  await stock.dataSource.query(
    `CREATE TRIGGER "late" AFTER INSERT OR UPDATE OR DELETE ON "shelves" EXECUTE FUNCTION "late"()`,
  );
}

describe('PostgreSQL ends a session that takes too long', () => {
  it.each([
    ['idle_in_transaction_session_timeout', '25P03'],
    // PostgreSQL has it since release 17.
    ['transaction_timeout', '25P04'],
  ])('which makes each change unavailable: %s', async (setting, code) => {
    await afterChange(`RAISE EXCEPTION 'terminating connection due to ${setting}' USING ERRCODE = '${code}'`);
    const ends = await Promise.allSettled([
      stock.shelves.insert({ label: 'B', count: 1n }),
      stock.shelves.update(1n, { count: 1n }),
      stock.shelves.delete(1n),
      stock.database.transaction((own) => own.table(ShelfEntity).update(1n, { count: 1n })),
    ]);
    const unavailable = { status: 'rejected', reason: new DatabaseUnavailable() };
    expect(ends).toEqual([unavailable, unavailable, unavailable, unavailable]);
    for (const end of ends) expect((end as PromiseRejectedResult).reason).toBeInstanceOf(DatabaseUnavailable);
  });

  it('and the next transaction gets another connection', async () => {
    await stock.dataSource.query(`SET idle_in_transaction_session_timeout = 1`);
    const late = stock.database.transaction(async (transaction) => {
      const shelves = transaction.table(ShelfEntity);
      await shelves.find(1n);
      // Nothing reads the message of the server before the next statement is sent.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      return shelves.find(1n);
    });
    await expect(late).rejects.toBeInstanceOf(DatabaseUnavailable);
    const found = stock.database.transaction((transaction) => transaction.table(ShelfEntity).find(1n));
    expect(await found).toEqual({ id: 1n, label: 'A', count: 0n });
  });
});
