import { describe, expect, it } from '@jest/globals';
import {
  type DataSource,
  type QueryRunner,
  type Table,
  TableCheck,
  TableColumn,
  TableForeignKey,
  TableUnique,
} from 'typeorm';
import { MigratedDatabase, stepOf, type Up } from './migrated-database.js';

const database = new MigratedDatabase();

const CREATE: Up = async (runner) => {
  await runner.query('CREATE TABLE "uses" ("id" integer NOT NULL PRIMARY KEY, "a" integer, "b" varchar(3))');
  await runner.query('CREATE INDEX "old" ON "uses" ("a")');
};

const columnA = (more: object): TableColumn =>
  new TableColumn({ name: 'a', type: 'integer', isNullable: true, ...more });
const columnB = (more: object): TableColumn =>
  new TableColumn({ name: 'b', type: 'varchar', isNullable: true, ...more });

/** Changes "uses", and then calls `change` with the table that the migration has read before. */
function migrate(before: Up, change: (runner: QueryRunner, table: Table) => Promise<unknown>): Promise<DataSource> {
  const outdated: Up = async (runner) => {
    const table = (await runner.getTable('uses'))!; // created before
    // TypeORM updates the table that it has read last.
    await runner.getTable('migrations');
    await before(runner);
    await change(runner, table);
  };
  return database.open([], [stepOf(0, CREATE), stepOf(1, outdated)]);
}

const addNote = (runner: QueryRunner, table: Table): Promise<void> =>
  runner.addColumn(table, new TableColumn({ name: 'note', type: 'text', isNullable: true }));

const REFERENCE = { columnNames: ['a'], referencedTableName: 'uses', referencedColumnNames: ['id'] };
const refer = new TableForeignKey(REFERENCE);

describe('a table that a migration reads before it changes it', () => {
  it.each<[string, Up, string, RegExp]>([
    [
      'a check',
      (runner) => runner.createCheckConstraint('uses', new TableCheck({ expression: '"a" > 0' })),
      '(1, 0)',
      /check/i,
    ],
    [
      'a unique key',
      (runner) => runner.createUniqueConstraint('uses', new TableUnique({ columnNames: ['a'] })),
      '(1, 1), (2, 1)',
      /unique/i,
    ],
    ['NOT NULL', (runner) => runner.changeColumn('uses', 'a', columnA({ isNullable: false })), '(1, NULL)', /null/i],
    ['a foreign key', (runner) => runner.createForeignKey('uses', refer), '(1, 9)', /foreign key/i],
    [
      'a unique index',
      (runner) => runner.query('CREATE UNIQUE INDEX "late" ON "uses" ("a")'),
      '(1, 1), (2, 1)',
      /unique/i,
    ],
  ])('keeps %s', async (_, before, rows, error) => {
    const dataSource = await migrate(before, addNote);
    await expect(dataSource.query(`INSERT INTO "uses" ("id", "a") VALUES ${rows}`)).rejects.toThrow(error);
  });

  it.each<[string, (runner: QueryRunner, table: Table) => Promise<unknown>]>([
    ['addColumn', addNote],
    ['renameColumn', (runner, table) => runner.renameColumn(table, table.findColumnByName('id')!, 'key')],
    [
      'renameColumn of the column itself',
      (runner, table) => runner.renameColumn(table, table.findColumnByName('b')!, 'note'),
    ],
    ['renameTable', (runner, table) => runner.renameTable(table, 'uses_too')],
    ['dropColumn', (runner, table) => runner.dropColumn(table, 'a')],
  ])('keeps the type, the default and a column that were changed: %s', async (_, change) => {
    const before: Up = async (runner) => {
      await runner.dropIndex('uses', 'old');
      await runner.changeColumn('uses', 'b', columnB({ length: '9', default: `'longer'` }));
      await runner.query('ALTER TABLE "uses" ADD COLUMN "later" integer DEFAULT 7');
    };
    const dataSource = await migrate(before, change);
    const runner = dataSource.createQueryRunner();
    const { columns } = (await runner.getTables(['uses', 'uses_too']))[0]!; // one of both
    await runner.release();
    expect(columns.find(({ length }) => length === '9')?.default).toContain(`'longer'`);
    expect(columns.find(({ name }) => name === 'later')?.default).toContain('7');
  });

  it('has the name that the migration gives a column', async () => {
    const dataSource = await migrate(
      () => Promise.resolve(),
      async (runner, table) => {
        await runner.renameColumn(table, 'b', 'note');
        const note = table.findColumnByName('note')!; // renamed before
        await runner.changeColumn(table, note, new TableColumn({ name: 'note', type: 'text', isNullable: true }));
      },
    );
    await dataSource.query(`INSERT INTO "uses" ("id", "note") VALUES (1, 'longer')`);
    expect(await dataSource.query('SELECT "note" FROM "uses"')).toEqual([{ note: 'longer' }]);
  });

  it.each<[string, Up, (runner: QueryRunner, table: Table) => Promise<unknown>]>([
    [
      'unique key',
      (runner) => runner.createUniqueConstraint('uses', new TableUnique({ columnNames: ['a'] })),
      (runner) => runner.dropUniqueConstraint('uses', new TableUnique({ name: 'gone', columnNames: ['a'] })),
    ],
    [
      'check',
      (runner) => runner.createCheckConstraint('uses', new TableCheck({ expression: '"a" > 0' })),
      (runner) => runner.dropCheckConstraint('uses', new TableCheck({ name: 'gone', expression: '"a" > 0' })),
    ],
    [
      'foreign key',
      (runner) => runner.createForeignKey('uses', refer.clone()),
      (runner) => runner.dropForeignKey('uses', new TableForeignKey({ ...REFERENCE, name: 'gone' })),
    ],
    [
      'column',
      () => Promise.resolve(),
      (runner) => runner.dropColumn('uses', new TableColumn({ name: 'gone', type: 'integer' })),
    ],
  ])('does not drop a %s that it lacks', async (_, before, drop) => {
    await expect(migrate(before, drop)).rejects.toThrow(/gone/);
  });

  it('drops a foreign key that the migration describes without a name', async () => {
    const dataSource = await migrate(
      (runner) => runner.createForeignKey('uses', refer.clone()),
      (runner) => runner.dropForeignKey('uses', new TableForeignKey(REFERENCE)),
    );
    await dataSource.query('INSERT INTO "uses" ("id", "a") VALUES (1, 9)');
    expect(await dataSource.query('SELECT "a" FROM "uses"')).toEqual([{ a: 9 }]);
  });

  it.each<[string, (runner: QueryRunner, table: Table) => Promise<unknown>]>([
    ['dropPrimaryKey', (runner, table) => runner.dropPrimaryKey(table)],
    ['updatePrimaryKeys', (runner, table) => runner.updatePrimaryKeys(table, [columnB({})])],
    [
      'addColumn',
      (runner, table) =>
        runner.addColumn(table, new TableColumn({ name: 'part', type: 'integer', isPrimary: true, default: 1 })),
    ],
  ])('has another primary key after its column was renamed: %s', async (_, change) => {
    const dataSource = await migrate(async (runner) => {
      await runner.changeColumn('uses', 'b', columnB({ isNullable: false, length: '3' }));
      await runner.dropPrimaryKey('uses');
      await runner.createPrimaryKey('uses', ['id']);
      await runner.renameColumn('uses', 'id', 'key');
    }, change);
    const runner = dataSource.createQueryRunner();
    const { primaryColumns } = (await runner.getTable('uses'))!; // it was changed
    await runner.release();
    expect(primaryColumns.map(({ name }) => name)).not.toEqual(['key']);
  });
});
