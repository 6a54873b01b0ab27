import { QueryRunnerAlreadyReleasedError } from 'typeorm';
import { postgresFault, sqlStateOf } from '../postgres/postgres-fault.js';
import { DatabaseUnavailable } from '../tables/database-unavailable.js';
import { driverErrorOf } from '../tables/driver-error.js';

/** SQLSTATEs of a refused login and of a database that does not exist: the address must be corrected. */
const WRONG_ADDRESS = /^(28|3D)/;

/** What a pooler in transaction mode reports without DATABASE_POOLER, with the SQLSTATE of its own outages. */
const UNSUPPORTED = /unsupported startup parameter/;

/** Messages of `pg` without a code: the server has no TLS, the address has no password. */
const MISCONFIGURED = /does not support SSL|^SASL: /;

/** Codes of the operating system, such as ECONNREFUSED and EAI_AGAIN. Those of certificates have other forms. */
const SYSTEM_ERROR = /^E(AI_)?[A-Z]+$/;

/**
 * Whether an error of opening PostgreSQL may pass without intervention. Otherwise the configuration, a certificate or
 * the database must be changed, and waiting would hide that.
 */
export function isPassing(error: unknown): boolean {
  // TypeORM releases a runner whose connection was lost between two statements, such as the one that holds a lock.
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  const fault = postgresFault(error, true);
  if (!(fault instanceof DatabaseUnavailable)) return false;
  const reason = fault.cause ?? error;
  const sqlState = sqlStateOf(reason);
  const { code, syscall, message } = driverErrorOf(reason) as NodeJS.ErrnoException;
  if (sqlState !== undefined) return !WRONG_ADDRESS.test(sqlState) && !UNSUPPORTED.test(message);
  if (code !== undefined) return SYSTEM_ERROR.test(code) && syscall !== 'open';
  return !MISCONFIGURED.test(message);
}
