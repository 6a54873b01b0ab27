import { DomainError } from '../../errors/domain-error.js';
import type Database from 'better-sqlite3';
import type { TableDescription } from '../tables/columns/table-columns.js';
import { keySearches, reportedProperties, type Search, type WrittenRow } from '../tables/changes/key-searches.js';
import { type BrokenRule, refusedRow } from '../tables/changes/refused-row.js';
import { referenceSearches } from '../tables/changes/reference-searches.js';
import { ForeignKeyConflict, UniqueConflict } from '../tables/conflicts.js';
import { DatabaseUnavailable } from '../tables/database-unavailable.js';
import { driverErrorOf } from '../tables/driver-error.js';
import { FileFault } from './files/file-fault.js';

/** SQLite's primary result codes that concern the state of the database, not the statement. */
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|READONLY|CORRUPT|NOTADB|PROTOCOL|NOMEM)/;

/** The message for ON DELETE RESTRICT, which SQLite implements as a trigger and reports with the code of one. */
const FOREIGN_KEY = 'FOREIGN KEY constraint failed';

/** SQLite's only report of the columns: `UNIQUE constraint failed: owners.email, owners.tenant`. */
const COLUMNS = /^UNIQUE constraint failed: (.*)$/;

/**
 * The error to throw for a failed statement: DatabaseUnavailable, a Conflict or the error itself. It recognises errors by
 * the class of the driver, so that an error of a feature stays what it is, whatever its code.
 */
export function sqliteFault(error: unknown, isOpen: boolean): unknown {
  if (error instanceof DomainError) return error;
  if (!isOpen || error instanceof FileFault) return new DatabaseUnavailable(error);
  if (!isSqliteError(error)) return error;
  const { code = '', message } = driverErrorOf(error);
  if (UNAVAILABLE.test(code)) return new DatabaseUnavailable(error);
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY' || message === FOREIGN_KEY)
    return new ForeignKeyConflict(undefined, { cause: error });
  return code === 'SQLITE_CONSTRAINT_UNIQUE'
    ? new UniqueConflict(columnsOf(message), undefined, { cause: error })
    : error;
}

/**
 * The error to throw where a statement for one row has failed: a Conflict with its properties, one that names the rule which the
 * row breaks, or the error itself. Call it in the transaction of the statement, so that it sees the same rows.
 */
export function rowFault(
  error: unknown,
  connection: Database.Database,
  table: TableDescription,
  row: WrittenRow,
): unknown {
  const fault = sqliteFault(error, true);
  const finds = ({ text, values }: Search): boolean => {
    // SQLite takes $1, $2 and so on for names.
    const named = Object.fromEntries(values.map((value, index) => [index + 1, value]));
    return connection.prepare(text).get(named) !== undefined;
  };
  if (fault instanceof ForeignKeyConflict)
    return new ForeignKeyConflict(referenceSearches(table, row).find(finds)?.key, { cause: error });
  if (!(fault instanceof UniqueConflict)) return refusedRow(error, table, brokenRule(error));
  const properties = keySearches(table, row).find(finds)?.properties;
  return new UniqueConflict(properties ?? reportedProperties(table, fault.columns), table.name, { cause: error });
}

/** SQLite's only reports: `NOT NULL constraint failed: toys.name`, and `CHECK constraint failed: CHK_1` without the table. */
function brokenRule(error: unknown): BrokenRule {
  const { code, message } = driverErrorOf(error);
  const reported = message.slice(message.indexOf(': ') + 2);
  if (code === 'SQLITE_CONSTRAINT_CHECK') return { check: reported };
  if (code !== 'SQLITE_CONSTRAINT_NOTNULL') return {};
  const point = reported.indexOf('.');
  return { table: reported.slice(0, point), column: reported.slice(point + 1) };
}

/** Not by `instanceof`: the driver keeps the first class that it was given, and Jest loads one for each test file. */
export function isSqliteError(error: unknown): boolean {
  return driverErrorOf(error).name === 'SqliteError';
}

/** Without the name of the table. Empty for an index of expressions, whose name SQLite reports instead. */
function columnsOf(message: string): string[] {
  const list = COLUMNS.exec(message)?.[1] ?? '';
  return list.startsWith('index ') ? [] : list.split(', ').map((column) => column.slice(column.indexOf('.') + 1));
}
