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

/** The names of the migrations of the service, the last one first. A team adds others to those of the repository. */
export async function lastMigrations(databaseUrl: string): Promise<string[]> {
  const migrations = await serviceMigrations(patientConfig(databaseUrl));
  return migrations.map(({ name }) => name).toReversed();
}

/** Undoes the migrations of the service, the last one first, up to the one of this name, or all. */
export async function undoAll(databaseUrl: string, first?: string): Promise<void> {
  const names = await lastMigrations(databaseUrl);
  for (const _ of first === undefined ? names : names.slice(0, names.indexOf(first) + 1))
    await undoLastMigration(createDataSource, patientConfig(databaseUrl), () => true);
}
