import { existsSync } from 'node:fs';
import { StartError } from '../process/start-error.js';
import type { CreateDataSource, DatabaseConfig } from './database-config.js';
import { undoOnPostgres } from './migrations/migrate-postgres.js';
import { undoOnSqlite } from './migrations/migrate-sqlite.js';
import type { Confirm } from './migrations/run-migrations.js';
import { openingError } from './open-database.js';
import { isPostgres } from './postgres/postgres.js';
import { checkSqliteFile } from './sqlite/files/check-sqlite-file.js';
import { SqliteLock } from './sqlite/files/sqlite-lock.js';
import { sqliteFile } from './sqlite/sqlite.js';

/**
 * Undoes the last migration of the database, whose schema may be that of any release, and returns the name of the migration.
 * Throws a StartError when this release does not have it, or when a service serves the SQLite file.
 */
export async function undoLastMigration(
  createDataSource: CreateDataSource,
  config: DatabaseConfig,
  confirm: Confirm,
): Promise<string> {
  const { databaseUrl } = config;
  try {
    if (isPostgres(databaseUrl)) {
      return await undoOnPostgres((limits) => createDataSource({ ...config, ...limits }), confirm);
    }
    return await undoInFile(createDataSource, config, sqliteFile(databaseUrl), confirm);
  } catch (error) {
    throw openingError(databaseUrl, error);
  }
}

async function undoInFile(
  createDataSource: CreateDataSource,
  config: DatabaseConfig,
  file: string,
  confirm: Confirm,
): Promise<string> {
  if (!existsSync(file)) throw new StartError(`The database ${file} does not exist; correct DATABASE_URL.`);
  checkSqliteFile(file);
  const lock = SqliteLock.take(file);
  const dataSource = await createDataSource(config);
  try {
    await dataSource.initialize();
    return await undoOnSqlite(dataSource, confirm);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    lock.release();
  }
}
