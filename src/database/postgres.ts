import type { Pool } from 'pg';
import type { DataSource, DataSourceOptions } from 'typeorm';
import type { DatabaseConfig } from '../config.js';

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

export function isPostgres(databaseUrl: string): boolean {
  return /^postgres(ql)?:/.test(databaseUrl);
}

/** `postgres://host:5432/pets`: without the user, the password and whatever else the address says. */
export function postgresName(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `postgres://${host}${pathname}`;
}

/** TLS, and whatever else `pg` knows, is part of the address: `?sslmode=verify-full&sslrootcert=/etc/ssl/pets.pem`. */
export function postgresOptions(config: DatabaseConfig): PostgresOptions {
  const { databaseStatementTimeout: statementTimeout } = config;
  return {
    type: 'postgres',
    url: config.databaseUrl,
    applicationName: 'pet-store',
    poolSize: config.databasePoolSize,
    connectTimeoutMS: config.databaseConnectTimeout,
    installExtensions: false,
    // An idle connection that ends is replaced by the next request that needs one.
    poolErrorHandler: () => undefined,
    extra: {
      keepAlive: true,
      // Here, for a server that is silent; and there, for a statement that nobody waits for any more. A pooler refuses
      // to be told the latter.
      query_timeout: statementTimeout,
      ...(!config.databasePooler && { statement_timeout: statementTimeout }),
    },
  };
}

/** Whether a statement that is prepared is still there for the next request; behind a pooler it may not be. */
export function keepsStatements(dataSource: DataSource): boolean {
  return 'statement_timeout' in ((dataSource.options as PostgresOptions).extra as object);
}

/** The pool that TypeORM has opened; hot statements go through it directly. */
export function postgresPool(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}
