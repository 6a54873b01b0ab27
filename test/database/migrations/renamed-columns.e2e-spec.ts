import { describe, expect, it } from '@jest/globals';
import { type DataSource, type QueryRunner, Table, TableColumn, TableIndex } from 'typeorm';
import { ENGINE } from '../../support/databases/databases.js';
import { MigratedDatabase, stepOf, type Up } from './migrated-database.js';

const database = new MigratedDatabase();
const isPostgres = ENGINE === 'postgres';

function migrate(...steps: readonly (Up | string)[]): Promise<DataSource> {
  return database.open(
    [],
    steps.map((up, index) => stepOf(index, up)),
  );
}

const text = (name: string, isNullable = true): TableColumn => new TableColumn({ name, type: 'text', isNullable });
const nullable = new TableColumn({ name: 'value', type: 'varchar', length: '5', isNullable: true });

const THINGS = `CREATE TABLE "things" ("id" integer PRIMARY KEY, "value" varchar(5) NOT NULL CONSTRAINT "one" UNIQUE)`;
const INSERT = `INSERT INTO "things" ("id", "value") VALUES (1, 'a')`;

/** Two rows that each refer to a pair. */
const PAIRS: Up = async (runner) => {
  await runner.query(`CREATE TABLE "pairs" ("x" integer, "y" integer, PRIMARY KEY ("x", "y"))`);
  await runner.query(`INSERT INTO "pairs" VALUES (1, 2), (3, 4)`);
  await runner.query(
    `CREATE TABLE "uses" ("id" integer PRIMARY KEY, "a" integer, "b" integer, FOREIGN KEY ("a", "b") REFERENCES "pairs" ("x", "y"))`,
  );
};

/** Keys without a name. */
const REFERENCES: Up = async (runner) => {
  await runner.query('CREATE TABLE "ones" ("id" integer PRIMARY KEY)');
  await runner.query('CREATE TABLE "twos" ("id" integer PRIMARY KEY)');
  await runner.query(
    'CREATE TABLE "uses" ("id" integer PRIMARY KEY, "a" integer REFERENCES "ones" ("id"), "b" integer REFERENCES "twos" ("id"))',
  );
};

const CHECKED: Up = async (runner) => {
  await runner.query(
    `CREATE TABLE "checked" ("id" integer NOT NULL PRIMARY KEY, "up" integer REFERENCES "checked" ("id"), "x" integer, "y" integer, CHECK ("x" < "y"))`,
  );
  await runner.query('CREATE UNIQUE INDEX "large_x" ON "checked" ("x") WHERE "x" > 2');
  await runner.query('CREATE TABLE "others" ("up" integer REFERENCES "checked" ("id") ON DELETE CASCADE)');
  await runner.query('INSERT INTO "checked" VALUES (1, NULL, 1, 2)');
  await runner.query('INSERT INTO "others" VALUES (1)');
};

const integer = (name: string): TableColumn => new TableColumn({ name, type: 'integer' });

const FOREIGN_KEY = /foreign key constraint/i;

describe('renameColumn in a migration', () => {
  it.each<[string, (runner: QueryRunner) => Promise<Table | string>]>([
    ['by the name of the table', () => Promise.resolve('things')],
    ['by the table', async (runner) => (await runner.getTable('things'))!], // created before
  ])('keeps what changeColumn has changed before, %s', async (_, tableOf) => {
    const dataSource = await migrate(THINGS, async (runner) => {
      const table = await tableOf(runner);
      await runner.changeColumn(table, 'value', nullable);
      await runner.renameColumn(table, 'value', 'text');
      await runner.changeColumn(table, 'text', text('text'));
      await runner.renameColumn(table, 'text', 'note');
    });
    await dataSource.query('INSERT INTO "things" ("id", "note") VALUES (1, NULL)');
    await dataSource.query(`INSERT INTO "things" ("id", "note") VALUES (2, 'longer than five')`);
    expect(await dataSource.query('SELECT * FROM "things" ORDER BY "id"')).toEqual([
      { id: 1, note: null },
      { id: 2, note: 'longer than five' },
    ]);
  });

  it('finds a column that a statement has added', async () => {
    const dataSource = await migrate(THINGS, async (runner) => {
      await runner.getTable('things');
      await runner.query('ALTER TABLE "things" ADD COLUMN "later" text');
      await runner.renameColumn('things', 'later', 'note');
    });
    await dataSource.query(`INSERT INTO "things" VALUES (1, 'a', 'kept')`);
    expect(await dataSource.query('SELECT "note" FROM "things"')).toEqual([{ note: 'kept' }]);
  });

  it('keeps the order of the columns of a foreign key', async () => {
    const dataSource = await migrate(PAIRS, (runner) => runner.renameColumn('uses', 'a', 'c'));
    await dataSource.query('INSERT INTO "uses" ("id", "c", "b") VALUES (1, 1, 2)');
    await expect(dataSource.query('INSERT INTO "uses" ("id", "c", "b") VALUES (2, 2, 1)')).rejects.toThrow(FOREIGN_KEY);
  });

  it('renames the column in checks, in conditions of indexes, and in what others refer to', async () => {
    const dataSource = await migrate(CHECKED, async (runner) => {
      await runner.renameColumn('checked', 'x', 'z');
      await runner.renameColumn('checked', 'id', 'key');
    });
    const insert = (values: string) =>
      dataSource.query(`INSERT INTO "checked" ("key", "up", "z", "y") VALUES ${values}`);
    await insert('(2, 1, 3, 4)');
    await expect(insert('(3, NULL, 6, 5)')).rejects.toThrow(/check/i);
    await expect(insert('(3, 99, 6, 7)')).rejects.toThrow(FOREIGN_KEY);
    await expect(insert('(3, NULL, 3, 8)')).rejects.toThrow(/unique/i);
    await insert('(3, NULL, 1, 8)');
    await expect(dataSource.query('INSERT INTO "others" VALUES (4)')).rejects.toThrow(FOREIGN_KEY);
    await dataSource.query('DELETE FROM "checked" WHERE "key" = 2');
    expect(await dataSource.query('SELECT * FROM "others"')).toEqual([{ up: 1 }]);
  });

  it('keeps the name of an index whose condition names no column by that name', async () => {
    const dataSource = await migrate(CHECKED, async (runner) => {
      await runner.createIndex('checked', new TableIndex({ columnNames: ['x'], where: '"y" > 0' }));
      const name = (await runner.getTable('checked'))!.indices.find(({ columnNames }) => columnNames[0] === 'x')!.name!; // just created
      await runner.renameColumn('checked', 'x', 'z');
      await runner.dropIndex('checked', name);
    });
    expect(await dataSource.query('SELECT "z" FROM "checked"')).toEqual([{ z: 1 }]);
  });

  if (!isPostgres) {
    it('is refused for names that are exchanged', async () => {
      const exchange: Up = (runner) =>
        runner.changeColumns('uses', [
          { oldColumn: integer('a'), newColumn: integer('b') },
          { oldColumn: integer('b'), newColumn: integer('a') },
        ]);
      await expect(migrate(PAIRS, exchange)).rejects.toThrow(
        'The column "a" of "uses" cannot be renamed to "b", which is another column; rename that one before, by a call of its own',
      );
    });
  }
});

describe('changeColumn in a migration', () => {
  it('keeps a unique key that the new column does not name', async () => {
    const dataSource = await migrate(THINGS, INSERT, (runner) =>
      runner.changeColumn('things', 'value', text('value', false)),
    );
    await expect(dataSource.query(`INSERT INTO "things" ("id", "value") VALUES (2, 'a')`)).rejects.toThrow(/unique/i);
  });

  it('keeps a primary key that the new column does not name', async () => {
    const dataSource = await migrate(THINGS, INSERT, (runner) =>
      runner.changeColumn('things', 'id', new TableColumn({ name: 'id', type: 'bigint' })),
    );
    await expect(dataSource.query(`INSERT INTO "things" ("id", "value") VALUES (1, 'b')`)).rejects.toThrow(/unique/i);
  });

  it('is undone where it fails without a transaction, and runs again', async () => {
    const before: Up = async (runner) => {
      await runner.query('CREATE TABLE "things" ("id" integer PRIMARY KEY, "value" text)');
      await runner.query('CREATE INDEX "by_value" ON "things" ("value")');
      await runner.query('INSERT INTO "things" ("id") VALUES (1)');
    };
    const require: Up = (runner) => runner.changeColumn('things', 'value', text('value', false));
    const steps = [stepOf(0, before), stepOf(1, `SELECT 1`), stepOf(2, require, { transaction: false })];
    await expect(database.open([], steps)).rejects.toThrow(/null/i);
    const mend: Up = async (runner) => {
      await runner.query(`UPDATE "things" SET "value" = 'a'`);
      await require(runner);
      await runner.query('DROP INDEX "by_value"');
    };
    const dataSource = await database.open([], [...steps.slice(0, 2), stepOf(2, mend, { transaction: false })]);
    expect(await dataSource.query('SELECT * FROM "things"')).toEqual([{ id: 1, value: 'a' }]);
  });
});

describe('addColumn in a migration', () => {
  it('may be called again with a table that createTable made', async () => {
    const dataSource = await migrate(async (runner) => {
      const table = new Table({ name: 'things', columns: [new TableColumn({ name: 'id', type: 'integer' })] });
      await runner.createTable(table);
      await runner.addColumn(table, text('one'));
      await runner.getTable('migrations');
      await runner.addColumn(table, text('two'));
    });
    await dataSource.query(`INSERT INTO "things" VALUES (1, 'a', 'b')`);
    expect(await dataSource.query('SELECT * FROM "things"')).toEqual([{ id: 1, one: 'a', two: 'b' }]);
  });
});

describe('dropForeignKey in a migration', () => {
  it('drops the key of the column, although none has a name', async () => {
    const dataSource = await migrate(REFERENCES, async (runner) => {
      const { foreignKeys } = (await runner.getTable('uses'))!; // created before
      await runner.dropForeignKey(
        'uses',
        foreignKeys.find(({ columnNames }) => columnNames[0] === 'a')!,
      ); // one of two
    });
    await dataSource.query('INSERT INTO "uses" ("id", "a") VALUES (1, 7)');
    await expect(dataSource.query('INSERT INTO "uses" ("id", "b") VALUES (2, 7)')).rejects.toThrow(FOREIGN_KEY);
  });
});
