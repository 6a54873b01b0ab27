import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Column, DefaultNamingStrategy, Entity, Index, PrimaryColumn } from 'typeorm';
import { oneOf, range } from '../../src/platform/database/tables/conditions.js';
import { ForeignKeyConflict, UniqueConflict } from '../../src/platform/database/tables/conflicts.js';
import { DatabaseUnavailable } from '../../src/platform/database/tables/database-unavailable.js';
import { openTable } from '../../src/platform/database/open-table.js';
import type { KeysetTable } from '../../src/platform/database/tables/keyset-table.js';
import { INT64 } from '../../src/platform/values/int64.column.js';
import { databaseOf, openStock, reopen, ShelfEntity, SightingEntity, type Stock, ToyEntity } from './support/stock.js';

const MAX = 9_223_372_036_854_775_807n;
const MIN = -9_223_372_036_854_775_808n;
const PRICES = [5n, MAX, 3n, MIN, 5n, 9_007_199_254_740_993n, 5n, 9_007_199_254_740_992n];

let stock: Stock;

beforeEach(async () => {
  await stock?.close();
  stock = await openStock();
});

afterAll(() => stock.close());

const addToys = (): Promise<bigint[]> =>
  Promise.all(PRICES.map((price, index) => stock.toys.insert({ name: `Toy ${index}`, price })));

type Tables = Pick<Stock, 'toys' | 'shelves' | 'sightings'>;

/** The same promises, for the injected tables and for those of a transaction. */
describe.each<[string, (work: (tables: Tables) => Promise<unknown>) => Promise<unknown>]>([
  ['a table', (work) => work(stock)],
  [
    'a table of a transaction',
    (work) =>
      stock.database.transaction(async (transaction) => {
        const [toys, shelves] = [transaction.table(ToyEntity), transaction.table(ShelfEntity)];
        return work({ toys, shelves, sightings: transaction.table(SightingEntity) });
      }),
  ],
])('%s', (_, within) => {
  it('changes the named columns of one row, with every digit, and null clears a column', async () => {
    const shelfId = await stock.shelves.insert({ label: 'A', count: 0n });
    const id = await stock.toys.insert({ name: 'Ball', price: 1n, shelfId });
    const other = await stock.toys.insert({ name: 'Ball', price: 1n, shelfId });
    expect(await within(({ toys }) => toys.update(id, { price: MAX, name: undefined }))).toBe(true);
    expect(await stock.toys.find(id)).toEqual({ id, name: 'Ball', price: MAX, shelfId });
    expect(await within(({ toys }) => toys.update(id, { price: MIN, shelfId: null }))).toBe(true);
    expect(await stock.toys.find(id)).toEqual({ id, name: 'Ball', price: MIN });
    expect(await stock.toys.find(other)).toEqual({ id: other, name: 'Ball', price: 1n, shelfId });
  });

  it('takes what its arguments hold when it is called, whatever they hold later', async () => {
    await within(async ({ toys }) => {
      const row = { name: '', price: 0n };
      const added = ['Ball', 'Car', 'Doll'].map((name, index) => {
        Object.assign(row, { name, price: BigInt(index) });
        return toys.insert(row);
      });
      const ids = await Promise.all(added);
      const change = { name: '' };
      const where = { price: 0n };
      const changed = ids.map((id, index) => {
        change.name = `${index}`;
        where.price = BigInt(index);
        return toys.update(id, change, where);
      });
      expect(await Promise.all(changed)).toEqual([true, true, true]);
      const request = { where, limit: 1 };
      const pages = [0n, 1n].map((price) => {
        where.price = price;
        return toys.page(request);
      });
      expect((await Promise.all(pages)).flat()).toMatchObject([{ price: 0n }, { price: 1n }]);
      const [deleted, kept] = [toys.delete(ids[2]!, where), toys.delete(ids[1]!, where)]; // there are three ids
      where.price = 2n;
      expect(await Promise.all([deleted, kept])).toEqual([false, true]);
    });
    expect(await stock.toys.page({ where: {}, limit: 9 })).toMatchObject([{ name: '0' }, { name: '2' }]);
  });

  it('reads the accessors of a class', async () => {
    class Doubled {
      constructor(readonly name: string) {}

      get price(): bigint {
        return 2n;
      }
    }
    const id = await within(({ toys }) => toys.insert(new Doubled('Ball')));
    await stock.toys.update(id as bigint, { price: 1n });
    await within(({ toys }) => toys.update(id as bigint, new Doubled('Car')));
    expect(await stock.toys.find(id as bigint)).toEqual({ id, name: 'Car', price: 2n });
  });

  it('reads the accessors of a class of conditions', async () => {
    class Expensive {
      get price(): bigint {
        return 9n;
      }
    }
    const id = await stock.toys.insert({ name: 'Ball', price: 1n });
    await within(async ({ toys }) => {
      expect(await toys.page({ where: new Expensive(), limit: 9 })).toEqual([]);
      expect(await toys.update(id, { name: 'Car' }, new Expensive())).toBe(false);
      expect(await toys.delete(id, new Expensive())).toBe(false);
    });
    expect(await stock.toys.find(id)).toMatchObject({ id, name: 'Ball' });
  });

  it('orders rows by a column with a single value, too', async () => {
    const ids = await addToys();
    const pages = await within(({ toys }) =>
      toys.page({ where: { price: 5n }, limit: 2, orderBy: { column: 'price', descending: true } }),
    );
    expect(pages).toMatchObject([{ id: ids[6] }, { id: ids[4] }]);
  });

  it('says whether there was such a row', async () => {
    const id = await stock.toys.insert({ name: 'Ball', price: 1n });
    expect(await within(({ toys }) => toys.update(99n, { price: 2n }))).toBe(false);
    expect(await within(({ toys }) => toys.update(id, { price: 2n }, { price: 7n }))).toBe(false);
    expect(await within(({ toys }) => toys.update(id, {}, { price: 1n }))).toBe(true);
    expect(await within(({ toys }) => toys.delete(id, { price: range({ above: 1n }) }))).toBe(false);
    expect(await within(({ toys }) => toys.delete(id, { shelfId: null }))).toBe(true);
    expect(await within(({ toys }) => toys.delete(id))).toBe(false);
    expect(await stock.toys.find(id)).toBeUndefined();
  });

  it('never uses an id again, even that of the last row', async () => {
    const older = await stock.toys.insert({ name: 'Ball', price: 1n });
    const last = await stock.toys.insert({ name: 'Ball', price: 1n });
    await within(({ toys }) => toys.delete(last));
    await within(({ toys }) => toys.delete(older));
    expect(await within(({ toys }) => toys.insert({ name: 'Car', price: 1n }))).toBe(last + 1n);
  });

  it('never uses the id of a row again that was deleted by hand', async () => {
    const last = await stock.toys.insert({ name: 'Ball', price: 1n });
    await stock.dataSource.query(`DELETE FROM "toys" WHERE "id" = ${last}`);
    expect(await within(({ toys }) => toys.insert({ name: 'Car', price: 1n }))).toBe(last + 1n);
  });

  it('never uses the id of a deleted row again that was inserted by hand', async () => {
    const ball = await stock.toys.insert({ name: 'Ball', price: 1n });
    const hand = ball + 2n;
    await stock.dataSource.query(`INSERT INTO "toys" ("id", "name", "price") VALUES (${hand}, 'Hand', 1)`);
    expect(await within(({ toys }) => toys.delete(hand))).toBe(true);
    for (const name of ['Car', 'Doll', 'Kite']) {
      expect(await within(({ toys }) => toys.insert({ name, price: 1n }))).not.toBe(hand);
    }
  });

  it('reports conflicts with other rows, which leave everything as it was', async () => {
    await stock.shelves.insert({ label: 'A', count: 0n });
    const b = await stock.shelves.insert({ label: 'B', count: 0n });
    await stock.toys.insert({ name: 'Ball', price: 1n, shelfId: b });
    const message =
      'Another row of "shelves" has the same label; catch this conflict, and throw a DomainError whose status openapi.yaml declares';
    const twice = { name: 'UniqueConflict', columns: ['label'], message };
    await expect(within(({ shelves }) => shelves.insert({ label: 'A', count: 0n }))).rejects.toMatchObject(twice);
    await expect(within(({ shelves }) => shelves.update(b, { label: 'A' }))).rejects.toMatchObject(twice);
    await expect(within(({ shelves }) => shelves.delete(b))).rejects.toBeInstanceOf(ForeignKeyConflict);
    await expect(within(({ toys }) => toys.insert({ name: 'Car', price: 1n, shelfId: 99n }))).rejects.toBeInstanceOf(
      ForeignKeyConflict,
    );
    await expect(within(({ toys }) => toys.update(1n, { shelfId: 99n }))).rejects.toBeInstanceOf(ForeignKeyConflict);
    expect(await stock.shelves.page({ where: {}, limit: 9 })).toMatchObject([{ label: 'A' }, { label: 'B' }]);
    expect(await stock.toys.page({ where: {}, limit: 9 })).toEqual([{ id: 1n, name: 'Ball', price: 1n, shelfId: b }]);
  });

  it.each([
    ['a value', { price: MAX }, [1]],
    ['a range', { price: range({ from: 5n, below: MAX }) }, [0, 4, 5, 6, 7]],
    ['an open range', { price: range({ above: 9_007_199_254_740_992n }) }, [1, 5]],
    ['a range without bounds', { price: range<bigint>({}) }, [0, 1, 2, 3, 4, 5, 6, 7]],
    ['a list', { price: oneOf([MIN, MAX, 9_007_199_254_740_993n, 4n]) }, [1, 3, 5]],
    ['an empty list', { price: oneOf<bigint>([]) }, []],
    ['a list of texts', { name: oneOf(['Toy 2', 'toy 3', `Toy 4','`, '"Toy 5"', 'Toy 6']) }, [2, 6]],
    ['null', { shelfId: null, name: 'Toy 1' }, [1]],
    ['several columns', { price: range({ to: 5n }), name: oneOf(['Toy 0', 'Toy 1']), id: range({ from: 1n }) }, [0]],
  ])('filters exactly by %s', async (_name, where, expected) => {
    const ids = await addToys();
    const found = (await within(({ toys }) => toys.page({ where, limit: 100 }))) as ToyEntity[];
    expect(found.map(({ id }) => id)).toEqual(ids.filter((__, index) => expected.includes(index)));
  });

  it.each([
    [false, {}],
    [true, {}],
    [false, { shelfId: 1n }],
    [true, { shelfId: 1n, price: range({ to: 9_007_199_254_740_992n }) }],
  ])('pages in the order of an indexed column, descending: %s, where %o', async (descending, where) => {
    await stock.shelves.insert({ label: 'A', count: 0n });
    for (const [index, price] of PRICES.entries()) {
      await stock.toys.insert({ name: `Toy ${index}`, price, shelfId: 1n });
      await stock.toys.insert({ name: `Loose ${index}`, price });
    }
    const all = (await stock.toys.page({ where, limit: 100 })).toSorted((one, two) => {
      const order = Number(one.price === two.price ? one.id - two.id : one.price < two.price ? -1 : 1);
      return descending ? -order : order;
    });
    const walked: unknown[] = [];
    let from: (typeof all)[number] | undefined;
    do {
      const request = { where, orderBy: { column: 'price', descending }, from, limit: 4 } as const;
      const rows = (await within(({ toys }) => toys.page(request))) as typeof all;
      from = rows.length === 4 ? rows.pop() : undefined;
      walked.push(...rows);
      // Pages that repeat rows would never end.
    } while (from && walked.length <= all.length);
    expect(walked).toEqual(all);
    expect(all.length).toBeGreaterThan(4);
  });

  it('pages from the newest row', async () => {
    for (const name of ['Ball', 'Car', 'Doll']) await stock.toys.insert({ name, price: 1n });
    const request = { where: {}, orderBy: { column: 'id', descending: true }, limit: 2 } as const;
    const idsOf = (rows: unknown) => (rows as ToyEntity[]).map(({ id }) => id);
    expect(idsOf(await within(({ toys }) => toys.page(request)))).toEqual([3n, 2n]);
    expect(idsOf(await within(({ toys }) => toys.page({ ...request, from: { id: 1n } })))).toEqual([1n]);
  });

  it.each<[string, unknown]>([
    ["'1'", '1'],
    ['1', 1],
    ['undefined', undefined],
    ['null', null],
    ['9223372036854775808n', 2n ** 63n],
  ])('refuses the id %s, which SQLite and PostgreSQL would read in their own ways', async (shown, value) => {
    await stock.toys.insert({ name: 'Ball', price: 1n });
    const id = value as bigint;
    const refusal = `An id of "toys" must be a 64-bit integer, as a bigint, not ${shown}`;
    await expect(within(({ toys }) => toys.find(id))).rejects.toThrow(refusal);
    await expect(within(({ toys }) => toys.update(id, { price: 2n }))).rejects.toThrow(refusal);
    await expect(within(({ toys }) => toys.delete(id))).rejects.toThrow(refusal);
    const ordered = { where: {}, limit: 1, orderBy: { column: 'price' }, from: { price: 1n, id } } as const;
    await expect(within(({ toys }) => toys.page(ordered))).rejects.toThrow(refusal);
    // Without a first id, a page begins at the first row.
    if (value !== undefined)
      await expect(within(({ toys }) => toys.page({ where: {}, limit: 1, from: id }))).rejects.toThrow(refusal);
    expect(await stock.toys.page({ where: {}, limit: 9 })).toEqual([{ id: 1n, name: 'Ball', price: 1n }]);
  });

  it('refuses what it could not honour', async () => {
    const page = (request: object) => within(({ toys }) => toys.page({ where: {}, limit: 1, ...request }));
    for (const limit of [-1, 1.5, NaN, Infinity])
      await expect(page({ limit })).rejects.toThrow(`A page of "toys" cannot have ${limit} rows`);
    await expect(page({ where: { colour: 'red' } })).rejects.toThrow('"toys" has no column for the property "colour"');
    await expect(page({ where: { 'id" = 1 OR "id': 1n } })).rejects.toThrow('"toys" has no column for the property');
    await expect(page({ where: { name: range({ from: 'A' }) } })).rejects.toThrow(
      'has no order that SQLite and PostgreSQL share',
    );
    await expect(page({ orderBy: { column: 'name' } })).rejects.toThrow(
      'has no order that SQLite and PostgreSQL share',
    );
    await expect(page({ orderBy: { column: 'shelfId' } })).rejects.toThrow(
      '"toys" cannot be ordered by "shelfId", which may be null; choose another column',
    );
    await expect(
      within(({ shelves }) => shelves.page({ where: {}, limit: 1, orderBy: { column: 'count' } })),
    ).rejects.toThrow('"shelves" cannot be ordered by "count" without an index; add one of count, id');
    await expect(within(({ toys }) => toys.update(1n, { colour: 'red' } as never))).rejects.toThrow(
      'no column for the property',
    );
  });

  it('never changes an id', async () => {
    const id = await stock.toys.insert({ name: 'Ball', price: 1n });
    const row = { id: id + 5n, name: 'Car', price: 2n };
    await expect(within(({ toys }) => toys.update(id, row))).rejects.toThrow('The id of a row of "toys" never changes');
    expect(await within(({ toys }) => toys.update(id, { ...row, id } as never))).toBe(true);
    expect(await stock.toys.page({ where: {}, limit: 9 })).toEqual([{ ...row, id }]);
  });

  it('never changes rows that are declared @AppendOnly', async () => {
    const id = await stock.sightings.insert({ place: 'Bern' });
    const message = 'Rows of "sightings" never change; remove @AppendOnly() from its entity to allow it';
    await expect(within(({ sightings }) => sightings.update(id, { place: 'Oslo' }))).rejects.toThrow(message);
    await expect(within(({ sightings }) => sightings.delete(id))).rejects.toThrow(message);
    expect(await stock.sightings.find(id)).toEqual({ id, place: 'Bern' });
  });

  it('fails with 503 when the database is closed', async () => {
    await stock.dataSource.destroy();
    await expect(within(({ toys }) => toys.update(1n, { price: 1n }))).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(within(({ toys }) => toys.delete(1n))).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});

/** The keys in their order: email, userName, tenant and number. SQLite reports the last one that was created, PostgreSQL the first. */
@Entity('accounts')
@Index(['tenant', 'rank'])
@Index(['number', 'tenant'], { unique: true })
@Index(['note'], { unique: true, where: '"number" > 5' })
class AccountEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text', unique: true, name: 'e_mail' })
  email: string;

  @Column({ type: 'text', unique: true, name: 'user_name' })
  userName: string;

  @Column({ type: 'text', name: 'tenant_name' })
  tenant: string;

  @Column({ type: 'integer', nullable: true })
  number: number | null;

  @Column(INT64)
  rank: bigint;

  @Column({ type: 'text', nullable: true, name: 'a_note' })
  note: string | null;
}

type Accounts = KeysetTable<AccountEntity>;
type Use = (accounts: Accounts) => Promise<unknown>;

const FIRST = { email: 'a', userName: 'a', tenant: 'a', number: 7, rank: 1n, note: 'a' };
const OTHER = { email: 'b', userName: 'b', tenant: 'b', number: 8, rank: 1n };
const NEW = { email: 'c', userName: 'c', tenant: 'c', number: 9, rank: 1n };

async function withAccounts(
  work: (ways: readonly ((use: Use) => Promise<unknown>)[], accounts: Accounts) => Promise<void>,
): Promise<void> {
  await stock.dataSource.query(`CREATE TABLE "accounts" ("id" bigint NOT NULL PRIMARY KEY, "e_mail" text NOT NULL,
    "user_name" text NOT NULL, "tenant_name" text NOT NULL, "number" integer, "rank" bigint NOT NULL, "a_note" text)`);
  const partial = new DefaultNamingStrategy().indexName('accounts', ['a_note'], '"number" > 5');
  for (const index of [
    'INDEX "names" ON "accounts" ("user_name")',
    'INDEX "emails" ON "accounts" ("e_mail")',
    'INDEX "numbers" ON "accounts" ("tenant_name", "number")',
    `INDEX "${partial}" ON "accounts" ("a_note") WHERE "number" > 5`,
  ]) {
    await stock.dataSource.query(`CREATE UNIQUE ${index}`);
  }
  const dataSource = await reopen(stock, [AccountEntity]);
  try {
    const accounts = openTable<AccountEntity>(dataSource, AccountEntity);
    const database = await databaseOf(dataSource, 0);
    await work(
      [(use) => use(accounts), (use) => database.transaction((transaction) => use(transaction.table(AccountEntity)))],
      accounts,
    );
    database.onApplicationShutdown();
  } finally {
    await dataSource.destroy();
    await stock.dataSource.query('DROP TABLE "accounts"');
  }
}

@Entity('ticks')
class TickEntity {
  @PrimaryColumn(INT64)
  id: bigint;
}

describe('a table of ids', () => {
  it('stores and finds rows', async () => {
    await stock.dataSource.query('CREATE TABLE "ticks" ("id" bigint NOT NULL PRIMARY KEY)');
    const dataSource = await reopen(stock, [TickEntity]);
    try {
      const ticks = openTable<TickEntity>(dataSource, TickEntity);
      const ids = await Promise.all(Array.from({ length: 9 }, () => ticks.insert({})));
      expect(await ticks.page({ where: {}, limit: 99 })).toEqual(ids.map((id) => ({ id })));
      expect(await ticks.update(9n, {})).toBe(true);
      expect(await ticks.delete(9n)).toBe(true);
      expect(await ticks.insert({})).toBe(10n);
    } finally {
      await dataSource.destroy();
      await stock.dataSource.query('DROP TABLE "ticks"');
    }
  });
});

describe('a page in the order of a column', () => {
  it('needs an index of its order, and a single value for each column before it', async () => {
    await withAccounts(async (_, accounts) => {
      const id = await accounts.insert(FIRST);
      const page = (where: object) => accounts.page({ where, limit: 9, orderBy: { column: 'rank' } });
      expect(await page({ tenant: 'a' })).toEqual([{ ...FIRST, id }]);
      await expect(page({ tenant: undefined })).rejects.toThrow(
        '"accounts" cannot be ordered by "rank" without an index; add one of rank, id, or give a single value for tenant',
      );
      await expect(page({ email: 'a' })).rejects.toThrow(
        'add one of email, rank, id, or give a single value for tenant',
      );
    });
  });
});

describe('a conflict with other rows in several unique keys', () => {
  it('names the properties of the first of them, on both engines', async () => {
    await withAccounts(async (ways, accounts) => {
      await accounts.insert(FIRST);
      const id = await accounts.insert(OTHER);
      const third = await accounts.insert({ ...NEW, tenant: 'a', number: 70 });
      for (const within of ways) {
        for (const [row, columns] of [
          [{ ...NEW, ...FIRST }, ['email']],
          [{ ...FIRST, email: 'c', userName: 'b' }, ['email']],
          [{ ...FIRST, email: 'd' }, ['userName']],
          [{ ...FIRST, email: 'd', userName: 'd' }, ['number', 'tenant']],
          [{ ...FIRST, email: 'd', userName: 'd', tenant: 'd' }, ['note']],
        ] as const) {
          const inserting = within((table) => table.insert(row));
          await expect(inserting).rejects.toMatchObject({ name: 'UniqueConflict', columns });
        }
        for (const [changed, changes, columns] of [
          [id, { userName: 'a', email: 'a' }, ['email']],
          [id, { userName: 'a', email: 'b' }, ['userName']],
          [third, { number: 7 }, ['number', 'tenant']],
          [third, { number: 7, userName: 'b' }, ['userName']],
        ] as const) {
          const updating = within((table) => table.update(changed, changes));
          await expect(updating).rejects.toMatchObject({ name: 'UniqueConflict', columns });
        }
        expect(await within((table) => table.update(id, { ...OTHER, number: null, note: 'a' }))).toBe(true);
        expect(await within((table) => table.update(third, { tenant: 'b', number: null }))).toBe(true);
        expect(await within((table) => table.update(id, { note: null, number: 8 }))).toBe(true);
        expect(await within((table) => table.update(third, { tenant: 'a', number: 70 }))).toBe(true);
      }
    });
  });

  it.each([
    ['changed', (accounts: Accounts, id: bigint) => accounts.update(id, { email: 'moved', userName: 'moved' })],
    ['deleted', (accounts: Accounts, id: bigint) => accounts.delete(id)],
  ])('names none of a row that the transaction has %s before', async (_, change) => {
    await withAccounts(async ([, inTransaction], accounts) => {
      const id = await accounts.insert({ ...FIRST, note: 'first' });
      await accounts.insert({ ...OTHER, number: 70, note: 'b' });
      const work = inTransaction!(async (table) => {
        await change(table, id);
        await table.insert({ ...NEW, email: 'a', userName: 'b' });
      });
      await expect(work).rejects.toMatchObject({ name: 'UniqueConflict', columns: ['userName'] });
    });
  });

  it('is one for each of the rows that are inserted together', async () => {
    await withAccounts(async (_, accounts) => {
      const rows = [FIRST, { ...OTHER, userName: 'a' }, OTHER, { ...FIRST, email: 'b' }, FIRST];
      const outcomes = await Promise.allSettled(rows.map((row) => accounts.insert(row)));
      const columns = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.columns : 'stored'));
      expect(columns).toEqual(['stored', ['userName'], 'stored', ['email'], ['email']]);
    });
  });
});

describe('concurrent changes', () => {
  it('each take effect, also when others among them conflict', async () => {
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, index) => stock.shelves.insert({ label: `L${index}`, count: 0n })),
    );
    const outcomes = await Promise.allSettled(
      ids.map((id, index) => stock.shelves.update(id, { label: index % 4 === 0 ? 'same' : `New ${index}`, count: 1n })),
    );
    const failed = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(failed).toHaveLength(9);
    for (const { reason } of failed) expect(reason).toBeInstanceOf(UniqueConflict);
    expect(await stock.shelves.page({ where: { count: 1n }, limit: 100 })).toHaveLength(31);
  });

  it('let creations continue with the next ids when one of them conflicts', async () => {
    const outcomes = await Promise.allSettled(
      ['A', 'B', 'A', 'C'].map((label) => stock.shelves.insert({ label, count: 0n })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    await stock.shelves.insert({ label: 'D', count: 0n });
    const labels = (await stock.shelves.page({ where: {}, limit: 9 })).map(({ label }) => label);
    expect(labels).toEqual(['A', 'B', 'C', 'D']);
  });

  it('leave no unbounded number of prepared statements', async () => {
    // Each shape of conditions is a statement; unusual ones are not kept.
    const bounds = ['from', 'above', 'to', 'below'] as const;
    for (let shape = 0; shape < 256; shape += 1) {
      const chosen = bounds.filter((_, bit) => shape & (1 << bit)).map((bound) => [bound, 5n]);
      const others = bounds.filter((_, bit) => shape & (16 << bit)).map((bound) => [bound, 1n]);
      const where = {
        price: range(Object.fromEntries(chosen) as object),
        id: range(Object.fromEntries(others) as object),
      };
      await stock.toys.page({ where: where as never, limit: 1 });
    }
    if (stock.dataSource.options.type === 'postgres') {
      const rows: object[] = await stock.dataSource.query('SELECT FROM "pg_prepared_statements"');
      expect(rows.length).toBeLessThan(100);
    }
    expect(await stock.toys.page({ where: {}, limit: 1 })).toEqual([]);
  });
});
