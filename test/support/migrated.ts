import { expect } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/data-source.js';
import { undoLastMigration } from '../../src/platform/database/undo-migration.js';
import { serviceMigrations } from './databases/service-migrations.js';
import { patientConfig } from './databases/time-limits.js';

/** The statements that would synchronise the schema with the entities. */
export async function drift(dataSource: DataSource): Promise<string[]> {
  const log = await dataSource.driver.createSchemaBuilder().log();
  return log.upQueries.map(({ query }) => query);
}

/** Checks that each migration of the service ran once and in order. */
export async function expectAllDone(dataSource: DataSource): Promise<void> {
  const names = dataSource.migrations.map(({ name }) => name);
  expect(names[0]).toBe('CreateTables1795132800000');
  const done: { name: string }[] = await dataSource.query('SELECT "name" FROM "migrations" ORDER BY "id"');
  expect(done.map(({ name }) => name)).toEqual(names);
}

/** Undoes all migrations of the service, the last one first. */
export async function undoAll(databaseUrl: string): Promise<void> {
  const config = patientConfig(databaseUrl);
  for (const _ of await serviceMigrations(config)) await undoLastMigration(createDataSource, config, () => undefined);
}
