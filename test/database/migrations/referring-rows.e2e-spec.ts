import { describe, expect, it } from '@jest/globals';
import { Table, TableColumn, TableForeignKey, TableUnique } from 'typeorm';
import { openTable } from '../../../src/platform/database/open-table.js';
import { ForeignKeyConflict } from '../../../src/platform/database/tables/conflicts.js';
import { ENGINE } from '../../support/databases/databases.js';
import { MigratedDatabase, stepOf, type Up } from './migrated-database.js';
import { BookEntity, CREATE_SHELVES, fillShelves, keptShelves, ShelfEntity, SHELVES } from './shelves.js';

const database = new MigratedDatabase();
const isPostgres = ENGINE === 'postgres';

const addNote: Up = (runner) =>
  runner.addColumn('shelves', new TableColumn({ name: 'note', type: 'text', isNullable: true }));
/** An entity must declare each unique key. */
const addUniqueForATime: Up = async (runner) => {
  await runner.createUniqueConstraint('shelves', new TableUnique({ name: 'once', columnNames: ['boards'] }));
  await runner.dropUniqueConstraint('shelves', 'once');
};

/** Fills a database without the migration, and opens it with the migration. */
async function migrateFilled(up: Up, transaction: boolean) {
  await fillShelves(await database.open(SHELVES, [CREATE_SHELVES]));
  return database.open(SHELVES, [CREATE_SHELVES, stepOf(1, up, { transaction })]);
}

describe.each([
  ['with a transaction', true],
  ['without a transaction', false],
])('a migration %s that changes a table', (_, transaction) => {
  it.each([
    ['adds a column', addNote],
    ['adds and drops a unique key', addUniqueForATime],
  ])('keeps the rows that refer to it when it %s', async (_what, up) => {
    const dataSource = await migrateFilled(up, transaction);
    expect(await keptShelves(dataSource)).toEqual([
      [1n, 2n],
      [1n, 2n],
    ]);
  });

  it('leaves foreign keys and checks in force for the service', async () => {
    const dataSource = await migrateFilled(addNote, transaction);
    const shelves = openTable<ShelfEntity>(dataSource, ShelfEntity);
    await expect(openTable<BookEntity>(dataSource, BookEntity).insert({ shelfId: 9n })).rejects.toBeInstanceOf(
      ForeignKeyConflict,
    );
    await expect(shelves.insert({ boards: 0 })).rejects.toMatchObject({
      message: expect.stringMatching(/^A row breaks the check .+ of ShelfEntity/),
    });
    await shelves.delete(1n);
    expect(await keptShelves(dataSource)).toEqual([[2n], [undefined, 2n]]);
  });
});

if (ENGINE === 'sqlite') {
  describe('a migration without a transaction that switches foreign keys on', () => {
    const on: Up = (runner) => runner.query('PRAGMA foreign_keys = ON');

    it('is refused before TypeORM would drop a table to which rows refer', async () => {
      const up: Up = async (runner) => {
        await on(runner);
        await addNote(runner);
      };
      await expect(migrateFilled(up, false)).rejects.toThrow(
        'would drop the table "shelves" and create it again, which deletes the rows that refer to it; let the migration set "PRAGMA foreign_keys = OFF" before it',
      );
      expect(await keptShelves(await database.open(SHELVES, [CREATE_SHELVES]))).toEqual([
        [1n, 2n],
        [1n, 2n],
      ]);
    });

    it('takes effect when it switches them off before, as SQLite advises for other changes of tables', async () => {
      const up: Up = async (runner) => {
        await on(runner);
        await runner.query('UPDATE "shelves" SET "boards" = 3 WHERE "id" = 1');
        await runner.query('PRAGMA foreign_keys = OFF');
        await addNote(runner);
        await on(runner);
      };
      const dataSource = await migrateFilled(up, false);
      expect(await keptShelves(dataSource)).toEqual([
        [1n, 2n],
        [1n, 2n],
      ]);
      expect(await openTable(dataSource, ShelfEntity).find(1n)).toMatchObject({ boards: 3 });
    });
  });
}

describe('a foreign key in a migration', () => {
  const open = (...steps: readonly Up[]) =>
    database.open(
      [],
      steps.map((up, index) => stepOf(index, up)),
    );
  const key = (column: string, table: string): TableForeignKey =>
    new TableForeignKey({ columnNames: [column], referencedTableName: table, referencedColumnNames: ['id'] });
  const columns = [
    new TableColumn({ name: 'id', type: 'integer', isPrimary: true }),
    new TableColumn({ name: 'note', type: 'text', isNullable: true }),
    new TableColumn({ name: 'up', type: 'integer', isNullable: true }),
  ];
  const create =
    (name: string, ...foreignKeys: TableForeignKey[]): Up =>
    (runner) =>
      runner.createTable(new Table({ name, columns, foreignKeys }));

  it.each<[string, readonly Up[], RegExp]>([
    [
      'to a column of another type',
      [create('nodes'), (runner) => runner.createForeignKey('nodes', key('note', 'nodes'))],
      isPostgres
        ? /cannot be implemented/
        : /"note" of "nodes" has the type TEXT, and cannot refer to INTEGER in "nodes"; give both the same type/,
    ],
    [
      'to a table that is created later',
      [
        async (runner) => {
          await create('leaves', key('up', 'nodes'))(runner);
          await create('nodes')(runner);
        },
      ],
      isPostgres
        ? /does not exist/
        : /"up" of "leaves" refers to the table "nodes", which does not exist; create it before/,
    ],
    [
      'to a table that is dropped',
      [create('nodes'), create('leaves', key('up', 'nodes')), (runner) => runner.dropTable('nodes')],
      isPostgres
        ? /other objects depend on it/
        : /"up" of "leaves" refers to the table "nodes"; drop that foreign key, or "leaves", before/,
    ],
    [
      'by a statement to a table that does not exist',
      [(runner) => runner.query('CREATE TABLE "leaves" ("up" integer REFERENCES "nodes" ("id"))')],
      isPostgres
        ? /does not exist/
        : /"up" of "leaves" refers to the table "nodes", which does not exist; create it before/,
    ],
  ])('is refused %s', async (_, steps, error) => {
    await expect(open(...steps)).rejects.toThrow(error);
  });

  it.each<[string, Up]>([
    ['with its table', create('leaves', key('up', 'nowhere'))],
    ['later', (runner) => runner.createForeignKey('nodes', key('note', 'nodes'))],
  ])('is undone where it is refused without a transaction: %s', async (_, up) => {
    const nodes = stepOf(0, create('nodes'));
    await expect(database.open([], [nodes, stepOf(1, up, { transaction: false })])).rejects.toThrow(
      /foreign|refer|exist/,
    );
    const dataSource = await database.open([], [nodes]);
    const runner = dataSource.createQueryRunner();
    const tables = await runner.getTables(['nodes', 'leaves']);
    await runner.release();
    expect(tables.map(({ name, foreignKeys }) => [name, foreignKeys.length])).toEqual([['nodes', 0]]);
  });

  it('of an earlier release stays, and stops no later migration', async () => {
    const nodes = stepOf(0, create('nodes'));
    const earlier = await database.open([], [nodes]);
    const reference = isPostgres ? '' : 'REFERENCES "nowhere" ("id")';
    await earlier.query(`CREATE TABLE "leaves" ("up" integer ${reference})`);
    await earlier.destroy();
    const later = stepOf(1, (runner) =>
      runner.addColumn('nodes', new TableColumn({ name: 'size', type: 'integer', isNullable: true })),
    );
    const dataSource = await database.open([], [nodes, later]);
    await dataSource.query('INSERT INTO "nodes" ("id", "size") VALUES (1, 2)');
    expect(await dataSource.query('SELECT "size" FROM "nodes"')).toEqual([{ size: 2 }]);
  });

  it('refers to its own table under the new name of the table', async () => {
    const dataSource = await open(
      create('nodes', key('up', 'nodes')),
      (runner) => runner.query('INSERT INTO "nodes" ("id", "up") VALUES (1, NULL), (2, 1)'),
      (runner) => runner.renameTable('nodes', 'items'),
    );
    await dataSource.query('INSERT INTO "items" ("id", "up") VALUES (3, 2)');
    await expect(dataSource.query('INSERT INTO "items" ("id", "up") VALUES (4, 9)')).rejects.toThrow(/foreign key/i);
  });
});
