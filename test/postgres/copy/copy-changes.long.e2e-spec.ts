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
  json: { b: [1, null, 9_007_199_254_740_993n], a: 'x' },
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

/** Copies, and calls `meanwhile` with the source after the rows were compared and before the end. */
async function copy(
  from: Stock,
  to: Stock,
  meanwhile?: (source: BulkDatabase) => Promise<unknown>,
  open: (stock: Stock) => Promise<DataSource> = (stock) => stock.connect(),
): Promise<Copied> {
  const source = await BulkDatabase.of(await open(from), 'the source');
  const target = await BulkDatabase.of(await open(to), 'the target');
  const endSnapshot = source.endSnapshot.bind(source);
  source.endSnapshot = async () => {
    await endSnapshot();
    await meanwhile?.(source);
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

  it.each(['SQLite', 'PostgreSQL'])(
    'is not finished when a row of %s was changed behind the last comparison',
    async (engine) => {
      const [from, to] = engine === 'SQLite' ? [file, server] : [server, file];
      await fill(from);
      let comparisons = 0;
      const changes = async ({ tables }: BulkDatabase) => {
        comparisons += 1;
        if (comparisons > 1) return;
        // A write that leaves all rows as they are has them compared. While the last table is, one of the first changes.
        await from.toys.update(3n, { price: 1n });
        const last = tables.at(-1)!;
        const page = last.page.bind(last);
        last.page = async (after, limit) => {
          if (after === undefined) await from.samples.update(1n, { integer: 8 });
          return page(after, limit);
        };
      };
      await expect(copy(from, to, changes)).rejects.toThrow(
        'All rows were copied, but samples in the source changed meanwhile; stop its writers and run this again to copy the changes.',
      );
      expect(comparisons).toBe(2);
    },
  );

  it.each(['SQLite', 'PostgreSQL'])(
    'is finished although %s is written all the time, when its rows stay the same',
    async (engine) => {
      const [from, to] = engine === 'SQLite' ? [file, server] : [server, file];
      await fill(from);
      let writes = 0;
      const write = async () => {
        writes += 1;
        if (writes < 9) await from.toys.update(3n, { price: 1n });
      };
      await copy(from, to, write);
      expect(writes).toBe(4);
      expect(await contents(to)).toEqual(await contents(from));
    },
  );
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
  const openFolders = (stock: Stock) => reopen(stock, [FolderEntity], { copyFrom: 'another database' });
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
