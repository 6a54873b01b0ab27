import { expect } from '@jest/globals';
import type { DataSource } from 'typeorm';

/** The statements that would synchronise the schema with the entities. */
export async function drift(dataSource: DataSource): Promise<string[]> {
  const log = await dataSource.driver.createSchemaBuilder().log();
  return log.upQueries.map(({ query }) => query);
}

/** Checks that each migration of ormconfig.ts ran once and in order. */
export async function expectAllDone(dataSource: DataSource): Promise<void> {
  const names = dataSource.migrations.map(({ name }) => name);
  expect(names[0]).toBe('CreateTables1795132800000');
  const done: { name: string }[] = await dataSource.query('SELECT "name" FROM "migrations" ORDER BY "id"');
  expect(done.map(({ name }) => name)).toEqual(names);
}

/** Reverts all migrations, the last one first. */
export async function undoAll(dataSource: DataSource): Promise<void> {
  for (const _ of dataSource.migrations) await dataSource.undoLastMigration();
}
