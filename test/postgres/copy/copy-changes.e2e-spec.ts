import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Column, type DataSource, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
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

/** More than a page. */
const FOLDERS = 12_000;

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

/** Copies, and calls `meanwhile` after the rows were compared and before the end. */
async function copy(
  from: Stock,
  to: Stock,
  meanwhile?: () => Promise<unknown>,
  open: (stock: Stock) => Promise<DataSource> = (stock) => stock.connect(),
): Promise<Copied> {
  const source = await BulkDatabase.of(await open(from), 'the source');
  const target = await BulkDatabase.of(await open(to), 'the target');
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

@Entity('folders', { withoutRowid: true })
@Index('folders_by_parent', ['parentId'])
class FolderEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @ForeignKey(() => FolderEntity, { onDelete: 'RESTRICT' })
  @Column({ ...INT64, nullable: true })
  parentId: bigint | null;
}

describe.each(['to PostgreSQL', 'to SQLite'])('a copy of rows that refer to others of their table: %s', (direction) => {
  const openFolders = (stock: Stock) => reopen(stock, [FolderEntity], { allowUnfinishedCopy: true });
  const copyFolders = (meanwhile?: () => Promise<unknown>) =>
    direction === 'to SQLite' ? copy(server, file, meanwhile, openFolders) : copy(file, server, meanwhile, openFolders);
  const source = () => (direction === 'to SQLite' ? server : file);
  const target = () => (direction === 'to SQLite' ? file : server);
  const foldersOf = async ({ dataSource }: Stock) =>
    (await dataSource.query<object[]>('SELECT * FROM "folders" ORDER BY "id"')).map((row) =>
      Object.values(row).map(Number),
    );

  beforeEach(async () => {
    for (const stock of [file, server]) {
      await stock.dataSource.query(
        `CREATE TABLE "folders" ("id" bigint NOT NULL PRIMARY KEY,
           "parentId" bigint REFERENCES "folders" ("id") ON DELETE RESTRICT)${stock === file ? ' WITHOUT ROWID' : ''}`,
      );
    }
    for (const { dataSource } of [file, server])
      await dataSource.query('CREATE INDEX "folders_by_parent" ON "folders" ("parentId")');
    // Each one is inside of the next one, up to the last one, in more than one page.
    await source().dataSource.query(
      `WITH RECURSIVE "numbers" ("id") AS (SELECT 1 UNION ALL SELECT "id" + 1 FROM "numbers" WHERE "id" < ${FOLDERS})
       INSERT INTO "folders" SELECT "id", CASE WHEN "id" < ${FOLDERS} THEN "id" + 1 END FROM "numbers" ORDER BY "id" DESC`,
    );
  });

  it('has them, wherever the other row is', async () => {
    const { tables } = await copyFolders();
    expect(tables).toContainEqual(expect.objectContaining({ name: 'folders', rows: FOLDERS }));
    expect(await foldersOf(target())).toEqual(await foldersOf(source()));
  });

  it('has them when it was interrupted, and the rows changed', async () => {
    const change = () => source().dataSource.query(`UPDATE "folders" SET "parentId" = 2 WHERE "id" = ${FOLDERS}`);
    await expect(copyFolders(change)).rejects.toThrow('folders in the source changed meanwhile');
    expect(await copyFolders()).toMatchObject({ resumed: true });
    expect(await foldersOf(target())).toEqual(await foldersOf(source()));
  });
});

it('a copy between two files names a row that refers to a missing one', async () => {
  const other = await openStock({ engine: 'sqlite' });
  await fill(file);
  await file.dataSource.query('PRAGMA foreign_keys = OFF');
  await file.dataSource.query('UPDATE "toys" SET "shelfId" = 99 WHERE "id" = 3');
  await expect(copy(file, other)).rejects.toThrow(
    'A row of "toys" refers to a row of "shelves" that does not exist; fix it in the source, and copy into an empty database instead of the target.',
  );
  await other.close();
});
