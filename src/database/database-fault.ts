import { DatabaseUnavailable } from './database-unavailable.js';

/** Primary result codes that say something about the database's state and nothing about the statement. */
const AWAY = /^SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|READONLY|CORRUPT|NOTADB|PROTOCOL|NOMEM)/;

/** What to throw for a failed statement: a database that is away is told from a statement that is wrong. */
export function databaseFault(error: unknown, isOpen: boolean): unknown {
  // TypeORM's errors carry the code of the driver's.
  const isAway = AWAY.test((error as { code?: string }).code ?? '') || !isOpen;
  return isAway ? new DatabaseUnavailable(error) : error;
}
