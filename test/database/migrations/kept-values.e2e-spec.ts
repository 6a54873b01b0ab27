import { describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Column, type DataSource, Entity, Table, TableColumn, type TableColumnOptions } from 'typeorm';
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
class JsonThing extends Thing {
  @Column({ type: 'simple-json' })
  value: object;
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

const columnOf = (name: string, options: Options): TableColumn => new TableColumn({ name, ...options });

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
  const change: Up = (runner) => runner.changeColumn('things', 'value', columnOf('value', options));
  return database.open([entity], [stepOf(0, create), stepOf(1, change, { transaction })]);
}

describe('a migration that gives a column another type, precision or scale', () => {
  it.each<[string, Type<Thing>, string, string, Options, unknown]>([
    ['a text in UTC', TimeThing, 'text', `'2026-01-01T00:30:00.5Z'`, TIME, new Date('2026-01-01T00:30:00.500Z')],
    ['a text without a zone', TimeThing, 'text', `'2026-01-01 00:30:00'`, TIME, new Date('2026-01-01T00:30:00Z')],
    ['a text of a day', TimeThing, 'text', `'2026-01-01'`, TIME, new Date('2026-01-01T00:00:00Z')],
    [
      'a time of another name',
      TimeThing,
      'timestamp(3)',
      `'2026-01-01 00:30:00'`,
      TIME,
      new Date('2026-01-01T00:30:00Z'),
    ],
    ['fewer zeros', AmountThing, 'numeric(12,4)', '9.8700', AMOUNT, '9.87'],
    ['more digits', AmountThing, 'numeric(9,1)', '9.8', AMOUNT, '9.80'],
    ['a short double', AmountThing, 'double precision', '1.5', AMOUNT, '1.50'],
    ['a text of a decimal', AmountThing, 'text', `'01.5'`, AMOUNT, '1.50'],
    ['an integer that a double holds', DoubleThing, 'bigint', '1152921504606846976', DOUBLE, 2 ** 60],
    ['a text of a double', DoubleThing, 'text', `'-0.10'`, DOUBLE, -0.1],
    ['a decimal', DoubleThing, 'numeric(15,15)', '0.123456789012345', DOUBLE, 0.123456789012345],
    ['a whole double', BigThing, 'double precision', '1e15', BIG, 10n ** 15n],
    ['a text that fits', ShortThing, 'varchar(40)', `'Zoë 🐈'`, SHORT, 'Zoë 🐈'],
    ['a double with all digits', DoubleThing, 'double precision', '0.30000000000000004', DOUBLE, 0.30000000000000004],
    ['the zero of a text', DoubleThing, 'text', `'-0.0'`, DOUBLE, 0],
    ['what the earlier scale rounds', AmountThing, 'numeric(9,1)', '9.87', AMOUNT, '9.90'],
    ['the smallest integer of a text', BigThing, 'text', `'-9223372036854775808'`, BIG, -(2n ** 63n)],
    ['the largest certain integer of a double', BigThing, 'double precision', '9007199254740991', BIG, 2n ** 53n - 1n],
    ['a text that is JSON', JsonThing, 'varchar(40)', `'{"a": 1.50}'`, { type: 'simple-json' }, { a: 1.5 }],
    ['a text of an integer', TextThing, 'bigint', '9007199254740993', TEXT, '9007199254740993'],
  ])('keeps %s', async (_, entity, before, stored, options, value) => {
    const things = openTable(await migrate(entity, before, stored, options), entity);
    expect(await things.find(1n)).toEqual({ id: 1n, value });
  });

  const time = `"value" of "things" cannot become ${isPostgres ? 'TIMESTAMP(3)' : 'datetime(3)'} (a value is no time in UTC with at most 3 digits of a second, such as '2026-11-25 15:00:00'); correct its values before, or `;
  const becoming = (type: string): string =>
    `"value" of "things" cannot become ${type} (it would change a value); correct its values before, or `;
  const noInteger = `"value" of "things" cannot become bigint (a value is no integer, such as '-15'); correct its values`;
  const noNumber = `"value" of "things" cannot become double precision (a value is no number of at most 15 digits without an exponent, such as '-1.5'); correct`;
  const noDecimal = `"value" of "things" cannot become numeric(12,2) (a value is no decimal of 12 digits, 2 of them after the point, such as '-1.5'); correct`;
  const uncertain = `"value" of "things" cannot become bigint (a value is no integer from -9007199254740991 to 9007199254740991); correct`;
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
    ['digits of a text', AmountThing, 'text', `'1.2345'`, AMOUNT, noDecimal],
    ['the exponent of a decimal', AmountThing, 'text', `'1e3'`, AMOUNT, noDecimal],
    [
      'an integer that no double holds',
      DoubleThing,
      'bigint',
      '9007199254740993',
      DOUBLE,
      becoming('double precision'),
    ],
    ['a text that no double holds', DoubleThing, 'text', `'9007199254740993'`, DOUBLE, noNumber],
    ['the exponent of a double', DoubleThing, 'text', `'1e23'`, DOUBLE, noNumber],
    ['a word for a number', DoubleThing, 'text', `'NaN'`, DOUBLE, noNumber],
    ['a fraction', BigThing, 'double precision', '1.5', BIG, uncertain],
    ['the digits of a double beyond 2^53', BigThing, 'double precision', '1152921504606846976', BIG, uncertain],
    ['the exponent of an integer', BigThing, 'text', `'1e3'`, BIG, noInteger],
    ['an integer in base 16', BigThing, 'text', `'0x1F'`, BIG, noInteger],
    ['a space before an integer', BigThing, 'text', `' 1'`, BIG, noInteger],
    ['a text without a value', BigThing, 'text', `''`, BIG, noInteger],
    ['the year 0', TimeThing, 'text', `'0000-01-01'`, TIME, time],
    ['spaces at the end', ShortThing, 'varchar(40)', `'hello '`, SHORT, becoming(short)],
  ])('is refused and undone where it would lose %s', async (_, entity, before, stored, options, message) => {
    await expect(migrate(entity, before, stored, options)).rejects.toThrow(message);
  });

  // A later migration would find a value that PostgreSQL refuses.
  it.each<[string, string, string, Options]>([
    ['no day', 'text', `'2026-02-30'`, TIME],
    ['no int64', 'text', `'9223372036854775808'`, BIG],
    ['too large for 32 bits', 'bigint', '2147483648', { type: 'integer' }],
    ['too large for a decimal', 'double precision', '99999999999.5', AMOUNT],
  ])(
    'is refused where a value is %s, although a later one changes the type again',
    async (_, before, stored, options) => {
      const create: Up = async (runner) => {
        await runner.query(`CREATE TABLE "things" ("id" bigint NOT NULL PRIMARY KEY, "value" ${before})${END}`);
        await runner.query(`INSERT INTO "things" VALUES (1, ${stored})`);
      };
      const change: Up = (runner) => runner.changeColumn('things', 'value', columnOf('value', options));
      const drop: Up = (runner) => runner.query('DROP TABLE "things"');
      const opened = database.open([], [stepOf(0, create), stepOf(1, change), stepOf(2, drop)]);
      await expect(opened).rejects.toThrow(
        /The column "value" of "things" cannot become .*; correct its values before/,
      );
    },
  );

  const types: Readonly<Record<string, Options>> = {
    text: TEXT,
    integer: { type: 'integer' },
    bigint: BIG,
    decimal: AMOUNT,
    double: DOUBLE,
    time: TIME,
    boolean: { type: 'boolean' },
    json: { type: 'json' },
    // SQLite stores a double, so that its digits differ.
    long: { type: 'numeric', precision: 16, scale: 2 },
    day: { type: 'date' },
    half: { type: 'smallint' },
  };
  const numbers = ['text', 'integer', 'bigint', 'decimal', 'double'];
  const converted: Readonly<Record<string, readonly string[]>> = {
    text: ['text', 'integer', 'bigint'],
    integer: numbers,
    bigint: numbers,
    decimal: numbers,
    double: numbers,
    time: ['text', 'time'],
  };

  it('is refused for each type that the engines do not convert alike, even without rows', async () => {
    const reasons: string[] = [];
    const expected: unknown[] = [];
    const change: Up = async (runner) => {
      const columns = Object.entries(types).map(([name, options]) => columnOf(name, options));
      await runner.createTable(new Table({ name: 'things', columns }));
      for (const before of Object.keys(types)) {
        for (const [after, options] of Object.entries(types)) {
          if (before === after || converted[after]?.includes(before)) continue;
          const changed = runner.changeColumn('things', before, columnOf(before, options));
          reasons.push(await changed.then(String, (error: Error) => error.message));
          expected.push(
            expect.stringMatching(
              new RegExp(
                `^The column "${before}" of "things" cannot become .*, because SQLite and PostgreSQL would not convert .* alike; add another column instead, such as "new_${before}", fill it with a statement of your own, and drop "${before}" one release later$`,
              ),
            ),
          );
        }
      }
    };
    await database.open([], [stepOf(0, change)]);
    expect(reasons).toEqual(expected);
    expect(reasons.length).toBeGreaterThan(60);
  });

  it('stays in the transaction that a statement of the migration begins', async () => {
    const create: Up = async (runner) => {
      await runner.query(`CREATE TABLE "things" ("id" bigint NOT NULL PRIMARY KEY, "value" text NOT NULL)${END}`);
    };
    const change: Up = async (runner) => {
      await runner.query('BEGIN');
      await runner.query(`INSERT INTO "things" VALUES (1, '7')`);
      await runner.changeColumn('things', 'value', columnOf('value', BIG));
      throw new Error('stopped');
    };
    const steps = [stepOf(0, create), stepOf(1, change, { transaction: false })];
    await expect(database.open([TextThing], steps)).rejects.toThrow('stopped');
    const things = openTable(await database.open([TextThing], [stepOf(0, create)]), TextThing);
    expect(await things.find(1n)).toBeUndefined();
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
