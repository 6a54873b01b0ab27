import { describe, expect, it } from '@jest/globals';
import { Column, type DataSource, Entity, PrimaryColumn, TableColumn } from 'typeorm';
import { openTable } from '../../../src/platform/database/open-table.js';
import { INT64 } from '../../../src/platform/values/int64.column.js';
import { ENGINE } from '../../support/databases/databases.js';
import { MigratedDatabase, stepOf, type Up } from './migrated-database.js';

@Entity('bookings', { withoutRowid: true })
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

const END = ENGINE === 'sqlite' ? ' WITHOUT ROWID' : '';
const createWith =
  (check: string): Up =>
  (runner) =>
    runner.query(
      `CREATE TABLE "bookings" ("id" bigint NOT NULL PRIMARY KEY, "seats" integer NOT NULL, ${check})${END}`,
    );
const addNote: Up = (runner) =>
  runner.addColumn('bookings', new TableColumn({ name: 'note', type: 'text', isNullable: true }));

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
        'CREATE UNIQUE INDEX "u" ON "bookings" ("kind" COLLATE NOCASE)',
        'the collation, order or expression of the index "u"',
      ],
      [
        'the order of an index',
        'CREATE INDEX "u" ON "bookings" ("seats" DESC)',
        'the collation, order or expression of the index "u"',
      ],
      [
        'the second line of a condition',
        'CREATE UNIQUE INDEX "u" ON "bookings" ("kind") WHERE "kind" IS NOT NULL\n AND "seats" > 1',
        'the condition of the index "u"',
      ],
      [
        'an expression',
        'CREATE INDEX "u" ON "bookings" (lower("kind"))',
        'the collation, order or expression of the index "u"',
      ],
    ])('is refused where TypeORM would lose %s', async (_, index, what) => {
      const create: Up = async (runner) => {
        await createWith('CHECK ("seats" > 0)')(runner);
        await runner.query('ALTER TABLE "bookings" ADD COLUMN "kind" text');
        await runner.query(index);
      };
      await migrate(create);
      await expect(migrate(create, addNote)).rejects.toThrow(
        `would create the table "bookings" again without ${what}; use statements`,
      );
    });

    it.each([
      ['COLLATE', '-- that of a guest\'s child\n"kind" text COLLATE NOCASE, CHECK ("seats" > 0)', ''],
      ['DEFERRABLE', '"other" integer REFERENCES "bookings" ("id") DEFERRABLE INITIALLY DEFERRED', ''],
      ['STRICT', 'CHECK ("seats" > 0)', ' STRICT'],
    ])('is refused where TypeORM would lose %s', async (clause, columns, end) => {
      const create: Up = (runner) =>
        runner.query(`CREATE TABLE "bookings" ("id" integer PRIMARY KEY, "seats" integer NOT NULL, ${columns})${end}`);
      await expect(migrate(create, addNote)).rejects.toThrow(
        `would create the table "bookings" again without ${clause}; use statements`,
      );
    });

    it('is refused and undone where TypeORM would lose a trigger', async () => {
      const create: Up = async (runner) => {
        await createWith('CHECK ("seats" > 0)')(runner);
        await runner.query(
          `CREATE TRIGGER "few" BEFORE INSERT ON "bookings" WHEN NEW."seats" > 9 BEGIN SELECT RAISE(ABORT, 'few'); END`,
        );
      };
      await migrate(create);
      await expect(migrate(create, addNote)).rejects.toThrow(
        'would create the table "bookings" again without the trigger "few"; use statements such as ALTER TABLE "bookings" ADD COLUMN instead',
      );
      const add: Up = (runner) => runner.query('ALTER TABLE "bookings" ADD COLUMN "note" text');
      const bookings = openTable(await migrate(create, add), BookingEntity);
      await expect(bookings.insert({ seats: 10 })).rejects.toMatchObject({ message: 'few' });
    });
  }
});
