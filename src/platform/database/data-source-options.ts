import type { DataSourceOptions } from 'typeorm';
import type { DatabaseConfig } from './database-config.js';
import { isPostgres } from './postgres/postgres.js';
import { sqliteOptions } from './sqlite/sqlite.js';

/** The options of a DataSource, without entities and migrations. */
export async function dataSourceOptions(config: DatabaseConfig): Promise<DataSourceOptions> {
  return {
    ...(await engineOptions(config)),
    // A transaction for each migration, so that a migration can opt out, which CREATE INDEX CONCURRENTLY requires.
    migrationsTransactionMode: 'each',
    // TypeORM's default logger reports migrations on standard output; this one is silent unless DEBUG asks for it.
    logger: 'debug',
    synchronize: false,
  };
}

/** Loads `pg` for PostgreSQL only, which saves an SQLite start time and memory. */
async function engineOptions(config: DatabaseConfig): Promise<DataSourceOptions> {
  if (!isPostgres(config.databaseUrl)) return sqliteOptions(config.databaseUrl);
  const { postgresOptions } = await import('./postgres/postgres-pools.js');
  return postgresOptions(config);
}
