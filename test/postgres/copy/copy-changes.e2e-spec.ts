import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Column, type DataSource, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { BulkDatabase } from '../../../src/platform/copy/bulk-database.js';
import { type Copied, copyDatabase } from '../../../src/platform/copy/copy-database.js';
import { INT64 } from '../../../src/platform/values/int64.column.js';
import { openStock, reopen, type Stock } from '../../database/support/stock.js';

let file: Stock;
let server: Stock;

beforeEach(async () => {
  file = await openStock({ engine: 'sqlite' });
  server = await openStock({ engine: 'postgres' });
});

afterEach(() => Promise.all([file.close(), server.close()]));

const SAMPLE = {
  text: 'Zoë',
  short: '🐈',
  integer: -7,
  big: 9_223_372_036_854_775_807n,
  flag: false,
  amount: '12345678.90',
  double: 0.1,
  time: new Date('2026-11-22T15:00:00.007Z'),
  json: { b: [1, null], a: 'x' },
  code: 'ABC',
};

async function fill({ shelves, toys, samples, sightings }: Stock): Promise<void> {
  const shelfId = await shelves.insert({ label: 'A', count: 3n });
  for (let index = 0; index < 20; index += 1) await toys.insert({ name: `Toy ${index}`, price: 1n, shelfId });
  await toys.delete(20n);
  await samples.insert(SAMPLE);
  await samples.insert({});
  await sightings.insert({ place: 'Bern' });
}

/** Everything that tables return, and the last ids. On SQLite, that of an append-only table is only in its rows. */
async function contents({ shelves, toys, samples, sightings, dataSource }: Stock): Promise<unknown> {
  const all = { where: {}, limit: 100 };
  return [
    await shelves.page(all),
    await toys.page(all),
    await samples.page(all),
    await sightings.page(all),
    await dataSource.query(
      `SELECT "name", CAST("last" AS text) AS "last" FROM "sequences" WHERE "name" <> 'sightings' ORDER BY "name"`,
    ),
  ];
}

@Entity('folders', { withoutRowid: true })
class FolderEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @ForeignKey(() => FolderEntity)
  @Column({ ...INT64, nullable: true })
  parentId: bigint | null;
}

/** A stock with folders, which refer to each other: the first one to the last one, if there is any. */
async function openFolders(stock: Stock, count: number): Promise<DataSource> {
  const rowid = stock === file ? ' WITHOUT ROWID' : '';
  await stock.dataSource.query(
    `CREATE TABLE "folders" ("id" bigint NOT NULL PRIMARY KEY, "parentId" bigint REFERENCES "folders" ("id"))${rowid}`,
  );
  const insert = (id: number, parent: number | null) =>
    stock.dataSource.query(`INSERT INTO "folders" VALUES (${id}, ${parent})`);
  for (let id = 2; id <= count; id += 1) await insert(id, null);
  if (count > 0) await insert(1, count);
  return reopen(stock, [FolderEntity]);
}

async function copyFolders(from: Stock, to: Stock, count: number): Promise<Copied> {
  const source = await BulkDatabase.of(await openFolders(from, count), 'the source');
  const target = await BulkDatabase.of(await openFolders(to, 0), 'the target');
  try {
    return await copyDatabase(source, target);
  } finally {
    await source.close();
    await target.close();
  }
}

/** Copies, and calls `meanwhile` after the rows were compared and before the end. */
async function copy(from: Stock, to: Stock, meanwhile?: () => Promise<unknown>): Promise<Copied> {
  const source = await BulkDatabase.of(await from.connect(), 'the source');
  const target = await BulkDatabase.of(await to.connect(), 'the target');
  const endSnapshot = source.endSnapshot.bind(source);
  source.endSnapshot = async () => {
    await endSnapshot();
    await meanwhile?.();
  };
  try {
    return await copyDatabase(source, target);
  } finally {
    await source.close();
    await target.close();
  }
}

describe('a copy of rows that change', () => {
  it.each(['to PostgreSQL', 'to SQLite'])(
    'has every column of every type and every reference: %s',
    async (direction) => {
      const [from, to] = direction === 'to SQLite' ? [server, file] : [file, server];
      await fill(from);
      const { tables } = await copy(from, to);
      expect(tables.map(({ name, rows }) => [name, rows])).toEqual([
        ['samples', 2],
        ['shelves', 1],
        ['sightings', 1],
        ['toys', 19],
      ]);
      expect(await contents(to)).toEqual(await contents(from));
      expect(await to.samples.find(1n)).toEqual({ id: 1n, ...SAMPLE });
      expect(await to.toys.insert({ name: 'Next', price: 1n })).toBe(21n);
      expect(await to.sightings.insert({ place: 'Rome' })).toBe(2n);
    },
  );

  it.each<[string, (stock: Stock) => Promise<unknown>]>([
    ['updated', (stock) => stock.toys.update(3n, { price: 2n })],
    ['deleted', (stock) => stock.toys.delete(3n)],
    ['inserted and deleted', async (stock) => stock.toys.delete(await stock.toys.insert({ name: 'Gone', price: 1n }))],
  ])('is not finished when a row was %s meanwhile, until it runs again', async (_, change) => {
    await fill(server);
    await expect(copy(server, file, () => change(server))).rejects.toThrow(
      'All rows were copied, but toys in the source changed meanwhile; stop its writers and run this again to copy the changes.',
    );
    expect(await copy(server, file)).toMatchObject({ resumed: true });
    expect(await contents(file)).toEqual(await contents(server));
  });
});

describe.each(['to PostgreSQL', 'to SQLite'])(
  'a copy of rows that refer to rows of their own table: %s',
  (direction) => {
    const copied = (count: number) =>
      direction === 'to SQLite' ? copyFolders(server, file, count) : copyFolders(file, server, count);

    it('has them, also where they refer to a later row', async () => {
      const { tables } = await copied(3);
      expect(tables).toContainEqual(expect.objectContaining({ name: 'folders', rows: 3 }));
    });

    it('says what to do where that row is thousands of rows later', async () => {
      await expect(copied(5001)).rejects.toThrow(
        'The table "folders" cannot be copied: one of its rows refers to a row of it that is missing, or that is copied later; set that reference to null in a copy of the source, copy that, and set it in the target.',
      );
    });
  },
);
