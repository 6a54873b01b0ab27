import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

export function isPostgres(databaseUrl: string): boolean {
  return /^postgres(ql)?:/.test(databaseUrl);
}

/**
 * `postgres://host:5432/pets`, or `postgres://%2Fvar%2Frun%2Fpostgresql/pets` of a socket, which `?host=` may name as
 * well: without the user, the password and whatever else the address says.
 */
export function postgresName(databaseUrl: string): string {
  const { host, pathname, searchParams } = new URL(databaseUrl);
  const socket = searchParams.get('host');
  return `postgres://${socket === null ? host : encodeURIComponent(socket)}${pathname}`;
}

/** Whether a statement that is prepared is still there for the next request; behind a pooler it may not be. */
export function keepsStatements(dataSource: DataSource): boolean {
  return 'statement_timeout' in (dataSource.options.extra as object);
}

/** The pool that TypeORM has opened; hot statements go through it directly. */
export function postgresPool(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}
