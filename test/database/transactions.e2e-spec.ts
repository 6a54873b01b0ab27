import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DatabaseHealth } from '../../src/platform/database/database-health.js';
import { DomainError } from '../../src/platform/errors/domain-error.js';
import { ForeignKeyConflict, UniqueConflict } from '../../src/platform/database/tables/conflicts.js';
import { DatabaseUnavailable } from '../../src/platform/database/tables/database-unavailable.js';
import type { Transaction } from '../../src/platform/database/transactions/transaction.js';
import { ENGINE } from '../support/databases/databases.js';
import { databaseOf, openStock, servedOf, ShelfEntity, type Stock, ToyEntity } from './support/stock.js';

class ToySold extends DomainError {
  readonly code = 'TOY_SOLD';
  readonly kind = 'conflict';
}

let stock: Stock;

beforeEach(async () => {
  stock = await openStock();
});

afterEach(() => stock.close());

/** Adds a toy to a shelf, and counts it there: reads, waits, and writes to two tables. */
async function add(transaction: Transaction, shelfId: bigint, name: string, wait = 0): Promise<bigint> {
  const shelves = transaction.table(ShelfEntity);
  const shelf = await shelves.find(shelfId);
  await delay(wait);
  const id = await transaction.table(ToyEntity).insert({ name, price: 7n, shelfId });
  await shelves.update(shelfId, { count: shelf!.count + 1n });
  return id;
}

/** A promise, and the function that resolves it. */
function signal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((fulfil) => (resolve = fulfil));
  return { promise, resolve };
}

const allToys = () => stock.toys.page({ where: {}, limit: 1000 });

describe('a transaction', () => {
  it('stores all of its changes before it resolves', async () => {
    const shelfId = await stock.shelves.insert({ label: 'A', count: 0n });
    const id = await stock.database.transaction((transaction) => add(transaction, shelfId, 'Ball'));
    expect(await stock.toys.find(id)).toEqual({ id, name: 'Ball', price: 7n, shelfId });
    expect(await stock.shelves.find(shelfId)).toMatchObject({ count: 1n });
  });

  it('sees its own changes, which nobody else sees before the commit', async () => {
    const shelfId = await stock.shelves.insert({ label: 'A', count: 0n });
    const { promise: isChanged, resolve: change } = signal();
    const { promise: mayCommit, resolve: commit } = signal();
    const done = stock.database.transaction(async (transaction) => {
      const id = await add(transaction, shelfId, 'Ball');
      const seen = await transaction.table(ToyEntity).find(id);
      change();
      await mayCommit;
      return [seen, await transaction.table(ToyEntity).page({ where: { name: 'Ball' }, limit: 9 })];
    });
    await isChanged;
    expect(await allToys()).toEqual([]);
    expect(await stock.shelves.find(shelfId)).toMatchObject({ count: 0n });
    commit();
    const ball = { id: 1n, name: 'Ball', price: 7n, shelfId };
    expect(await done).toEqual([ball, [ball]]);
    expect(await allToys()).toEqual([ball]);
  });

  it('undoes everything when its work throws, and passes the error of a feature on as it is', async () => {
    const shelfId = await stock.shelves.insert({ label: 'A', count: 0n });
    const sold = new ToySold('The toy is sold.');
    const work = stock.database.transaction(async (transaction) => {
      await add(transaction, shelfId, 'Ball');
      throw sold;
    });
    await expect(work).rejects.toBe(sold);
    expect(await allToys()).toEqual([]);
    expect(await stock.shelves.find(shelfId)).toMatchObject({ count: 0n });
  });

  it('undoes everything when a statement fails, even if its work catches the error', async () => {
    const shelfId = await stock.shelves.insert({ label: 'A', count: 0n });
    const work = stock.database.transaction(async (transaction) => {
      await add(transaction, shelfId, 'Ball');
      await transaction
        .table(ShelfEntity)
        .insert({ label: 'A', count: 0n })
        .catch(() => undefined);
    });
    await expect(work).rejects.toBeInstanceOf(UniqueConflict);
    expect(await allToys()).toEqual([]);
    // The connection is in order.
    await stock.database.transaction((transaction) => add(transaction, shelfId, 'Car'));
    await expect(
      stock.database.transaction(async (transaction) => {
        await transaction.table(ShelfEntity).insert({ label: 'A', count: 0n });
      }),
    ).rejects.toBeInstanceOf(UniqueConflict);
  });

  it('is isolated, however long it waits: 60 at once, with creations in between, lose nothing', async () => {
    const shelfId = await stock.shelves.insert({ label: 'A', count: 0n });
    const added = Array.from({ length: 60 }, (_, index) =>
      stock.database.transaction((transaction) => add(transaction, shelfId, `Ball ${index}`, 5)),
    );
    const created = Array.from({ length: 60 }, async (_, index) => {
      await delay(index * 5);
      return stock.toys.insert({ name: `Car ${index}`, price: 1n });
    });
    const ids = await Promise.all([...added, ...created]);
    expect(new Set(ids).size).toBe(120);
    expect(new Set((await allToys()).map(({ id }) => id))).toEqual(new Set(ids));
    expect(await stock.shelves.find(shelfId)).toMatchObject({ count: 60n });
  });

  it('lets creations and changes wait for it, longer than for the lock of another process', async () => {
    const { promise: isChanged, resolve: change } = signal();
    const { promise: mayCommit, resolve: commit } = signal();
    const id = await stock.toys.insert({ name: 'Ball', price: 1n });
    const done = stock.database.transaction(async (transaction) => {
      await transaction.table(ToyEntity).insert({ name: 'Car', price: 1n });
      change();
      await mayCommit;
    });
    await isChanged;
    const waiting = [stock.toys.update(id, { price: 2n }), stock.toys.insert({ name: 'Kite', price: 1n })];
    await delay(700);
    commit();
    await done;
    expect(await Promise.all(waiting)).toEqual([true, 3n]);
  });

  it('sees the rows as if it were alone: two that check the same rows do not both change one of them', async () => {
    const ids = [
      await stock.shelves.insert({ label: 'A', count: 1n }),
      await stock.shelves.insert({ label: 'B', count: 1n }),
    ];
    // One shelf must stay open.
    const close = (id: bigint): Promise<boolean> =>
      stock.database.transaction(async (transaction) => {
        const shelves = transaction.table(ShelfEntity);
        const others = await shelves.page({ where: { count: 1n }, limit: 9 });
        await delay(20);
        return others.length > 1 && shelves.update(id, { count: 0n });
      });
    expect((await Promise.all(ids.map(close))).filter(Boolean)).toHaveLength(1);
    expect(await stock.shelves.page({ where: { count: 1n }, limit: 9 })).toHaveLength(1);
  });

  it('fails with 503 when its statements take longer than it may, however many there are', async () => {
    await stock.close();
    stock = await openStock({ limit: 300 });
    const work = stock.database.transaction(async (transaction) => {
      const toys = transaction.table(ToyEntity);
      for (;;) await toys.insert({ name: 'Ball', price: 1n });
    });
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await allToys()).toEqual([]);
    expect(await stock.toys.insert({ name: 'Car', price: 1n })).toBeGreaterThan(0n);
  });

  it('fails with 503 when its work leaves no time for a timer', async () => {
    await stock.close();
    stock = await openStock({ limit: 300 });
    const work = stock.database.transaction(async (transaction) => {
      await transaction.table(ToyEntity).insert({ name: 'Ball', price: 1n });
      const end = performance.now() + 400;
      while (performance.now() < end);
    });
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await allToys()).toEqual([]);
  });

  it('fails with 503 when it takes longer than it may, and changes nothing', async () => {
    await stock.close();
    stock = await openStock({ limit: 300 });
    const shelfId = await stock.shelves.insert({ label: 'A', count: 0n });
    const late: unknown[] = [];
    const { promise: isOver, resolve: end } = signal();
    const work = stock.database.transaction(async (transaction) => {
      // On a slow machine, this may already take too long.
      await add(transaction, shelfId, 'Ball').catch(() => undefined);
      await isOver;
      await transaction
        .table(ToyEntity)
        .find(1n)
        .catch((error: unknown) => late.push(error));
      await stock.toys
        .insert({ name: 'Late', price: 1n })
        .catch((error: Error) => late.push(error.message.slice(0, 20)));
    });
    // Ends the work where no limit does. Timers of one process keep their order.
    const withoutLimit = setTimeout(end, 10_000);
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
    clearTimeout(withoutLimit);
    end();
    expect(await allToys()).toEqual([]);
    expect(await stock.toys.insert({ name: 'Car', price: 1n })).toBeGreaterThan(0n);
    expect(late).toEqual([
      new Error('The transaction has ended; use its tables only before that'),
      'Inside a transaction',
    ]);
  });

  it('delays other writes only for a limited time when its work never ends', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    await stock.close();
    stock = await openStock({ limit: 50 });
    const disable = jest.spyOn(AsyncLocalStorage.prototype, 'disable');
    const work = stock.database.transaction(() => new Promise(() => undefined));
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
    for (let turn = 0; turn < 500 && disable.mock.calls.length === 0; turn += 1) {
      collect();
      await delay(10);
    }
    expect(disable).toHaveBeenCalled();
    disable.mockRestore();
  });

  it('stores nothing of a statement that has not ended when its work fails', async () => {
    const sold = new ToySold('sold');
    const works = Array.from({ length: 20 }, () =>
      stock.database.transaction((transaction) =>
        Promise.all([transaction.table(ToyEntity).insert({ name: 'Ghost', price: 1n }), Promise.reject(sold)]),
      ),
    );
    const outcomes = await Promise.allSettled(works);
    expect(outcomes).toEqual(works.map(() => ({ status: 'rejected', reason: sold })));
    await delay(50);
    expect(await stock.toys.insert({ name: 'Ball', price: 1n })).toBe(1n);
    expect(await allToys()).toHaveLength(1);
  });

  it('refuses the injected tables and another transaction inside of it, and fails with them', async () => {
    const outside: (() => Promise<unknown>)[] = [
      () => stock.toys.find(1n),
      () => stock.toys.page({ where: {}, limit: 1 }),
      () => stock.toys.insert({ name: 'Ball', price: 1n }),
      () => stock.toys.update(1n, { price: 2n }),
      () => stock.toys.delete(1n),
    ];
    const injected = 'Inside a transaction, use its own table for "toys"';
    for (const use of outside) {
      const work = stock.database.transaction(async () => {
        await expect(use()).rejects.toThrow(injected);
        // Neither is a rejection that nothing handles.
        void use();
      });
      await expect(work).rejects.toThrow(injected);
    }
    const nesting = stock.database.transaction(async () => {
      await expect(stock.database.transaction(async () => 1)).rejects.toThrow('cannot contain another one');
      void stock.database.transaction(async () => 1);
    });
    await expect(nesting).rejects.toThrow('cannot contain another one');
    await setImmediate();
    // Afterwards and beside it, they work.
    for (const use of outside) await use();
  });

  it.each<[string, Error | undefined]>([
    ['succeeded', undefined],
    ['failed', new ToySold('sold')],
  ])('lets what its work has begun use the injected tables once it has %s', async (_, error) => {
    const opened = signal();
    const found: Promise<unknown>[] = [];
    const work = stock.database.transaction(async () => {
      found.push(opened.promise.then(() => stock.toys.find(1n)));
      if (error) throw error;
    });
    await Promise.allSettled([work]);
    // As long as no transaction is open, nothing asks for the scope.
    await stock.database.transaction(async () => {
      opened.resolve();
      expect(await Promise.all(found)).toEqual([undefined]);
    });
  });

  it('lets what overdue work has begun use the injected tables once that work has settled', async () => {
    await stock.close();
    stock = await openStock({ limit: 50 });
    const patient = await databaseOf(stock.dataSource, 0);
    const [ended, opened] = [signal(), signal()];
    const found: Promise<unknown>[] = [];
    const work = stock.database.transaction(async () => {
      found.push(opened.promise.then(() => stock.toys.find(1n)));
      await ended.promise;
    });
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
    ended.resolve();
    await setImmediate();
    await patient.transaction(async () => {
      opened.resolve();
      expect(await Promise.all(found)).toEqual([undefined]);
    });
    patient.onApplicationShutdown();
  });

  it.each<[string, Partial<ToyEntity>]>([
    ['would succeed', {}],
    ['fails', { shelfId: 99n }],
  ])('rejects work that does not await its last statement, which %s', async (_, cells) => {
    const work = stock.database.transaction(async (transaction) => {
      const toys = transaction.table(ToyEntity);
      await toys.find(1n);
      void toys.insert({ name: 'Ghost', price: 1n, ...cells });
    });
    await expect(work).rejects.toThrow('A transaction must await each of its statements; await its insert of "toys"');
    // A rejection that nobody expects would end the process.
    await setImmediate();
    expect(await allToys()).toEqual([]);
  });

  it('takes a statement that its work returns as awaited', async () => {
    const insert = () =>
      stock.database.transaction((transaction) => transaction.table(ToyEntity).insert({ name: 'Ball', price: 1n }));
    expect([await insert(), await insert()]).toEqual([1n, 2n]);
  });

  it('fails with the first error where later statements fail because of it', async () => {
    const work = stock.database.transaction(async (transaction) => {
      const toys = transaction.table(ToyEntity);
      void toys.insert({ name: 'Ball', price: 1n, shelfId: 99n });
      await toys.find(1n);
    });
    await expect(work).rejects.toBeInstanceOf(ForeignKeyConflict);
  });

  it('fails with the error of the first of several statements, although its work catches that of Promise.all', async () => {
    const work = stock.database.transaction(async (transaction) => {
      const toys = transaction.table(ToyEntity);
      const rows = [{ shelfId: 99n }, {}, {}].map((cells) => toys.insert({ name: 'Ball', price: 1n, ...cells }));
      await Promise.all(rows).catch(() => undefined);
    });
    await expect(work).rejects.toBeInstanceOf(ForeignKeyConflict);
  });

  it('fails with the error of a statement that nothing awaits, which does not end the process', async () => {
    const work = stock.database.transaction(async (transaction) => {
      const toys = transaction.table(ToyEntity);
      const orphan = toys.insert({ name: 'Ball', price: 1n, shelfId: 99n });
      const found = toys.find(1n);
      await orphan;
      return found;
    });
    await expect(work).rejects.toBeInstanceOf(ForeignKeyConflict);
    // Node reports rejections that nothing handles after the microtasks of a turn; Jest fails the test then.
    await setImmediate();
    expect(await allToys()).toEqual([]);
  });

  it('leaves the service ready for writes, however long it takes', async () => {
    const health = new DatabaseHealth(await servedOf(stock.dataSource));
    const checks = await stock.database.transaction(async (transaction) => {
      await transaction.table(ShelfEntity).insert({ label: 'A', count: 0n });
      return health.check();
    });
    expect(checks).toMatchObject({ reads: true, writes: true });
  });

  it('fails with 503 when the shutdown closes its connection before it uses another table', async () => {
    const work = stock.database.transaction(async (transaction) => {
      await transaction.table(ToyEntity).find(1n);
      stock.database.onApplicationShutdown();
      return transaction.table(ShelfEntity).find(1n);
    });
    // PostgreSQL closes a connection only after its transaction.
    if (ENGINE === 'sqlite') await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
    else expect(await work).toBeUndefined();
  });

  it('fails with 503 when the database is closed', async () => {
    await stock.dataSource.destroy();
    const work = stock.database.transaction((transaction) => transaction.table(ToyEntity).find(1n));
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});
