import { describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Column, type DataSource, Entity, TableColumn, type TableColumnOptions } from 'typeorm';
import { openTable } from '../../../src/platform/database/open-table.js';
import { ENGINE } from '../../support/databases/databases.js';
import { MigratedDatabase, stepOf, type Up } from './migrated-database.js';
import { BigThing, TextThing, Thing } from './things.js';

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
class NumberThing extends Thing {
  @Column({ type: 'integer' })
  value: number;
}

const database = new MigratedDatabase();

function migrate(entity: Type<Thing>, ...steps: readonly Up[]): Promise<DataSource> {
  const migrations = steps.map((up, index) => stepOf(index, up));
  return database.open([entity], migrations);
}

const END = ENGINE === 'sqlite' ? ' WITHOUT ROWID' : '';

/** A release earlier: the table, with an index and a row. */
const create =
  (column: string, value?: string): Up =>
  async (runner) => {
    await runner.query(`CREATE TABLE "things" ("id" bigint NOT NULL PRIMARY KEY, "value" ${column})${END}`);
    await runner.query('CREATE INDEX "things_by_value" ON "things" ("value", "id")');
    if (value !== undefined) await runner.query(`INSERT INTO "things" VALUES (1, ${value})`);
  };

const change =
  (options: Omit<TableColumnOptions, 'name'>): Up =>
  (runner) =>
    runner.changeColumn('things', 'value', new TableColumn({ name: 'value', ...options }));

const INDEXES =
  ENGINE === 'sqlite'
    ? `SELECT "name" FROM "sqlite_schema" WHERE "type" = 'index' AND "name" = 'things_by_value'`
    : `SELECT "indexname" AS "name" FROM "pg_indexes" WHERE "indexname" = 'things_by_value'`;

describe('a migration that changes the type of a column', () => {
  it.each<[string, Type<Thing>, string, string, Omit<TableColumnOptions, 'name'>, unknown]>([
    ['a longer text', LongerThing, 'varchar(5) NOT NULL', `'hello'`, { type: 'varchar', length: '40' }, 'hello'],
    ['a text without limit', TextThing, 'varchar(5) NOT NULL', `'hello'`, { type: 'text' }, 'hello'],
    [
      'the same text that may be null',
      OptionalThing,
      'varchar(5) NOT NULL',
      `'hello'`,
      { type: 'varchar', length: '5', isNullable: true },
      'hello',
    ],
    ['a larger integer', BigThing, 'integer NOT NULL', '7', { type: 'bigint' }, 7n],
    [
      'a larger integer with a default',
      BigThing,
      'integer NOT NULL DEFAULT 3',
      '7',
      { type: 'bigint', default: 3 },
      7n,
    ],
    ['an integer', NumberThing, `text NOT NULL DEFAULT 'none'`, `'7'`, { type: 'integer' }, 7],
    ['a text of an integer', TextThing, 'integer NOT NULL', '7', { type: 'text' }, '7'],
  ])('keeps its values and its index: %s', async (_, entity, before, stored, options, value) => {
    const dataSource = await migrate(entity, create(before, stored), change(options));
    const things = openTable(dataSource, entity);
    expect(await things.find(1n)).toEqual({ id: 1n, value });
    expect(await dataSource.query(INDEXES)).toEqual([{ name: 'things_by_value' }]);
    expect(await things.find(await things.insert({ value } as never))).toEqual({ id: 2n, value }); // of any of the entities
  });

  it('keeps the values under another name as well', async () => {
    const rename: Up = async (runner) => {
      const table = (await runner.getTable('things'))!; // created before
      const note = new TableColumn({ name: 'value', type: 'varchar', length: '40' });
      await runner.changeColumns('things', [{ oldColumn: table.findColumnByName('text')!, newColumn: note }]); // created before
    };
    const createOther: Up = async (runner) => {
      await runner.query(`CREATE TABLE "things" ("id" bigint NOT NULL PRIMARY KEY, "text" varchar(5) NOT NULL)${END}`);
      await runner.query(`INSERT INTO "things" VALUES (1, 'hello')`);
    };
    const dataSource = await migrate(LongerThing, createOther, rename);
    expect(await openTable(dataSource, LongerThing).find(1n)).toEqual({ id: 1n, value: 'hello' });
  });

  it('converts a column of an empty table', async () => {
    const dataSource = await migrate(NumberThing, create('text NOT NULL'), change({ type: 'integer' }));
    expect(await openTable(dataSource, NumberThing).insert({ value: 7 })).toBe(1n);
  });

  it('is refused and undone where the new type does not hold a value', async () => {
    const step = create('text NOT NULL', `'hello'`);
    await migrate(TextThing, step);
    await expect(migrate(NumberThing, step, change({ type: 'integer' }))).rejects.toThrow(
      `The column "value" of "things" cannot become integer (a value is no integer, such as '-15'); correct its values before, or`,
    );
    expect(await openTable(await migrate(TextThing, step), TextThing).find(1n)).toEqual({ id: 1n, value: 'hello' });
  });

  if (ENGINE === 'postgres') {
    it('is refused and undone where the new length would cut off text', async () => {
      const step = create('text NOT NULL', `'hello world'`);
      await expect(migrate(OptionalThing, step, change({ type: 'varchar', length: '5' }))).rejects.toThrow(
        'The column "value" of "things" cannot become character varying(5) (value too long for type character varying(5)); correct its values before',
      );
    });

    it('is refused and undone where a generated column would replace the values', async () => {
      const step = create('varchar(40) NOT NULL', `'hello'`);
      const generated = change({ type: 'varchar', length: '40', generatedType: 'STORED', asExpression: `'other'` });
      await expect(migrate(LongerThing, step, generated)).rejects.toThrow(
        'This change would drop the column "value" of "things" and its values; add another column instead, such as "new_value", and fill it with UPDATE',
      );
      expect(await openTable(await migrate(LongerThing, step), LongerThing).find(1n)).toMatchObject({ value: 'hello' });
    });
  }
});
