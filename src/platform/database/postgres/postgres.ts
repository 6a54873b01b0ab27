import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

export function isPostgres(databaseUrl: string): boolean {
  return /^postgres(ql)?:/.test(databaseUrl);
}

/**
 * The address without user, password and parameters: `postgres://host:5432/app`, or `postgres://%2Fvar%2Frun%2Fpostgresql/app`
 * for a Unix socket, whose directory may also be given as `?host=`.
 */
export function postgresName(databaseUrl: string): string {
  const { host, pathname, searchParams } = new URL(databaseUrl);
  const socket = searchParams.get('host');
  return `postgres://${socket === null ? host : encodeURIComponent(socket)}${pathname}`;
}

/** Whether prepared statements last. Behind a pooler, which gets no statement timeout as an option, they may not. */
export function keepsPreparedStatements(dataSource: DataSource): boolean {
  return 'statement_timeout' in (dataSource.options.extra as object);
}

/** The pool that TypeORM opened, or undefined before; hot statements bypass TypeORM. */
export function postgresPool(dataSource: DataSource): Pool {
  return (dataSource.driver as PostgresDriver).master as Pool;
}
