import type { DataSourceOptions } from 'typeorm';
import type { DatabaseConfig } from './database-config.js';
import { isPostgres } from './postgres/postgres.js';
import { sqliteOptions } from './sqlite/sqlite.js';

/** What every DataSource of the service has in common, whatever its entities and migrations. */
export async function dataSourceOptions(config: DatabaseConfig): Promise<DataSourceOptions> {
  return {
    ...(await engineOptions(config)),
    // One transaction for each migration, so that a migration can opt out: CREATE INDEX CONCURRENTLY must.
    migrationsTransactionMode: 'each',
    // TypeORM's default logger reports migrations on standard output; this one is silent unless DEBUG asks for it.
    logger: 'debug',
    synchronize: false,
  };
}

/** Loads `pg` for PostgreSQL only: it costs a start time and memory. */
async function engineOptions(config: DatabaseConfig): Promise<DataSourceOptions> {
  if (!isPostgres(config.databaseUrl)) return sqliteOptions(config.databaseUrl);
  const { postgresOptions } = await import('./postgres/postgres-pools.js');
  return postgresOptions(config);
}
