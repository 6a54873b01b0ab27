import { DatabaseUnavailable } from './database-unavailable.js';

/** Primary result codes of SQLite that say something about the database's state and nothing about the statement. */
const SQLITE_AWAY = /^SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|READONLY|CORRUPT|NOTADB|PROTOCOL|NOMEM)/;

/**
 * The like of PostgreSQL (its appendix A): connections, resources, locks, shutdowns, a server that only reads because
 * another one leads, a statement that took too long, a login or a database that is not allowed at the moment.
 */
const POSTGRES_AWAY = /^(08...|25006|28...|3D000|40...|53...|55...|57...|58...|XX...)$/;

/** What Node says of a network, a socket's file or a certificate; PostgreSQL's codes have digits. */
const NODE_AWAY = /^((?!ERR_|SQLITE_)[A-Z_]+|ERR_(TLS|SSL)_.*)$/;

/** What `pg` says without a code. */
const PG_AWAY =
  /^(timeout exceeded|Connection terminated|Query read timeout|Client (has encountered|was closed)|Cannot use a pool|The server does not support SSL|There was an error establishing an SSL)/;

/** What to throw for a failed statement: a database that is away is told from a statement that is wrong. */
export function databaseFault(error: unknown, isOpen: boolean): unknown {
  // TypeORM's errors carry the code of the driver's.
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const isAway = [SQLITE_AWAY, POSTGRES_AWAY, NODE_AWAY].some((codes) => codes.test(code)) || PG_AWAY.test(message);
  return isAway || !isOpen ? new DatabaseUnavailable(error) : error;
}
