import { describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Column, type DataSource, Entity, TableColumn, type TableColumnOptions } from 'typeorm';
import { openTable } from '../../../src/platform/database/open-table.js';
import { ENGINE } from '../../support/databases/databases.js';
import { MigratedDatabase, stepOf, type Up } from './migrated-database.js';
import { BigThing, TextThing, Thing } from './things.js';

@Entity('things', { withoutRowid: true })
class TimeThing extends Thing {
  @Column({ type: Date, precision: 3 })
  value: Date;
}

@Entity('things', { withoutRowid: true })
class AmountThing extends Thing {
  @Column({ type: 'numeric', precision: 12, scale: 2 })
  value: string;
}

@Entity('things', { withoutRowid: true })
class DoubleThing extends Thing {
  @Column({ type: 'double precision' })
  value: number;
}

@Entity('things', { withoutRowid: true })
class ShortThing extends Thing {
  @Column({ type: 'varchar', length: 5 })
  value: string;
}

const database = new MigratedDatabase();
const isPostgres = ENGINE === 'postgres';
const END = isPostgres ? '' : ' WITHOUT ROWID';

type Options = Omit<TableColumnOptions, 'name'>;

const TIME: Options = { type: isPostgres ? 'timestamp' : 'datetime', precision: 3 };
const AMOUNT: Options = { type: 'numeric', precision: 12, scale: 2 };
const DOUBLE: Options = { type: 'double precision' };
const BIG: Options = { type: 'bigint' };
const SHORT: Options = { type: 'varchar', length: '5' };
const TEXT: Options = { type: 'text' };

/** A table with a column of the earlier type and this value, and the migration that changes it. */
function migrate(
  entity: Type<Thing>,
  before: string,
  stored: string,
  options: Options,
  transaction = true,
): Promise<DataSource> {
  const create: Up = async (runner) => {
    await runner.query(`CREATE TABLE "things" ("id" bigint NOT NULL PRIMARY KEY, "value" ${before} NOT NULL)${END}`);
    await runner.query(`INSERT INTO "things" VALUES (1, ${stored})`);
  };
  const change: Up = (runner) => runner.changeColumn('things', 'value', new TableColumn({ name: 'value', ...options }));
  return database.open([entity], [stepOf(0, create), stepOf(1, change, { transaction })]);
}

describe('a migration that gives a column another type, precision or scale', () => {
  it.each<[string, Type<Thing>, string, string, Options, unknown]>([
    ['a text in UTC', TimeThing, 'text', `'2026-01-01T00:30:00.5Z'`, TIME, new Date('2026-01-01T00:30:00.500Z')],
    ['a text without a zone', TimeThing, 'text', `'2026-01-01 00:30:00'`, TIME, new Date('2026-01-01T00:30:00Z')],
    ['a text of a day', TimeThing, 'text', `'2026-01-01'`, TIME, new Date('2026-01-01T00:00:00Z')],
    ['fewer zeros', AmountThing, 'numeric(12,4)', '9.8700', AMOUNT, '9.87'],
    ['more digits', AmountThing, 'numeric(9,1)', '9.8', AMOUNT, '9.80'],
    ['a short double', AmountThing, 'double precision', '1.5', AMOUNT, '1.50'],
    ['a text of a decimal', AmountThing, 'text', `'01.5'`, AMOUNT, '1.50'],
    ['an integer that a double holds', DoubleThing, 'bigint', '1152921504606846976', DOUBLE, 2 ** 60],
    ['a text of a double', DoubleThing, 'text', `'-0.10'`, DOUBLE, -0.1],
    ['a decimal', DoubleThing, 'numeric(15,15)', '0.123456789012345', DOUBLE, 0.123456789012345],
    ['a whole double', BigThing, 'double precision', '1e15', BIG, 10n ** 15n],
    ['a text that fits', ShortThing, 'varchar(40)', `'Zoë 🐈'`, SHORT, 'Zoë 🐈'],
    ['a double with all digits', TextThing, 'double precision', '0.30000000000000004', TEXT, '0.30000000000000004'],
    ['a text of an integer', TextThing, 'bigint', '9007199254740993', TEXT, '9007199254740993'],
  ])('keeps %s', async (_, entity, before, stored, options, value) => {
    const things = openTable(await migrate(entity, before, stored, options), entity);
    expect(await things.find(1n)).toEqual({ id: 1n, value });
  });

  const time = `"value" of "things" cannot become ${isPostgres ? 'TIMESTAMP(3)' : 'datetime(3)'} (a value is no time in UTC with at most 3 digits of a second, such as '2026-11-25 15:00:00'); correct its values before, or `;
  const becoming = (type: string): string =>
    `"value" of "things" cannot become ${type} (it would change a value); correct its values before, or `;
  const short = isPostgres ? 'character varying(5)' : 'varchar(5)';

  it.each<[string, Type<Thing>, string, string, Options, string]>([
    ['the offset of a text', TimeThing, 'text', `'2026-01-01T00:30:00+02:00'`, TIME, time],
    ['a short offset', TimeThing, 'text', `'2026-01-01 00:30:00+02'`, TIME, time],
    ['an offset that is none', TimeThing, 'text', `'2026-01-01T00:30:00+00:00'`, TIME, time],
    ['the zone of a text', TimeThing, 'text', `'2026-01-01 00:30:00 PST'`, TIME, time],
    ['a word for a time', TimeThing, 'text', `'today'`, TIME, time],
    ['the end of a day', TimeThing, 'text', `'2026-01-01 24:00:00'`, TIME, time],
    ['digits of a second', TimeThing, 'text', `'2026-01-01 00:30:00.1234'`, TIME, time],
    ['digits of a decimal', AmountThing, 'numeric(12,4)', '9.8765', AMOUNT, becoming('numeric(12,2)')],
    ['digits of a double', AmountThing, 'double precision', '1.2345', AMOUNT, becoming('numeric(12,2)')],
    ['digits of a text', AmountThing, 'text', `'1.2345'`, AMOUNT, becoming('numeric(12,2)')],
    [
      'an integer that no double holds',
      DoubleThing,
      'bigint',
      '9007199254740993',
      DOUBLE,
      becoming('double precision'),
    ],
    ['a text that no double holds', DoubleThing, 'text', `'9007199254740993'`, DOUBLE, becoming('double precision')],
    ['a fraction', BigThing, 'double precision', '1.5', BIG, becoming('bigint')],
    ['spaces at the end', ShortThing, 'varchar(40)', `'hello '`, SHORT, becoming(short)],
  ])('is refused and undone where it would lose %s', async (_, entity, before, stored, options, message) => {
    await expect(migrate(entity, before, stored, options)).rejects.toThrow(message);
  });

  it('is refused before it changes anything where it has no transaction', async () => {
    const lost = migrate(AmountThing, 'numeric(12,4)', '9.8765', AMOUNT, false);
    await expect(lost).rejects.toThrow('(it would change a value)');
    const values: unknown[] = [];
    const look: Up = async (runner) => values.push(await runner.query('SELECT "value" FROM "things"'));
    await database.open([], [stepOf(0, 'SELECT 1'), stepOf(2, look)]);
    expect(values).toEqual([[{ value: isPostgres ? '9.8765' : 9.8765 }]]);
  });

  if (isPostgres) {
    it('is refused where a time would lose digits of its second', async () => {
      const lost = migrate(TimeThing, 'timestamp(6)', `'2026-01-01 00:30:00.1234'`, TIME);
      await expect(lost).rejects.toThrow(becoming('TIMESTAMP(3)'));
    });
  }
});
