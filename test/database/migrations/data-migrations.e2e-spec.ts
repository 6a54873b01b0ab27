import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import {
  Column,
  DataSource,
  Entity,
  ForeignKey,
  Index,
  type MigrationInterface,
  PrimaryColumn,
  type QueryRunner,
  TableForeignKey,
} from 'typeorm';
import { DATABASE_DEFAULTS } from '../../../src/config.js';
import { dataSourceOptions } from '../../../src/platform/database/data-source-options.js';
import type { DatabaseConfig } from '../../../src/platform/database/database-config.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { openTable } from '../../../src/platform/database/open-table.js';
import type { KeysetTable } from '../../../src/platform/database/tables/keyset-table.js';
import { SequenceEntity } from '../../../src/platform/database/tables/sequence.entity.js';
import { INT64 } from '../../../src/platform/values/int64.column.js';
import { createDatabase, ENGINE, type TestDatabase } from '../../support/databases/databases.js';
import { serviceMigrations } from '../../support/databases/service-migrations.js';
import { PATIENT } from '../support/stock.js';

@Entity('events', { withoutRowid: true })
@Index('events_by_time', ['at', 'id'])
class EventEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ ...INT64, nullable: true })
  big: bigint | null;

  @Column({ type: Date, precision: 3, nullable: true })
  at: Date | null;

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

const CREATE = `CREATE TABLE "events" ("id" bigint NOT NULL PRIMARY KEY, "big" bigint, "at" ${TIME}, "amount" numeric(10,2),
  "flag" boolean, "count" integer, "ratio" double precision, "note" text)${isPostgres ? '' : ' WITHOUT ROWID'}`;

type Up = (runner: QueryRunner) => Promise<unknown>;

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

let database: TestDatabase;
let opened: DataSource | undefined;

beforeEach(async () => {
  database = await createDatabase();
});

afterEach(async () => {
  if (opened?.isInitialized) await opened.destroy();
  await database.drop();
});

type Step = Up | string | { readonly up: Up; readonly transaction: false };

/** Opens a database with a table of events and these migrations after it. */
const migrate = (...steps: readonly Step[]): Promise<DataSource> => migrateTo([EventEntity], steps);

async function migrateTo(entities: readonly Type<object>[], steps: readonly Step[]): Promise<DataSource> {
  if (opened?.isInitialized) await opened.destroy();
  const migrations = [CREATE, ...steps].map((step, index) => {
    const { up, transaction } = typeof step === 'object' ? step : { up: step, transaction: true };
    const run: Up = typeof up === 'string' ? (runner) => runner.query(up) : up;
    return migration(run, `Step${1_999_999_999_000 + index}`, transaction);
  });
  const create = async (config: DatabaseConfig): Promise<DataSource> =>
    new DataSource({
      ...(await dataSourceOptions(config)),
      entities: [...entities, SequenceEntity],
      migrations: [...(await serviceMigrations(config)), ...migrations],
    });
  const config = { ...DATABASE_DEFAULTS, ...PATIENT, databaseUrl: database.url };
  opened = await openDatabase(create, config, { migrate: true });
  return opened;
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
