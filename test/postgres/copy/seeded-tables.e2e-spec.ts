import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Column, DataSource, Entity, type MigrationInterface, PrimaryColumn, type QueryRunner } from 'typeorm';
import { BulkDatabase } from '../../../src/platform/copy/bulk-database.js';
import { copyDatabase, type Copied } from '../../../src/platform/copy/copy-database.js';
import { dataSourceOptions } from '../../../src/platform/database/data-source-options.js';
import type { DatabaseConfig } from '../../../src/platform/database/database-config.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { AppendOnly } from '../../../src/platform/database/tables/columns/append-only.decorator.js';
import { SequenceEntity } from '../../../src/platform/database/tables/sequence.entity.js';
import { INT64 } from '../../../src/platform/values/int64.column.js';
import { createEmptyDatabase, type Engine, type TestDatabase } from '../../support/databases/databases.js';
import { serviceMigrations } from '../../support/databases/service-migrations.js';
import { patientConfig } from '../../support/databases/time-limits.js';

@Entity('cats', { withoutRowid: true })
@AppendOnly()
class CatEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text' })
  name: string;
}

@Entity('dogs', { withoutRowid: true })
@AppendOnly()
class DogEntity {
  @PrimaryColumn(INT64)
  id: bigint;

  @Column({ type: 'text' })
  name: string;
}

/** Differs in each database, as CURRENT_TIMESTAMP does. */
let moments = 0;

class SeedCats implements MigrationInterface {
  readonly name = 'SeedCats1999999999000';

  async up(runner: QueryRunner): Promise<void> {
    const end = runner.dataSource.options.type === 'postgres' ? '' : ' WITHOUT ROWID';
    moments += 1;
    for (const table of ['cats', 'dogs']) {
      await runner.query(`CREATE TABLE "${table}" ("id" bigint NOT NULL PRIMARY KEY, "name" text NOT NULL)${end}`);
      await runner.query(`INSERT INTO "${table}" VALUES (1, 'of the moment ${moments}'), (2, 'of every moment')`);
    }
  }

  async down(): Promise<void> {}
}

const create = async (config: DatabaseConfig): Promise<DataSource> =>
  new DataSource({
    ...(await dataSourceOptions(config)),
    entities: [CatEntity, DogEntity, SequenceEntity],
    migrations: [...(await serviceMigrations(config)), SeedCats],
  });

describe.each<[string, Engine, Engine]>([
  ['to PostgreSQL', 'sqlite', 'postgres'],
  ['to SQLite', 'postgres', 'sqlite'],
])('a copy %s of append-only tables into which a migration inserts rows', (_, from, to) => {
  let source: TestDatabase;
  let target: TestDatabase;

  beforeEach(async () => {
    source = await createEmptyDatabase(from);
    target = await createEmptyDatabase(to);
    const dataSource = await openDatabase(create, patientConfig(source.url), { migrate: true });
    await dataSource.query(`INSERT INTO "cats" VALUES (3, 'of the service')`);
    await dataSource.destroy();
  });

  afterEach(async () => {
    await source.drop();
    await target.drop();
  });

  /** As the command does. */
  const openTarget = () =>
    openDatabase(create, patientConfig(target.url), { migrate: true, keepsSchema: true, copyFrom: 'the source' });

  async function copy(prepare?: (target: BulkDatabase) => void): Promise<Copied> {
    const config = patientConfig(source.url);
    const one = await BulkDatabase.of(
      await openDatabase(create, config, { migrate: false, keepsSchema: true }),
      'the source',
    );
    const other = await BulkDatabase.of(await openTarget(), 'the target');
    prepare?.(other);
    try {
      return await copyDatabase(one, other);
    } finally {
      await one.close();
      await other.close();
    }
  }

  async function rowsOf({ url }: TestDatabase): Promise<unknown> {
    const dataSource = await openDatabase(create, patientConfig(url), { migrate: false });
    const rows = [];
    for (const table of ['cats', 'dogs']) {
      rows.push(await dataSource.query(`SELECT "id" + 0 AS "id", "name" FROM "${table}" ORDER BY "id"`));
    }
    await dataSource.destroy();
    return JSON.parse(JSON.stringify(rows).replaceAll(/"(\d+)"/g, '$1'));
  }

  it('has the rows of the source', async () => {
    expect(await copy()).toMatchObject({ resumed: false, tables: [{ rows: 3 }, { rows: 2 }] });
    expect(await rowsOf(target)).toEqual(await rowsOf(source));
  });

  it('has the rows of the source although an earlier run ended behind the migrations', async () => {
    await (await openTarget()).destroy();
    expect(await copy()).toMatchObject({ resumed: false });
    expect(await rowsOf(target)).toEqual(await rowsOf(source));
  });

  it('continues when it was interrupted, without copying a table again', async () => {
    const interrupt = ({ tables }: BulkDatabase) => {
      const dogs = tables.find(({ name }) => name === 'dogs')!; // an entity's
      const insert = dogs.insert.bind(dogs);
      // Clearing inserts nothing.
      dogs.insert = (rows) => (rows.length === 0 ? insert(rows) : Promise.reject(new Error('interrupted')));
    };
    await expect(copy(interrupt)).rejects.toThrow('interrupted');
    const copied: string[] = [];
    const watch = ({ tables }: BulkDatabase) => {
      for (const table of tables) {
        const insert = table.insert.bind(table);
        table.insert = (rows) => {
          if (rows.length > 0) copied.push(table.name);
          return insert(rows);
        };
      }
    };
    expect(await copy(watch)).toMatchObject({ resumed: true });
    expect(copied).toEqual(['dogs']);
    expect(await rowsOf(target)).toEqual(await rowsOf(source));
  });
});
