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
  Table,
  TableForeignKey,
  TableIndex,
  type ValueTransformer,
} from 'typeorm';
import { dataSourceOptions } from '../../../src/platform/database/data-source-options.js';
import { Database } from '../../../src/platform/database/database.js';
import type { DatabaseConfig } from '../../../src/platform/database/database-config.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { openTable } from '../../../src/platform/database/open-table.js';
import { ServedDatabase } from '../../../src/platform/database/served/served-database.js';
import { AppendOnly } from '../../../src/platform/database/tables/columns/append-only.decorator.js';
import type { KeysetTable } from '../../../src/platform/database/tables/keyset-table.js';
import { SequenceEntity } from '../../../src/platform/database/tables/sequence.entity.js';
import { INT64 } from '../../../src/platform/values/int64.column.js';
import { createDatabase, ENGINE, type Engine } from '../../support/databases/databases.js';
import { serviceMigrations } from '../../support/databases/service-migrations.js';
import { patientConfig } from '../../support/databases/time-limits.js';

/** Null is stored as "none". */
const UPPER_CASE: ValueTransformer = {
  from: (text: string | null) => (text === 'none' ? null : text?.toUpperCase()),
  to: (text: string | null) => text?.toLowerCase() ?? 'none',
};
const TRIMMED: ValueTransformer = { from: (text: string) => text.slice(1), to: (text: string) => `_${text}` };

@Entity('shelves', { withoutRowid: true })
@Index('shelves_by_label', ['label'], { unique: true })
export class ShelfEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text' })
  label: string;

  /** Toys on it. */
  @Column(INT64)
  count: bigint;
}

@Entity('toys', { withoutRowid: true })
@Index('toys_by_price', ['price', 'id'])
@Index('toys_by_shelf', ['shelfId', 'price', 'id'])
export class ToyEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text' })
  name: string;

  @Column(INT64)
  price: bigint;

  @ForeignKey(() => ShelfEntity, { onDelete: 'RESTRICT' })
  @Column({ ...INT64, nullable: true })
  shelfId: bigint | null;
}

/** A column of each kind. */
@Entity('samples', { withoutRowid: true })
export class SampleEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text', nullable: true })
  text: string | null;

  @Column({ type: 'varchar', length: 5, nullable: true })
  short: string | null;

  @Column({ type: 'integer', nullable: true })
  integer: number | null;

  @Column({ ...INT64, nullable: true })
  big: bigint | null;

  @Column({ type: 'boolean', nullable: true })
  flag: boolean | null;

  @Column({ type: 'numeric', precision: 10, scale: 2, nullable: true })
  amount: string | null;

  /** All of its digits are behind the point. */
  @Column({ type: 'numeric', precision: 3, scale: 3, nullable: true })
  ratio: string | null;

  @Column({ type: 'double precision', nullable: true })
  double: number | null;

  @Column({ type: Date, precision: 3, nullable: true })
  time: Date | null;

  @Column({ type: 'simple-json', nullable: true })
  json: unknown;

  /** Stored in lower case. */
  @Column({ type: 'text', nullable: true, transformer: [UPPER_CASE, TRIMMED] })
  code: string | null;
}

@AppendOnly()
@Entity('sightings', { withoutRowid: true })
export class SightingEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text' })
  place: string;
}

class CreateStock1795132800001 implements MigrationInterface {
  readonly name = 'CreateStock1795132800001';

  async up(runner: QueryRunner): Promise<void> {
    const id = { name: 'id', type: 'bigint', isPrimary: true };
    const tables = [
      new Table({
        name: 'shelves',
        withoutRowid: true,
        columns: [id, { name: 'label', type: 'text' }, { name: 'count', type: 'bigint' }],
        indices: [new TableIndex({ name: 'shelves_by_label', columnNames: ['label'], isUnique: true })],
      }),
      new Table({
        name: 'toys',
        withoutRowid: true,
        columns: [
          id,
          { name: 'name', type: 'text' },
          { name: 'price', type: 'bigint' },
          { name: 'shelfId', type: 'bigint', isNullable: true },
        ],
        indices: [
          new TableIndex({ name: 'toys_by_price', columnNames: ['price', 'id'] }),
          new TableIndex({ name: 'toys_by_shelf', columnNames: ['shelfId', 'price', 'id'] }),
        ],
        foreignKeys: [
          new TableForeignKey({
            columnNames: ['shelfId'],
            referencedTableName: 'shelves',
            referencedColumnNames: ['id'],
            onDelete: 'RESTRICT',
          }),
        ],
      }),
      new Table({
        name: 'samples',
        withoutRowid: true,
        columns: [
          id,
          { name: 'text', type: 'text', isNullable: true },
          { name: 'short', type: 'varchar', length: '5', isNullable: true },
          { name: 'integer', type: 'integer', isNullable: true },
          { name: 'big', type: 'bigint', isNullable: true },
          { name: 'flag', type: 'boolean', isNullable: true },
          { name: 'amount', type: 'numeric', precision: 10, scale: 2, isNullable: true },
          { name: 'ratio', type: 'numeric', precision: 3, scale: 3, isNullable: true },
          { name: 'double', type: 'double precision', isNullable: true },
          {
            name: 'time',
            type: runner.dataSource.options.type === 'postgres' ? 'timestamp' : 'datetime',
            precision: 3,
            isNullable: true,
          },
          { name: 'json', type: 'text', isNullable: true },
          { name: 'code', type: 'text', isNullable: true },
        ],
      }),
      new Table({ name: 'sightings', withoutRowid: true, columns: [id, { name: 'place', type: 'text' }] }),
    ];
    for (const table of tables) await runner.createTable(table);
  }

  async down(): Promise<void> {}
}

export interface Stock {
  readonly url: string;
  readonly dataSource: DataSource;
  readonly database: Database;
  readonly shelves: KeysetTable<ShelfEntity>;
  readonly toys: KeysetTable<ToyEntity>;
  readonly sightings: KeysetTable<SightingEntity>;
  readonly samples: KeysetTable<SampleEntity>;
  /** Another connection to the database. */
  connect(): Promise<DataSource>;
  close(): Promise<void>;
}

async function createDataSource(config: DatabaseConfig, others: readonly Type<object>[] = []): Promise<DataSource> {
  return new DataSource({
    ...(await dataSourceOptions(config)),
    entities: [ShelfEntity, ToyEntity, SightingEntity, SampleEntity, SequenceEntity, ...others],
    migrations: [...(await serviceMigrations(config)), CreateStock1795132800001],
  });
}

/** Opens the database of a stock again, with other entities beside its own. */
export function reopen(
  { url }: Stock,
  others: readonly Type<object>[],
  { copyFrom }: { copyFrom?: string } = {},
): Promise<DataSource> {
  const config = patientConfig(url);
  return openDatabase((it) => createDataSource(it, others), config, { migrate: false, copyFrom });
}

/** A new database with tables whose rows change, and its unit of work. No limit of time, unless the test sets one. */
export async function openStock({
  limit = 0,
  engine = ENGINE,
  ...overrides
}: Partial<DatabaseConfig> & { limit?: number; engine?: Engine } = {}): Promise<Stock> {
  const created = await createDatabase(engine);
  const config = { ...patientConfig(created.url), ...overrides };
  const dataSource = await openDatabase(createDataSource, config, { migrate: true });
  const database = await databaseOf(dataSource, limit);
  return {
    url: created.url,
    dataSource,
    database,
    shelves: openTable(dataSource, ShelfEntity),
    toys: openTable(dataSource, ToyEntity),
    sightings: openTable(dataSource, SightingEntity),
    samples: openTable(dataSource, SampleEntity),
    connect: async () => (await createDataSource(config)).initialize(),
    close: async () => {
      database.onApplicationShutdown();
      if (dataSource.isInitialized) await dataSource.destroy();
      await created.drop();
    },
  };
}

/** The database of a DataSource that is open; `limit` is in milliseconds, 0 for none. */
export async function databaseOf(dataSource: DataSource, limit: number): Promise<Database> {
  return new Database(await servedOf(dataSource), limit);
}

/** A DataSource that is open, as the service has it. */
export function servedOf(dataSource: DataSource): Promise<ServedDatabase> {
  return ServedDatabase.open(dataSource, () => Promise.resolve());
}
