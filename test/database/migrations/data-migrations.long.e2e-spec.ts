import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import {
  Column,
  type DataSource,
  Entity,
  ForeignKey,
  Index,
  type MigrationInterface,
  PrimaryColumn,
  type QueryRunner,
  TableColumn,
  TableForeignKey,
} from 'typeorm';
import { openTable } from '../../../src/platform/database/open-table.js';
import { AppendOnly } from '../../../src/platform/database/tables/columns/append-only.decorator.js';
import type { KeysetTable } from '../../../src/platform/database/tables/keyset-table.js';
import { INT64 } from '../../../src/platform/values/int64.column.js';
import { ENGINE, onServer } from '../../support/databases/databases.js';
import { MigratedDatabase, nameOfStep, type Up } from './migrated-database.js';

@Entity('events', { withoutRowid: true })
@Index('events_by_time', ['at', 'id'])
class EventEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ ...INT64, nullable: true })
  big: bigint | null;

  @Column({ type: Date, precision: 3 })
  at: Date;

  @Column({ type: 'numeric', precision: 10, scale: 2, nullable: true })
  amount: string | null;

  @Column({ type: 'boolean', nullable: true })
  flag: boolean | null;

  @Column({ type: 'integer', nullable: true })
  count: number | null;

  @Column({ type: 'double precision', nullable: true })
  ratio: number | null;

  @Column({ type: 'text', nullable: true })
  note: string | null;

  @Column({ type: 'json', nullable: true })
  data: unknown;

  @Column({ type: 'varchar', length: 5, nullable: true })
  short: string | null;
}

@Entity('parts', { withoutRowid: true })
class PartEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @ForeignKey(() => EventEntity)
  @Column({ ...INT64, nullable: true })
  eventId: bigint | null;
}

const isPostgres = ENGINE === 'postgres';
const TIME = isPostgres ? 'timestamp(3)' : 'datetime(3)';

const CREATE = `CREATE TABLE "events" ("id" bigint NOT NULL PRIMARY KEY, "big" bigint, "at" ${TIME} NOT NULL DEFAULT '2026-01-01 00:00:00.000', "amount" numeric(10,2),
  "flag" boolean, "count" integer, "ratio" double precision, "note" text, "data" json, "short" varchar(5))${isPostgres ? '' : ' WITHOUT ROWID'}`;

/** A migration that does this. */
function migration(up: Up, name: string, transaction = true): new () => MigrationInterface {
  return class implements MigrationInterface {
    // As on each class, so that the migration is known by it.
    static readonly name = name;
    readonly transaction = transaction;

    async up(runner: QueryRunner): Promise<void> {
      await up(runner);
    }

    async down(): Promise<void> {}
  };
}

const database = new MigratedDatabase();

type Step = Up | string | { readonly up: Up; readonly transaction: false };

/** Opens a database with a table of events and these migrations after it. */
const migrate = (...steps: readonly Step[]): Promise<DataSource> => migrateTo([EventEntity], steps);

function migrateTo(entities: readonly Type<object>[], steps: readonly Step[]): Promise<DataSource> {
  const migrations = [CREATE, ...steps].map((step, index) => {
    const { up, transaction } = typeof step === 'object' ? step : { up: step, transaction: true };
    const run: Up = typeof up === 'string' ? (runner) => runner.query(up) : up;
    return migration(run, nameOfStep(index), transaction);
  });
  return database.open(entities, migrations);
}

const eventsOf = (dataSource: DataSource): KeysetTable<EventEntity> => openTable(dataSource, EventEntity);

const BIG = 9_007_199_254_740_993n;

describe('a migration that copies values', () => {
  it.each<[string, Up]>([
    [
      'by statements',
      async (runner) => {
        const [row] = (await runner.query('SELECT "big" FROM "events" WHERE "id" = 1')) as { big: unknown }[];
        await runner.query(`INSERT INTO "events" ("id", "big") VALUES (2, ${isPostgres ? '$1' : '?'})`, [row?.big]);
      },
    ],
    [
      'by repositories',
      async ({ manager }) => {
        const events = manager.getRepository(EventEntity);
        const event = await events.findOneByOrFail({ big: BIG });
        await events.save({ id: 2n, big: event.big, at: event.at });
        event.note = 'changed';
        await events.save(event);
      },
    ],
  ])('keeps all digits of int64 %s', async (_, up) => {
    const dataSource = await migrate(
      `INSERT INTO "events" ("id", "big", "at", "flag", "count") VALUES (1, ${BIG}, '2026-11-25 15:00:00.007', true, 7)`,
      up,
    );
    expect(await eventsOf(dataSource).find(2n)).toMatchObject({ id: 2n, big: BIG });
    expect(await eventsOf(dataSource).find(1n)).toMatchObject({ id: 1n, big: BIG, flag: true, count: 7 });
  });

  it('gets other integers as numbers', async () => {
    let rows: unknown;
    await migrate(`INSERT INTO "events" ("id", "count") VALUES (1, -7)`, async (runner) => {
      rows = await runner.query('SELECT "count" FROM "events"');
    });
    expect(rows).toEqual([{ count: -7 }]);
  });
});

const CREATE_PARTS = `CREATE TABLE "parts" ("id" bigint NOT NULL PRIMARY KEY, "eventId" bigint)${isPostgres ? '' : ' WITHOUT ROWID'}`;

const addForeignKey: Up = (runner) =>
  runner.createForeignKey(
    'parts',
    new TableForeignKey({ columnNames: ['eventId'], referencedTableName: 'events', referencedColumnNames: ['id'] }),
  );

const fillParts = (values: string): Up => {
  return async (runner) => {
    await runner.query('INSERT INTO "events" ("id") VALUES (1)');
    await runner.query(`INSERT INTO "parts" ("id", "eventId") VALUES ${values}`);
  };
};

describe('a migration that adds a foreign key', () => {
  const ALL = [EventEntity, PartEntity];

  it('is refused and undone when a row refers to a missing one', async () => {
    const before = [CREATE_PARTS, fillParts('(1, 1), (2, NULL), (3, 99)')];
    const started = migrateTo(ALL, [...before, addForeignKey]);
    await expect(started).rejects.toThrow(
      isPostgres
        ? 'violates foreign key constraint'
        : /^Step1999999999003 leaves row 3 of "parts" without the row of "events" to which it refers by "eventId"; correct or delete such rows, in the migration or before it\.$/,
    );
    const fixed: Up = async (runner) => {
      await runner.query('DELETE FROM "parts" WHERE "id" = 3');
      await addForeignKey(runner);
    };
    const dataSource = await migrateTo(ALL, [...before, fixed]);
    expect(await openTable(dataSource, PartEntity).page({ where: {}, limit: 9 })).toEqual([
      { id: 1n, eventId: 1n },
      { id: 2n },
    ]);
  });

  it('is refused again and again when it has no transaction', async () => {
    const unchecked: Up = async (runner) => {
      if (!isPostgres) await runner.query('PRAGMA foreign_keys = OFF');
      await addForeignKey(runner);
    };
    const steps = [CREATE_PARTS, fillParts('(3, 99)'), { up: unchecked, transaction: false } as const];
    const refusal = isPostgres
      ? 'violates foreign key constraint'
      : 'leaves row 3 of "parts" without the row of "events"';
    await expect(migrateTo(ALL, steps)).rejects.toThrow(refusal);
    await expect(migrateTo(ALL, steps)).rejects.toThrow(refusal);
  });

  it('is refused again and again when it has no transaction and was interrupted', async () => {
    const refer: Up = async (runner) => {
      if (!isPostgres) await runner.query('PRAGMA foreign_keys = OFF');
      await runner.query('UPDATE "parts" SET "eventId" = 98 WHERE "id" = 1');
    };
    const interrupted: Up = async (runner) => {
      await refer(runner);
      throw new Error('interrupted');
    };
    const before = [CREATE_PARTS, fillParts('(1, 1)'), addForeignKey];
    const refusal = isPostgres ? 'violates foreign key constraint' : 'Step1999999999004 leaves row 1 of "parts"';
    const attempt = (up: Up) => migrateTo(ALL, [...before, { up, transaction: false }, 'SELECT 1']);
    await expect(attempt(interrupted)).rejects.toThrow(isPostgres ? refusal : 'interrupted');
    await expect(attempt(refer)).rejects.toThrow(refusal);
    await expect(attempt(refer)).rejects.toThrow(refusal);
    const dataSource = await attempt((runner) => runner.query('UPDATE "parts" SET "eventId" = 1'));
    expect(await openTable(dataSource, PartEntity).find(1n)).toEqual({ id: 1n, eventId: 1n });
    if (!isPostgres)
      expect(await dataSource.query(`SELECT "name" FROM "sqlite_schema" WHERE "name" LIKE 'orphans%'`)).toEqual([]);
  });

  it('may refer to rows that it adds later, on SQLite even after a transaction of its own', async () => {
    const refer = (runner: QueryRunner) =>
      runner.manager.transaction((manager) => manager.query('UPDATE "parts" SET "eventId" = 3'));
    const dataSource = await migrateTo(ALL, [
      CREATE_PARTS,
      fillParts('(1, 1)'),
      addForeignKey,
      async (runner) => {
        if (!isPostgres) await refer(runner);
        await runner.query('INSERT INTO "events" ("id") VALUES (3)');
        await refer(runner);
      },
    ]);
    expect(await openTable(dataSource, PartEntity).find(1n)).toEqual({ id: 1n, eventId: 3n });
  });
});

describe('a migration of rows of which some refer to missing ones already', () => {
  const ALL = [EventEntity, PartEntity];
  const BEFORE = [CREATE_PARTS, fillParts('(1, 1), (2, NULL), (3, 1)'), addForeignKey];

  /** As a program that does not check foreign keys leaves them. */
  beforeEach(async () => {
    const unchecked = await migrateTo(ALL, BEFORE);
    const refer = 'UPDATE "parts" SET "eventId" = 99 WHERE "id" = 3';
    if (isPostgres) await unchecked.query(`BEGIN; SET LOCAL session_replication_role = replica; ${refer}; COMMIT`);
    else {
      await unchecked.query('PRAGMA foreign_keys = OFF');
      await unchecked.query(refer);
    }
  });

  it.each<[string, Step]>([
    ['adds a table', 'CREATE TABLE "others" ("id" bigint NOT NULL PRIMARY KEY)'],
    [
      'changes their table',
      (runner) => runner.addColumn('parts', new TableColumn({ name: 'note', type: 'text', isNullable: true })),
    ],
    ['adds rows that refer to existing ones', 'INSERT INTO "parts" ("id", "eventId") VALUES (9, 1)'],
    ['mends them', 'UPDATE "parts" SET "eventId" = NULL WHERE "id" = 3'],
    ['has no transaction', { up: (runner) => runner.query('UPDATE "events" SET "count" = 7'), transaction: false }],
  ])('takes effect when it %s', async (_, step) => {
    await migrateTo(ALL, [...BEFORE, step]);
    const dataSource = await migrateTo(ALL, [...BEFORE, step, 'SELECT 1']);
    expect(await openTable(dataSource, PartEntity).find(1n)).toEqual({ id: 1n, eventId: 1n });
  });

  it.each<[string, string, bigint]>([
    ['makes another row refer to the same', 'UPDATE "parts" SET "eventId" = 99 WHERE "id" > 1', 3n],
    ['mends them and makes another one', 'UPDATE "parts" SET "eventId" = CASE "id" WHEN 1 THEN 98 END', 1n],
    ['removes a row to which others refer', 'DELETE FROM "events"', 1n],
  ])('is refused and undone when it %s', async (_, change, row) => {
    // PostgreSQL checks the rows that change, and those that refer to a row that is deleted.
    const refusal = isPostgres ? 'violates foreign key constraint' : `Step1999999999004 leaves row ${row} of "parts"`;
    await expect(migrateTo(ALL, [...BEFORE, change])).rejects.toThrow(refusal);
    const dataSource = await migrateTo(ALL, [...BEFORE, 'SELECT 1']);
    expect(await openTable(dataSource, PartEntity).page({ where: {}, limit: 9 })).toEqual([
      { id: 1n, eventId: 1n },
      { id: 2n },
      { id: 3n, eventId: 99n },
    ]);
  });

  it('is refused again and again when it has no transaction and makes another one', async () => {
    const up: Up = async (runner) => {
      if (!isPostgres) await runner.query('PRAGMA foreign_keys = OFF');
      await runner.query('UPDATE "parts" SET "eventId" = 98 WHERE "id" = 1');
    };
    const steps = [...BEFORE, { up, transaction: false } as const, 'SELECT 1'];
    const refusal = isPostgres ? 'violates foreign key constraint' : 'Step1999999999004 leaves row 1 of "parts"';
    await expect(migrateTo(ALL, steps)).rejects.toThrow(refusal);
    await expect(migrateTo(ALL, steps)).rejects.toThrow(refusal);
  });
});

const NOW = new Date('2026-11-25T15:00:00.007Z');

@AppendOnly()
@Entity('logs', { withoutRowid: true })
class LogEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text', nullable: true })
  note: string | null;
}

describe('a migration that inserts or deletes rows', () => {
  it('may replace ids that were texts', async () => {
    const dataSource = await migrateTo(
      [EventEntity, PartEntity],
      [
        `CREATE TABLE "parts" ("id" varchar(36) NOT NULL PRIMARY KEY)`,
        `INSERT INTO "parts" VALUES ('8e03978e-40d5-43dd-bc93-6894a57f9324')`,
        'DROP TABLE "parts"',
        CREATE_PARTS,
        addForeignKey,
      ],
    );
    expect(await openTable<PartEntity>(dataSource, PartEntity).insert({})).toBe(1n);
  });

  it('has later ids follow the greatest one that it inserted', async () => {
    const events = eventsOf(await migrate('INSERT INTO "events" ("id") VALUES (1), (2), (10)'));
    expect(await events.insert({ at: NOW })).toBe(11n);
    expect(await events.insert({ at: NOW })).toBe(12n);
  });

  it.each(['inserted', 'deleted'])(
    'has later ids follow those of rows that it %s in an append-only table',
    async (what) => {
      const create = `CREATE TABLE "logs" ("id" bigint NOT NULL PRIMARY KEY, "note" text)${isPostgres ? '' : ' WITHOUT ROWID'}`;
      const fill = 'INSERT INTO "logs" ("id") VALUES (1), (7)';
      const none = 'SELECT 1';
      const opened = await migrateTo([EventEntity, LogEntity], [create, what === 'inserted' ? fill : none]);
      // By hand.
      if (what === 'deleted') await opened.query(fill);
      const dataSource = await migrateTo([EventEntity, LogEntity], [create, none, 'DELETE FROM "logs" WHERE "id" = 7']);
      expect(await openTable(dataSource, LogEntity).insert({ note: 'next' })).toBe(8n);
    },
  );
});

/** Enough for pages of 3. */
const SEVEN = 'INSERT INTO "events" ("id") VALUES (1), (2), (3), (4), (5), (6), (7)';

/** What PostgreSQL stores for a value of its own expressions, too. */
const MENDED: [string, string, Partial<EventEntity>][] = [
  ['a time without milliseconds', `"at" = '2026-11-25 05:05:05'`, { at: new Date('2026-11-25T05:05:05.000Z') }],
  ['a time in ISO 8601', `"at" = '2026-11-25T05:05:05.5Z'`, { at: new Date('2026-11-25T05:05:05.500Z') }],
  ['a date', `"at" = '2026-11-25'`, { at: new Date('2026-11-25T00:00:00.000Z') }],
  ['microseconds', `"at" = '2026-11-25 05:05:05.123456'`, { at: new Date('2026-11-25T05:05:05.123Z') }],
  ['half a millisecond', `"at" = '2026-12-31 23:59:59.9995'`, { at: new Date('2027-01-01T00:00:00.000Z') }],
  ['half a millisecond before 2000', `"at" = '1966-02-28 20:23:26.3575'`, { at: new Date('1966-02-28T20:23:26.357Z') }],
  ['more than half before 2000', `"at" = '1966-02-28 20:23:26.35751'`, { at: new Date('1966-02-28T20:23:26.358Z') }],
  ['a time of a table', `"at" = '0001-01-01 23:59:59.999'`, { at: new Date('0001-01-01T23:59:59.999Z') }],
  ['more digits than a decimal has', '"amount" = 1 / 3.0', { amount: '0.33' }],
  ['half a unit of a decimal', '"amount" = 1.005', { amount: '1.01' }],
  ['half a unit of a sum of decimals', '"amount" = -3.91 - 35.8 - 0.885', { amount: '-40.60' }],
  ['an integer for a decimal', '"amount" = 7', { amount: '7.00' }],
  ['the largest decimal', '"amount" = -99999999.99', { amount: '-99999999.99' }],
  ['an integer for a double', '"ratio" = 7', { ratio: 7 }],
  ['a number for text', `"note" = ${isPostgres ? `'7'` : '7'}`, { note: '7' }],
  [
    'bounds of integers',
    '"count" = -2147483648, "big" = 9223372036854775807',
    { count: -2_147_483_648, big: 2n ** 63n - 1n },
  ],
  ['a condition', '"flag" = ("id" > 0)', { flag: true }],
];

const REFUSED: [string, string, string, string][] = [
  ['no time', `"at" = 'soon'`, 'at', `a time in UTC, such as '2026-11-25 15:00:00.007'`],
  ['no day', `"at" = '2026-02-31 05:05:05'`, 'at', `a time in UTC, such as '2026-11-25 15:00:00.007'`],
  ['a number of seconds', '"at" = 1795132800', 'at', `a time in UTC, such as '2026-11-25 15:00:00.007'`],
  ['a long text', `"short" = 'hello world'`, 'short', 'text of at most 5 characters'],
  ['text for a decimal', `"amount" = 'x'`, 'amount', 'a decimal of 10 digits, 2 of them after the point'],
  ['a large decimal', '"amount" = 99999999.995', 'amount', 'a decimal of 10 digits, 2 of them after the point'],
  ['text for a number', `"ratio" = 'x'`, 'ratio', 'a number'],
  ['text for an integer', `"count" = 'x'`, 'count', 'an integer of 32 bits'],
  ['a large integer', '"count" = 2147483648', 'count', 'an integer of 32 bits'],
  ['text for an int64', `"big" = 'x'`, 'big', 'an integer'],
  ['another boolean', `"flag" = ${isPostgres ? `'7'` : '7'}`, 'flag', 'true or false'],
];

describe('a migration that stores values', () => {
  it.each(MENDED)('may store %s, which conditions and pages find', async (_, change, values) => {
    const events = eventsOf(await migrate(SEVEN, `UPDATE "events" SET ${change}`));
    expect(await events.find(7n)).toMatchObject({ id: 7n, ...values });
    expect(await events.page({ where: values, limit: 9 })).toHaveLength(7);
  });

  it('may add a column with the time at which it runs, by which pages are ordered', async () => {
    const before = Date.now();
    if (isPostgres)
      await onServer(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET TimeZone TO 'Asia/Tokyo'`);
    const dataSource = await migrate(SEVEN, 'ALTER TABLE "events" DROP COLUMN "at"', async (runner) => {
      await runner.addColumn(
        'events',
        new TableColumn({
          name: 'at',
          type: isPostgres ? 'timestamp' : 'datetime',
          precision: 3,
          default: 'CURRENT_TIMESTAMP',
        }),
      );
      await runner.query('CREATE INDEX "events_by_time" ON "events" ("at", "id")');
    });
    const orderBy = { column: 'at' } as const;
    const events = eventsOf(dataSource);
    const first = await events.page({ where: {}, limit: 4, orderBy });
    const { at } = first.at(-1)!;
    const rest = await events.page({ where: {}, limit: 4, orderBy, from: first.at(-1)! });
    expect([...first, ...rest].map(({ id }) => id)).toEqual([1n, 2n, 3n, 4n, 4n, 5n, 6n, 7n]);
    // SQLite's has no fractions of a second.
    expect(at.getTime()).toBeGreaterThanOrEqual(before - 1000);
    expect(at.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('leaves what tables stored as it is', async () => {
    const rows = [
      {
        at: new Date('0001-01-01T00:00:00.000Z'),
        amount: '-99999999.99',
        ratio: 1e300,
        count: 2 ** 31 - 1,
        flag: false,
      },
      { at: new Date('9999-12-31T23:59:59.999Z'), amount: '0.01', ratio: 5, count: -(2 ** 31), big: -(2n ** 63n) },
      { at: new Date('2024-02-29T12:34:56.789Z'), amount: '1.1', ratio: 0.1, note: '', flag: true },
    ];
    const before = eventsOf(await migrate());
    for (const row of rows) await before.insert(row);
    const stored = await before.page({ where: {}, limit: 9 });
    const after = eventsOf(await migrate('SELECT 1'));
    expect(await after.page({ where: {}, limit: 9 })).toEqual(stored);
    for (const row of rows) expect(await after.page({ where: row, limit: 9 })).toHaveLength(1);
  });

  it.each([7, 0.5, 'text', true, { a: 1 }])('leaves what a json column holds as it is: %j', async (data) => {
    const id = await eventsOf(await migrate()).insert({ at: NOW, data });
    expect(await eventsOf(await migrate('SELECT 1')).find(id)).toMatchObject({ data });
  });

  if (!isPostgres) {
    it.each([
      '2026-11-25 05:05:05+02:00',
      '2026-11-25 05:05+02:00 ',
      '2026-11-25  05:05:05',
      '2026-11-25 05:05:05.1234567',
      '0000-01-01 05:05:05',
    ])('is refused for a time that PostgreSQL would read as another one: %s', async (time) => {
      await expect(migrate(SEVEN, `UPDATE "events" SET "at" = '${time}'`)).rejects.toThrow(
        `EventEntity.at is a time in UTC, such as '2026-11-25 15:00:00.007', but row 1 of "events" has another value in "at"; correct such values, in the last migration or before it.`,
      );
    });
  }

  it.each(REFUSED)('is refused and undone when it stores %s', async (_, change, property, form) => {
    const started = migrate(SEVEN, `UPDATE "events" SET ${change} WHERE "id" = 3`);
    await expect(started).rejects.toThrow(
      isPostgres
        ? ' failed and was undone: '
        : `EventEntity.${property} is ${form}, but row 3 of "events" has another value in "${property}"; correct such values, in the last migration or before it.`,
    );
    const dataSource = await migrate(SEVEN, 'UPDATE "events" SET "count" = 1');
    expect(await eventsOf(dataSource).find(3n)).toMatchObject({ id: 3n, count: 1 });
  });
});
