import type { DataSource } from 'typeorm';
import type { CreateDataSource, DatabaseConfig } from './database-config.js';
import type { ReportWait } from './migrations/lock-wait.js';
import { undoOnPostgres } from './migrations/migrate-postgres.js';
import { undoOnSqlite } from './migrations/migrate-sqlite.js';
import type { Confirm } from './migrations/run-migrations.js';
import { databaseName, openingError } from './open-database.js';
import { isPostgres } from './postgres/postgres.js';
import { checkUsedFile } from './sqlite/files/check-sqlite-file.js';
import { SqliteLock } from './sqlite/files/sqlite-lock.js';
import { sqliteFile } from './sqlite/sqlite.js';
import { refuseUnfinishedCopy } from './unfinished-copy.js';

/**
 * Undoes the last migration of the database, whose schema may be that of any release, and returns the name of the migration:
 * undefined when `confirm` returned false. Throws a StartError when this release does not have it, when a service serves the
 * SQLite file, or when the database holds an unfinished copy.
 */
export async function undoLastMigration(
  createDataSource: CreateDataSource,
  config: DatabaseConfig,
  confirm: Confirm,
  waits?: ReportWait,
): Promise<string | undefined> {
  const { databaseUrl } = config;
  try {
    if (isPostgres(databaseUrl)) {
      const refuse = (dataSource: DataSource) => refuseUnfinishedCopy(dataSource, databaseName(databaseUrl));
      return await undoOnPostgres((limits) => createDataSource({ ...config, ...limits }), confirm, refuse, waits);
    }
    return await undoInFile(createDataSource, config, sqliteFile(databaseUrl), confirm, waits);
  } catch (error) {
    throw openingError(databaseUrl, error);
  }
}

async function undoInFile(
  createDataSource: CreateDataSource,
  config: DatabaseConfig,
  file: string,
  confirm: Confirm,
  waits?: ReportWait,
): Promise<string | undefined> {
  checkUsedFile(file);
  const lock = SqliteLock.take(file);
  const dataSource = await createDataSource(config);
  try {
    await dataSource.initialize();
    await refuseUnfinishedCopy(dataSource, file);
    return await undoOnSqlite(dataSource, file, confirm, waits);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    lock.release();
  }
}
