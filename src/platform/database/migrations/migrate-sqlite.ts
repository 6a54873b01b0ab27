import type { DataSource } from 'typeorm';
import { sqliteConnection } from '../sqlite/sqlite.js';
import { withExactIntegers } from './exact-integers.js';

/** Brings the schema up to date, and returns the migrations that ran. */
export async function migrateSqlite(dataSource: DataSource): Promise<readonly string[]> {
  const migrations = await withExactIntegers(sqliteConnection(dataSource), () => dataSource.runMigrations());
  return migrations.map(({ name }) => name);
}
