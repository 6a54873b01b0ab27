import { describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Column, type DataSource, Entity, PrimaryColumn, Table, TableColumn, type TableColumnOptions } from 'typeorm';
import { openTable } from '../../../src/platform/database/open-table.js';
import { INT64 } from '../../../src/platform/values/int64.column.js';
import { ENGINE } from '../../support/databases/databases.js';
import { MigratedDatabase, stepOf, type Up } from './migrated-database.js';
/** A row of the table whose column `value` a migration changes. */
abstract class Thing {
  @PrimaryColumn(INT64)
  id: bigint;
}

@Entity('things', { withoutRowid: true })
class TextThing extends Thing {
  @Column({ type: 'text' })
  value: string;
}

@Entity('things', { withoutRowid: true })
class BigThing extends Thing {
  @Column(INT64)
  value: bigint;
}

@Entity('things', { withoutRowid: true })
class LongerThing extends Thing {
  @Column({ type: 'varchar', length: 40 })
  value: string;
}

@Entity('things', { withoutRowid: true })
class OptionalThing extends Thing {
  @Column({ type: 'varchar', length: 5, nullable: true })
  value: string | null;
}

@Entity('things', { withoutRowid: true })
class AmountThing extends Thing {
  @Column({ type: 'numeric', precision: 12, scale: 3 })
  value: string;
}

@Entity('things', { withoutRowid: true })
class TimeThing extends Thing {
  @Column({ type: Date, precision: 3, nullable: true })
  value: Date | null;
}

@Entity('things', { withoutRowid: true })
class JsonThing extends Thing {
  @Column({ type: 'simple-json', nullable: true })
  value: object | null;
}

type Options = Omit<TableColumnOptions, 'name'>;

const database = new MigratedDatabase();
const isPostgres = ENGINE === 'postgres';
const END = isPostgres ? '' : ' WITHOUT ROWID';
const TIME = isPostgres ? 'timestamp' : 'datetime';

const CAPITALS: Options = { type: TIME.toUpperCase(), precision: 3 };
const MIDNIGHT = new Date('2026-01-01T00:00:00.000Z');

const columnOf = (name: string, options: Options): TableColumn => new TableColumn({ name, ...options });

/** A release earlier: the table, with an index and a row. */
const create =
  (column: string, value?: string): Up =>
  async (runner) => {
    await runner.query(`CREATE TABLE "things" ("id" bigint NOT NULL PRIMARY KEY, "value" ${column})${END}`);
    await runner.query('CREATE INDEX "things_by_value" ON "things" ("value", "id")');
    if (value !== undefined) await runner.query(`INSERT INTO "things" VALUES (1, ${value})`);
  };

const change =
  (options: Options): Up =>
  (runner) =>
    runner.changeColumn('things', 'value', columnOf('value', options));

function migrate(entity: Type<Thing>, ...steps: readonly Up[]): Promise<DataSource> {
  const migrations = steps.map((up, index) => stepOf(index, up));
  return database.open([entity], migrations);
}

const INDEXES = isPostgres
  ? `SELECT "indexname" AS "name" FROM "pg_indexes" WHERE "indexname" = 'things_by_value'`
  : `SELECT "name" FROM "sqlite_schema" WHERE "type" = 'index' AND "name" = 'things_by_value'`;

const refusal = (types: string, column = 'value'): string =>
  `The column "${column}" of "things" cannot change ${types}, because changeColumn only makes a text longer, an integer a bigint, or gives a decimal more digits; add another column instead, such as "new_${column}", fill it with a statement, and drop "${column}" one release later`;

const FIVE = isPostgres ? 'character varying(5)' : 'varchar(5)';
const FORTY = isPostgres ? 'character varying(40)' : 'varchar(40)';

describe('changeColumn in a migration', () => {
  it.each<[string, Type<Thing>, string, string, Options, unknown]>([
    ['a longer text', LongerThing, 'varchar(5) NOT NULL', `'hello'`, { type: 'varchar', length: '40' }, 'hello'],
    ['a text without limit', TextThing, 'varchar(5) NOT NULL', `'hello'`, { type: 'text' }, 'hello'],
    ['the same text by another name', TextThing, 'varchar NOT NULL', `'hello'`, { type: 'text' }, 'hello'],
    [
      'the same text that may be null',
      OptionalThing,
      'varchar(5) NOT NULL',
      `'hello'`,
      { type: 'varchar', length: '5', isNullable: true },
      'hello',
    ],
    ['a type in capitals', LongerThing, 'VARCHAR (5) NOT NULL', `'hello'`, { type: 'VARCHAR', length: '40' }, 'hello'],
    [
      'a time in capitals',
      TimeThing,
      'timestamp(3) NOT NULL',
      `'2026-01-01'`,
      { ...CAPITALS, isNullable: true },
      MIDNIGHT,
    ],
    ['digits in the name', AmountThing, 'numeric(12,3) NOT NULL', '9.87', { type: 'numeric(12,3)' }, '9.870'],
    [
      'digits with a blank between them',
      AmountThing,
      'decimal(11 ,2) NOT NULL',
      '9.87',
      { type: 'decimal', precision: 12, scale: 3 },
      '9.870',
    ],
    ['a larger integer', BigThing, 'integer NOT NULL', '7', { type: 'bigint' }, 7n],
    ['a larger integer with a default', BigThing, 'int NOT NULL DEFAULT 3', '7', { type: 'int8', default: 3 }, 7n],
    [
      'a decimal with more digits',
      AmountThing,
      'numeric(11,2) NOT NULL',
      '-9.87',
      { type: 'numeric', precision: 12, scale: 3 },
      '-9.870',
    ],
    [
      'the same time that may be null',
      TimeThing,
      'timestamp(3) NOT NULL',
      `'2026-01-01 00:30:00.500'`,
      { type: TIME, precision: 3, isNullable: true },
      new Date('2026-01-01T00:30:00.500Z'),
    ],
    [
      'the same JSON that may be null',
      JsonThing,
      'text NOT NULL',
      `'{"a": 1.50}'`,
      { type: 'simple-json', isNullable: true },
      { a: 1.5 },
    ],
  ])('keeps the values and the index: %s', async (_, entity, before, stored, options, value) => {
    const dataSource = await migrate(entity, create(before, stored), change(options));
    const things = openTable(dataSource, entity);
    expect(await things.find(1n)).toEqual({ id: 1n, value });
    expect(await dataSource.query(INDEXES)).toEqual([{ name: 'things_by_value' }]);
    expect(await things.find(await things.insert({ value } as never))).toEqual({ id: 2n, value }); // of any of the entities
  });

  it('keeps the values under another name as well', async () => {
    const createOther: Up = async (runner) => {
      await runner.query(`CREATE TABLE "things" ("id" bigint NOT NULL PRIMARY KEY, "text" varchar(5) NOT NULL)${END}`);
      await runner.query(`INSERT INTO "things" VALUES (1, 'hello')`);
    };
    const rename: Up = (runner) =>
      runner.changeColumns('things', [
        {
          oldColumn: columnOf('text', { type: 'varchar', length: '5' }),
          newColumn: columnOf('value', { type: 'varchar', length: '40' }),
        },
      ]);
    const dataSource = await migrate(LongerThing, createOther, rename);
    expect(await openTable(dataSource, LongerThing).find(1n)).toEqual({ id: 1n, value: 'hello' });
  });

  const types: Readonly<Record<string, Options>> = {
    text: { type: 'text' },
    forty: { type: 'varchar', length: '40' },
    five: { type: 'varchar', length: '5' },
    integer: { type: 'integer' },
    bigint: { type: 'bigint' },
    double: { type: 'double precision' },
    amount: { type: 'numeric', precision: 12, scale: 2 },
    exact: { type: 'numeric', precision: 13, scale: 3 },
    rounded: { type: 'numeric', precision: 13, scale: 1 },
    // SQLite stores a double, so that its digits differ.
    long: { type: 'numeric', precision: 16, scale: 2 },
    time: { type: TIME, precision: 3 },
    day: { type: 'date' },
    boolean: { type: 'boolean' },
    json: { type: 'json' },
    half: { type: 'smallint' },
  };
  const widened: Readonly<Record<string, readonly string[]>> = {
    five: ['forty', 'text'],
    forty: ['text'],
    integer: ['bigint'],
    amount: ['exact'],
  };

  it('is refused for each other type, even without rows', async () => {
    const [refused, expected]: [string[], string[]] = [[], []];
    const changeAll: Up = async (runner) => {
      const columns = Object.entries(types).map(([name, options]) => columnOf(name, options));
      await runner.createTable(new Table({ name: 'things', columns }));
      for (const before of Object.keys(types)) {
        for (const [after, options] of Object.entries(types)) {
          if (before === after || widened[before]?.includes(after)) continue;
          const changed = runner.changeColumn('things', before, columnOf(before, options));
          refused.push(
            await changed.then(String, (error: Error) => error.message.replace(/ from .*, because/, ', because')),
          );
          expected.push(refusal('', before).replace(' ,', ','));
        }
      }
    };
    await database.open([], [stepOf(0, changeAll)]);
    expect(refused).toEqual(expected);
    expect(refused).toHaveLength(15 * 14 - 5);
  });

  it.each<[string, string, Options, string]>([
    [
      'a shorter text',
      'varchar(40)',
      { type: 'varchar', length: '5' },
      `from ${FORTY} to ${isPostgres ? 'varchar(5)' : FIVE}`,
    ],
    ['an enum', 'text', { type: 'varchar', enum: ['a', 'b'] }, 'from text to varchar, an enum'],
    [
      'a type of values',
      'text',
      { type: 'simple-enum', enum: ['a', 'b'] },
      `from text to ${isPostgres ? 'simple-enum' : 'varchar'}, an enum`,
    ],
    ['a UUID', 'text', { type: 'uuid' }, 'from text to uuid'],
    ['an array', 'text', { type: 'text', isArray: true }, 'from text to text array'],
    [
      'a generated text',
      'varchar(5)',
      { type: 'varchar', length: '5', generatedType: 'STORED', asExpression: `'other'` },
      `from ${FIVE} to ${isPostgres ? 'varchar(5)' : FIVE}, generated as 'other'`,
    ],
  ])('is refused and undone for %s', async (_, before, options, message) => {
    const step = create(before, `'hello'`);
    await expect(migrate(TextThing, step, change(options))).rejects.toThrow(refusal(message));
    const values: unknown[] = [];
    const look: Up = async (runner) => values.push(await runner.query('SELECT "value" FROM "things"'));
    await database.open([], [stepOf(0, step), stepOf(1, look)]);
    expect(values).toEqual([[{ value: 'hello' }]]);
  });

  it('is refused by the type in the database, not by the one that the caller says', async () => {
    const lie: Up = (runner) =>
      runner.changeColumn(
        'things',
        columnOf('value', { type: 'varchar', length: '5' }),
        columnOf('value', { type: 'varchar', length: '5' }),
      );
    await expect(migrate(OptionalThing, create('varchar(40)', `'hello world'`), lie)).rejects.toThrow(
      `The column "value" of "things" cannot change from ${FORTY} to `,
    );
  });

  it('is refused for a column that does not exist', async () => {
    const other: Up = (runner) =>
      runner.changeColumn('things', columnOf('other', { type: 'text' }), columnOf('other', { type: 'text' }));
    await expect(migrate(TextThing, create('text'), other)).rejects.toThrow(/column "other"/i);
  });

  it('sees what a statement has changed since TypeORM read the table', async () => {
    const changeAfter: Up = async (runner) => {
      await runner.getTable('things');
      await runner.query(`ALTER TABLE "things" ADD COLUMN "note" varchar(5)`);
      await runner.query(`UPDATE "things" SET "note" = 'kept'`);
      await change({ type: 'text' })(runner);
      await runner.changeColumn('things', 'note', columnOf('note', { type: 'text', isNullable: true }));
      notes.push(await runner.query('SELECT "value", "note" FROM "things"'));
    };
    const notes: unknown[] = [];
    await migrate(TextThing, create('varchar(5) NOT NULL', `'hello'`), changeAfter);
    expect(notes).toEqual([[{ value: 'hello', note: 'kept' }]]);
  });

  it('stays in the transaction that a statement of the migration begins', async () => {
    const step = create('varchar(5) NOT NULL');
    const changeAndThrow: Up = async (runner) => {
      await runner.query('BEGIN');
      await runner.query(`INSERT INTO "things" VALUES (1, 'hello')`);
      await change({ type: 'text' })(runner);
      throw new Error('stopped');
    };
    const steps = [stepOf(0, step), stepOf(1, changeAndThrow, { transaction: false })];
    await expect(database.open([], steps)).rejects.toThrow('stopped');
    const dataSource = await migrate(TextThing, step, change({ type: 'text' }));
    expect(await openTable(dataSource, TextThing).find(1n)).toBeUndefined();
  });

  if (ENGINE === 'sqlite') {
    // PostgreSQL refuses them when a statement stores them, or rounds them.
    it.each<[string, string, string, Options, string]>([
      ['a text that is too long', 'varchar(5)', `'hello world'`, { type: 'text' }, 'text of at most 5 characters'],
      [
        'a text that is too long for a type with its length in the name',
        'character varying(5)',
        `'hello world'`,
        { type: 'text' },
        'text of at most 5 characters',
      ],
      ['a text', 'integer', `'seven'`, { type: 'bigint' }, 'an integer of 32 bits'],
      ['an integer of 64 bits', 'integer', '2147483648', { type: 'bigint' }, 'an integer of 32 bits'],
      [
        'a decimal with more digits',
        'numeric(9,1)',
        '9.87',
        { type: 'numeric', precision: 12, scale: 3 },
        'a decimal of 9 digits, 1 of them after the point',
      ],
    ])('is refused where a statement has stored %s', async (_, before, stored, options, form) => {
      const opened = database.open([], [stepOf(0, create(before, stored)), stepOf(1, change(options))]);
      await expect(opened).rejects.toThrow(
        `The column "value" of "things" has a value that is not ${form}; correct its values before you change its type`,
      );
    });
  }
});
