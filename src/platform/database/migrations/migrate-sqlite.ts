import type { DataSource } from 'typeorm';

/** Brings the schema up to date, and returns the migrations that ran. */
export async function migrateSqlite(dataSource: DataSource): Promise<readonly string[]> {
  return (await dataSource.runMigrations()).map(({ name }) => name);
}
