import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Connection } from 'pg';
import type { DataSource } from 'typeorm';
import { openTable } from '../../../src/platform/database/open-table.js';
import { PostgresTransactions } from '../../../src/platform/database/postgres/tables/postgres-transactions.js';
import { ForeignKeyConflict, UniqueConflict } from '../../../src/platform/database/tables/conflicts.js';
import type { Transaction } from '../../../src/platform/database/transactions/transaction.js';
import { databaseOf, openStock, ShelfEntity, type Stock, ToyEntity } from '../../database/support/stock.js';
import { onServer } from '../../support/databases/databases.js';

let stock: Stock;

beforeEach(async () => {
  stock = await openStock();
});

afterEach(() => stock.close());

const nameOf = ({ url }: Stock): string => new URL(url).pathname.slice(1);

/** Until so many statements wait for locks of others. */
async function waiting(count: number): Promise<void> {
  const waitingNow = () =>
    onServer(`SELECT FROM "pg_stat_activity" WHERE "datname" = $1 AND "wait_event_type" = 'Lock'`, [nameOf(stock)]);
  while ((await waitingNow()).length < count) await delay(5);
}

/** What it resolves with, or its error. */
const orError = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('a creation on PostgreSQL that waits for a row of a transaction', () => {
  let dataSource: DataSource;
  let shelfId: bigint;

  beforeEach(async () => {
    // A deadlock would last longer than a transaction may.
    await onServer(`ALTER DATABASE ${nameOf(stock)} SET deadlock_timeout = '10min'`);
    dataSource = await stock.connect();
    shelfId = await stock.shelves.insert({ label: 'A', count: 0n });
    await stock.toys.insert({ name: 'Ball', price: 1n });
  });

  afterEach(() => dataSource.destroy());

  /** Runs `work` after `change`, because of which one creation waits, and `another` for that one. */
  async function createDuring(
    change: (transaction: Transaction) => Promise<unknown>,
    create: () => Promise<bigint>,
    another: () => Promise<bigint>,
    work: (transaction: Transaction) => Promise<unknown>,
  ): Promise<unknown[]> {
    const database = await databaseOf(dataSource, 20_000);
    let hasChanged = () => {};
    const changed = new Promise<void>((resolve) => (hasChanged = resolve));
    let created = () => {};
    const creating = new Promise<void>((resolve) => (created = resolve));
    const transaction = database.transaction(async (own) => {
      await change(own);
      hasChanged();
      await creating;
      await work(own);
    });
    const results: Promise<unknown>[] = [transaction];
    await changed;
    results.push(create());
    await waiting(1);
    results.push(another());
    created();
    return Promise.all(results.map(orError));
  }

  it('is stored, with those behind it, before the transaction takes an id: for a unique value', async () => {
    const shelves = openTable(dataSource, ShelfEntity);
    const results = await createDuring(
      (transaction) => transaction.table(ShelfEntity).update(shelfId, { label: 'B' }),
      () => shelves.insert({ label: 'B', count: 1n }),
      () => shelves.insert({ label: 'C', count: 1n }),
      (transaction) => transaction.table(ShelfEntity).insert({ label: 'D', count: 1n }),
    );
    expect(results).toEqual([expect.any(UniqueConflict), shelfId + 1n, shelfId + 2n]);
  });

  it('is stored, with those behind it, before the transaction takes an id: for a row to which it refers', async () => {
    const toys = openTable(dataSource, ToyEntity);
    const results = await createDuring(
      (transaction) => transaction.table(ShelfEntity).delete(shelfId),
      () => toys.insert({ name: 'Car', price: 1n, shelfId }),
      () => toys.insert({ name: 'Car', price: 2n }),
      (transaction) => transaction.table(ToyEntity).insert({ name: 'Car', price: 3n }),
    );
    expect(results).toEqual([expect.any(ForeignKeyConflict), 2n, 3n]);
  });

  it('is stored, with those behind it, before the transaction takes an id of its second table', async () => {
    const toys = openTable(dataSource, ToyEntity);
    const results = await createDuring(
      async (transaction) => {
        await transaction.table(ShelfEntity).insert({ label: 'B', count: 1n });
        await transaction.table(ShelfEntity).delete(shelfId);
      },
      () => toys.insert({ name: 'Car', price: 1n, shelfId }),
      () => toys.insert({ name: 'Car', price: 2n }),
      (transaction) => transaction.table(ToyEntity).insert({ name: 'Car', price: 3n }),
    );
    expect(results).toEqual([expect.any(ForeignKeyConflict), 2n, 3n]);
  });
});

describe('a group of creations on PostgreSQL that ends a deadlock', () => {
  const LABELS = ['A', 'B', 'C'];
  let first: Connection;
  let second: Connection;

  beforeEach(async () => {
    await onServer(`ALTER DATABASE ${nameOf(stock)} SET deadlock_timeout = '50ms'`);
    [first, second] = await Promise.all([connect(), connect()]);
  });

  afterEach(() => Promise.all([first.end(), second.end()]));

  /** Leaves it to others to end a deadlock. */
  async function connect(): Promise<Connection> {
    const connection = new Connection(stock.url);
    await connection.connect();
    await connection.query(`SET deadlock_timeout = '10min'`);
    return connection;
  }

  const insertByHand = (connection: Connection, id: number, label: string): Promise<unknown> =>
    connection.query('INSERT INTO "shelves" VALUES ($1, $2, 0)', [id, label]);

  /** The group waits for B, with A; another transaction waits for A, with C; when B is free, the group waits for C. */
  async function deadlock(create: (dataSource: DataSource) => Promise<unknown>, end: string): Promise<unknown> {
    await Promise.all([first.query('BEGIN'), second.query('BEGIN')]);
    await insertByHand(first, 1001, 'B');
    await insertByHand(second, 1002, 'C');
    const dataSource = await stock.connect();
    const created = orError(create(dataSource));
    await waiting(1);
    const inserted = insertByHand(second, 1003, 'A');
    await waiting(2);
    await first.query('ROLLBACK');
    // Once the group has given way.
    await inserted;
    await second.query(end);
    const result = await created;
    await dataSource.destroy();
    return result;
  }

  const labels = async (): Promise<string[]> =>
    (await stock.shelves.page({ where: {}, limit: 9 })).map(({ label }) => label);

  const createAll = async (dataSource: DataSource): Promise<unknown> => {
    const shelves = openTable(dataSource, ShelfEntity);
    const group = LABELS.map((label) => shelves.insert({ label, count: 0n }));
    // Waits for the commit of the group.
    const behind = waiting(1).then(() => shelves.insert({ label: 'D', count: 0n }));
    return Promise.all([...group, behind].map(orError));
  };

  it('is stored when the other transaction is undone', async () => {
    expect(await deadlock(createAll, 'ROLLBACK')).toEqual([1n, 2n, 3n, 4n]);
    expect(await labels()).toEqual(['A', 'B', 'C', 'D']);
  });

  it('is stored except for its conflicts with the other transaction', async () => {
    const conflict = expect.any(UniqueConflict);
    expect(await deadlock(createAll, 'COMMIT')).toEqual([conflict, 1n, conflict, 2n]);
    expect(await labels()).toEqual(['B', 'D', 'C', 'A']);
  });

  it('is stored with the responses to its requests, which are made once', async () => {
    const ids: bigint[][] = [];
    const request = (hash: string) => ({
      hash,
      fingerprint: 'f',
      response: { status: 201, headers: [], body: null },
    });
    const createTogether = (dataSource: DataSource): Promise<unknown> =>
      new PostgresTransactions(dataSource, 30_000).insertTogether(
        ShelfEntity,
        LABELS.map((label) => [label, 0n]),
        async (given) => {
          ids.push([...given]);
          return LABELS.map(request);
        },
      );
    expect(await deadlock(createTogether, 'ROLLBACK')).toEqual(new Set(LABELS));
    expect(ids).toEqual([[1n, 2n, 3n]]);
    expect(await labels()).toEqual(LABELS);
  });
});
