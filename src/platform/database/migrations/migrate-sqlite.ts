import type { DataSource } from 'typeorm';
import { sqliteConnection } from '../sqlite/sqlite.js';
import { withExactIntegers } from './exact-integers.js';
import { mendStoredForms } from './mend-stored-forms.js';
import { refuseOrphans } from './refuse-orphans.js';
import { runMigrations } from './run-migrations.js';

/** Brings the schema up to date, and returns the migrations that ran. */
export function migrateSqlite(dataSource: DataSource): Promise<readonly string[]> {
  const connection = sqliteConnection(dataSource);
  const check = async (migration: string, isLast: boolean): Promise<void> => {
    if (isLast) mendStoredForms(dataSource);
    refuseOrphans(connection, migration);
  };
  return withExactIntegers(connection, () => runMigrations(dataSource, dataSource.createQueryRunner(), check));
}
