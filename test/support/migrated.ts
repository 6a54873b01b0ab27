import { expect } from '@jest/globals';
import type { DataSource } from 'typeorm';

/** The statements that would make the schema what the entities say. */
export async function drift(dataSource: DataSource): Promise<string[]> {
  const log = await dataSource.driver.createSchemaBuilder().log();
  return log.upQueries.map(({ query }) => query);
}

/** Holds that each migration that ormconfig.ts names has run, once and in order. */
export async function expectAllDone(dataSource: DataSource): Promise<void> {
  const names = dataSource.migrations.map(({ name }) => name);
  expect(names[0]).toBe('CreateTables1795132800000');
  const done: { name: string }[] = await dataSource.query('SELECT "name" FROM "migrations" ORDER BY "id"');
  expect(done.map(({ name }) => name)).toEqual(names);
}

/** Undoes them all, the last one first. */
export async function undoAll(dataSource: DataSource): Promise<void> {
  for (const _ of dataSource.migrations) await dataSource.undoLastMigration();
}
