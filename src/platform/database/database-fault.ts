import type { DataSource } from 'typeorm';
import { postgresFault } from './postgres/postgres-fault.js';
import { isSqliteError, sqliteFault } from './sqlite/sqlite-fault.js';
import { DatabaseUnavailable } from './tables/database-unavailable.js';

/** The error to throw for an error that the driver of a DataSource has thrown: DatabaseUnavailable, a Conflict or itself. */
export function databaseFault(error: unknown, { options, isInitialized }: DataSource): unknown {
  return options.type === 'postgres' ? postgresFault(error, isInitialized) : sqliteFault(error, isInitialized);
}

/** Whether an error that the driver of either engine has thrown means that a database is unavailable. */
export function isOutage(error: unknown): boolean {
  const faultOf = isSqliteError(error) ? sqliteFault : postgresFault;
  return faultOf(error, true) instanceof DatabaseUnavailable;
}
