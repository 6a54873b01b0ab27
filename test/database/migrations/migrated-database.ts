import { afterEach, beforeEach } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../../src/platform/database/data-source-options.js';
import type { CreateDataSource } from '../../../src/platform/database/database-config.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { SequenceEntity } from '../../../src/platform/database/tables/sequence.entity.js';
import { createDatabase, type TestDatabase } from '../../support/databases/databases.js';
import { serviceMigrations } from '../../support/databases/service-migrations.js';
import { patientConfig } from '../../support/databases/time-limits.js';

/** What a migration does. */
export type Up = (runner: QueryRunner) => Promise<unknown>;

/** Orders the migrations of a test after those of the service. */
export const nameOfStep = (index: number): string => `Step${1_999_999_999_000 + index}`;

/** A migration that does this. */
export function stepOf(
  index: number,
  up: Up | string,
  members: { readonly transaction?: boolean; readonly down?: Up | string } = {},
): Type<MigrationInterface> {
  const run = (what: Up | string, runner: QueryRunner) =>
    typeof what === 'string' ? runner.query(what) : what(runner);
  return class Step implements MigrationInterface {
    readonly name = nameOfStep(index);
    readonly transaction = members.transaction ?? true;

    async up(runner: QueryRunner): Promise<void> {
      await run(up, runner);
    }

    async down(runner: QueryRunner): Promise<void> {
      await run(members.down ?? 'SELECT 1', runner);
    }
  };
}

/** Creates DataSources with the migrations of the service and these. */
export function creating(
  entities: readonly Type<object>[],
  migrations: readonly Type<MigrationInterface>[],
): CreateDataSource {
  return async (config) =>
    new DataSource({
      ...(await dataSourceOptions(config)),
      entities: [...entities, SequenceEntity],
      migrations: [...(await serviceMigrations(config)), ...migrations],
    });
}

/** A database of its own for each test of a file. */
export class MigratedDatabase {
  #database?: TestDatabase;
  #opened?: DataSource;

  constructor() {
    beforeEach(async () => {
      this.#database = await createDatabase();
    });
    afterEach(async () => {
      await this.#close();
      await this.#database?.drop();
    });
  }

  get url(): string {
    return this.#database!.url; // made before each test
  }

  /** Opens it again, with the migrations of the service and these. */
  async open(
    entities: readonly Type<object>[],
    migrations: readonly Type<MigrationInterface>[],
    claim?: (file: string) => void,
  ): Promise<DataSource> {
    await this.#close();
    const create = creating(entities, migrations);
    this.#opened = await openDatabase(create, patientConfig(this.url), { migrate: true, ...(claim && { claim }) });
    return this.#opened;
  }

  async #close(): Promise<void> {
    if (this.#opened?.isInitialized) await this.#opened.destroy();
  }
}
