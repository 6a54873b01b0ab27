import { DatabaseUnavailable } from './database-unavailable.js';

/** SQLite's primary result codes that concern the state of the database, not the statement. */
const SQLITE_UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|READONLY|CORRUPT|NOTADB|PROTOCOL|NOMEM)/;

/**
 * SQLSTATEs of PostgreSQL (its appendix A) for the same: connections, resources, locks, shutdowns, a read-only standby, a
 * statement timeout, a login or a database that is not allowed now.
 */
const POSTGRES_UNAVAILABLE = /^(08...|25006|28...|3D000|40...|53...|55...|57...|58...|XX...)$/;

/** Node's codes for a network, a socket file or a certificate; unlike these, PostgreSQL's codes contain digits. */
const NODE_UNAVAILABLE = /^((?!ERR_|SQLITE_)[A-Z_]+|ERR_(TLS|SSL)_.*)$/;

const UNAVAILABLE = [SQLITE_UNAVAILABLE, POSTGRES_UNAVAILABLE, NODE_UNAVAILABLE];

/** Messages of `pg` that have no code. */
const PG_UNAVAILABLE =
  /^(timeout exceeded|Connection terminated|Query read timeout|Client (has encountered|was closed)|Cannot use a pool|The server does not support SSL|There was an error establishing an SSL)/;

/** The error to throw for a failed statement: DatabaseUnavailable unless the statement itself is at fault. */
export function databaseFault(error: unknown, isOpen: boolean): unknown {
  // TypeORM's errors have the code of the driver's error.
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const isUnavailable = UNAVAILABLE.some((codes) => codes.test(code)) || PG_UNAVAILABLE.test(message);
  return isUnavailable || !isOpen ? new DatabaseUnavailable(error) : error;
}
