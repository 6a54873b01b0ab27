import { describe, expect, it } from '@jest/globals';
import { Column, type DataSource, Entity, PrimaryColumn, Table, TableColumn, TableUnique } from 'typeorm';
import { openTable } from '../../../src/platform/database/open-table.js';
import { INT64 } from '../../../src/platform/values/int64.column.js';
import { ENGINE } from '../../support/databases/databases.js';
import { MigratedDatabase, stepOf, type Up } from './migrated-database.js';

@Entity('test_bookings', { withoutRowid: true })
class BookingEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'integer' })
  seats: number;
}

const database = new MigratedDatabase();

/** Opens the database with these migrations. */
function migrate(...steps: readonly Up[]): Promise<DataSource> {
  const migrations = steps.map((up, index) => stepOf(index, up));
  return database.open([BookingEntity], migrations);
}

const open = (...steps: readonly Up[]): Promise<DataSource> =>
  database.open(
    [],
    steps.map((up, index) => stepOf(index, up)),
  );

const END = ENGINE === 'sqlite' ? ' WITHOUT ROWID' : '';
const createWith =
  (check: string): Up =>
  (runner) =>
    runner.query(
      `CREATE TABLE "test_bookings" ("id" bigint NOT NULL PRIMARY KEY, "seats" integer NOT NULL, ${check})${END}`,
    );
const addNote: Up = (runner) =>
  runner.addColumn('test_bookings', new TableColumn({ name: 'note', type: 'text', isNullable: true }));

describe('a migration that adds a column', () => {
  it.each([
    ['with a name', 'CONSTRAINT "seated" CHECK ("seats" > 0)'],
    ['without a name', `check ("seats" > 0 AND "seats" <> length(') ,'))`],
    ['with a collation', `CHECK ("seats" > 0 AND 'a' ${ENGINE === 'sqlite' ? 'COLLATE NOCASE' : ''} = 'a')`],
  ])('keeps the checks of its table %s', async (_, check) => {
    const bookings = openTable(await migrate(createWith(check), addNote), BookingEntity);
    expect(await bookings.insert({ seats: 1 })).toBe(1n);
    await expect(bookings.insert({ seats: 0 })).rejects.toMatchObject({
      message: expect.stringMatching(/check constraint/i),
    });
  });

  it('starts again although its class has another name', async () => {
    const steps = [createWith('CHECK ("seats" > 0)'), addNote];
    await migrate(...steps);
    expect(await openTable(await migrate(...steps), BookingEntity).insert({ seats: 1 })).toBe(1n);
  });

  if (ENGINE === 'sqlite') {
    it.each([
      [
        'the collation of an index',
        'CREATE UNIQUE INDEX "u" ON "test_bookings" ("kind" COLLATE NOCASE)',
        'the collation, order or expression of the index "u"',
      ],
      [
        'the order of an index',
        'CREATE INDEX "u" ON "test_bookings" ("seats" DESC)',
        'the collation, order or expression of the index "u"',
      ],
      [
        'the second line of a condition',
        'CREATE UNIQUE INDEX "u" ON "test_bookings" ("kind") WHERE "kind" IS NOT NULL\n AND "seats" > 1',
        'the condition of the index "u"',
      ],
      [
        'an expression',
        'CREATE INDEX "u" ON "test_bookings" (lower("kind"))',
        'the collation, order or expression of the index "u"',
      ],
    ])('is refused where TypeORM would lose %s', async (_, index, what) => {
      const create: Up = async (runner) => {
        await createWith('CHECK ("seats" > 0)')(runner);
        await runner.query('ALTER TABLE "test_bookings" ADD COLUMN "kind" text');
        await runner.query(index);
      };
      await migrate(create);
      await expect(migrate(create, addNote)).rejects.toThrow(
        `would create the table "test_bookings" again without ${what}; use statements`,
      );
    });

    it.each([
      ['COLLATE', '-- that of a guest\'s child\n"kind" text COLLATE NOCASE, CHECK ("seats" > 0)', ''],
      ['DEFERRABLE', '"other" integer REFERENCES "test_bookings" ("id") DEFERRABLE INITIALLY DEFERRED', ''],
      ['STRICT', 'CHECK ("seats" > 0)', ' STRICT'],
    ])('is refused where TypeORM would lose %s', async (clause, columns, end) => {
      const create: Up = (runner) =>
        runner.query(
          `CREATE TABLE "test_bookings" ("id" integer PRIMARY KEY, "seats" integer NOT NULL, ${columns})${end}`,
        );
      await expect(migrate(create, addNote)).rejects.toThrow(
        `would create the table "test_bookings" again without ${clause}; use statements`,
      );
    });

    it('is refused and undone where TypeORM would lose a trigger', async () => {
      const create: Up = async (runner) => {
        await createWith('CHECK ("seats" > 0)')(runner);
        await runner.query(
          `CREATE TRIGGER "few" BEFORE INSERT ON "test_bookings" WHEN NEW."seats" > 9 BEGIN SELECT RAISE(ABORT, 'few'); END`,
        );
      };
      await migrate(create);
      await expect(migrate(create, addNote)).rejects.toThrow(
        'would create the table "test_bookings" again without the trigger "few"; use statements such as ALTER TABLE "test_bookings" ADD COLUMN instead',
      );
      const add: Up = (runner) => runner.query('ALTER TABLE "test_bookings" ADD COLUMN "note" text');
      const bookings = openTable(await migrate(create, add), BookingEntity);
      await expect(bookings.insert({ seats: 10 })).rejects.toMatchObject({ message: 'few' });
    });
  }
});

describe('a migration that drops a column', () => {
  it('drops the checks and indexes that name it, and keeps the others', async () => {
    const create: Up = async (runner) => {
      await createWith('"kind" integer, "rank" integer, CHECK ("seats" > "kind"), CHECK ("seats" > "rank")')(runner);
      await runner.query('CREATE UNIQUE INDEX "first" ON "test_bookings" ("seats") WHERE "kind" > 0');
      await runner.query('CREATE UNIQUE INDEX "second" ON "test_bookings" ("seats") WHERE "rank" > 0');
      await runner.query('INSERT INTO "test_bookings" VALUES (1, 5, 2, 2)');
    };
    const dataSource = await open(create, (runner) => runner.dropColumn('test_bookings', 'kind'));
    const insert = (values: string) =>
      dataSource.query(`INSERT INTO "test_bookings" ("id", "seats", "rank") VALUES ${values}`);
    await expect(insert('(2, 1, 1)')).rejects.toThrow(/check/i);
    await expect(insert('(2, 5, 1)')).rejects.toThrow(/unique/i);
    await insert('(2, 5, 0)');
    expect(await dataSource.query('SELECT "id", "seats" FROM "test_bookings" ORDER BY "rank"')).toHaveLength(2);
  });
});

const KEY =
  ENGINE === 'sqlite'
    ? `SELECT "name" FROM pragma_table_info('pairs') WHERE "pk" > 0 ORDER BY "pk"`
    : `SELECT "attname" AS "name" FROM "pg_index", unnest("indkey") WITH ORDINALITY AS "key" ("number", "position"), "pg_attribute"
     WHERE "indrelid" = '"pairs"'::regclass AND "indisprimary" AND "attrelid" = "indrelid" AND "attnum" = "key"."number" ORDER BY "position"`;

describe('the keys of a table that a migration changes', () => {
  const columns = ['a', 'b'].map((name) => new TableColumn({ name, type: 'integer' }));
  const create: Up = (runner) => runner.createTable(new Table({ name: 'pairs', columns }));
  const addMore: Up = (runner) =>
    runner.addColumn('pairs', new TableColumn({ name: 'more', type: 'integer', isNullable: true, isUnique: true }));

  it.each<[string, Up]>([
    ['createPrimaryKey', (runner) => runner.createPrimaryKey('pairs', ['b', 'a'])],
    [
      'updatePrimaryKeys',
      async (runner) => {
        await runner.createPrimaryKey('pairs', ['a']);
        await runner.updatePrimaryKeys('pairs', columns.toReversed());
      },
    ],
    [
      'a statement',
      (runner) =>
        runner
          .query('DROP TABLE "pairs"')
          .then(() =>
            runner.query('CREATE TABLE "pairs" ("a" integer NOT NULL, "b" integer NOT NULL, PRIMARY KEY ("b", "a"))'),
          ),
    ],
  ])('have the order that %s gives the primary key', async (_, createKey) => {
    const dataSource = await open(create, createKey, addMore);
    await dataSource.query('INSERT INTO "pairs" ("a", "b") VALUES (1, 2), (1, 3)');
    await expect(dataSource.query('INSERT INTO "pairs" ("a", "b") VALUES (1, 2)')).rejects.toThrow(/unique/i);
    expect(await dataSource.query(KEY)).toEqual([{ name: 'b' }, { name: 'a' }]);
  });

  it('have their own names, by which they are dropped', async () => {
    const keys = [['a'], ['a', 'b']].map((columnNames) => new TableUnique({ columnNames }));
    const other = new TableUnique({ name: 'other_order', columnNames: ['b', 'a'] });
    const dataSource = await open(create, addMore, async (runner) => {
      await runner.createUniqueConstraints('pairs', [other, ...keys]);
      await runner.addColumn('pairs', new TableColumn({ name: 'note', type: 'text', isNullable: true }));
      for (const key of [...keys, new TableUnique({ columnNames: ['more'] })]) {
        const name = runner.dataSource.namingStrategy.uniqueConstraintName('pairs', key.columnNames);
        await runner.dropUniqueConstraint('pairs', name);
      }
    });
    await dataSource.query('INSERT INTO "pairs" ("a", "b", "more") VALUES (1, 2, 1), (1, 3, 1)');
    await expect(dataSource.query('INSERT INTO "pairs" ("a", "b") VALUES (1, 2)')).rejects.toThrow(/unique/i);
  });

  it('are refused under a name that another one has', async () => {
    const key = () => new TableUnique({ columnNames: ['a'] });
    const twice: Up = async (runner) => {
      await runner.createUniqueConstraint('pairs', key());
      await runner.createUniqueConstraint('pairs', key());
    };
    await expect(open(create, twice)).rejects.toThrow(/already/);
  });

  it('are required, even where the column was optional', async () => {
    const optional = new TableColumn({ name: 'kind', type: 'text', isNullable: true });
    const createKey: Up = async (runner) => {
      await runner.addColumn('pairs', optional);
      await runner.createPrimaryKey('pairs', ['kind']);
    };
    const dataSource = await open(create, createKey);
    await expect(dataSource.query('INSERT INTO "pairs" ("a", "b") VALUES (1, 2)')).rejects.toThrow(/null/i);
    const change: Up = (runner) => runner.changeColumn('pairs', 'kind', optional);
    await expect(open(create, createKey, change)).rejects.toThrow(/"kind".* is in .* primary key/);
  });
});
