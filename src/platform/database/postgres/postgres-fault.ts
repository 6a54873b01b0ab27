import { TypeORMError } from 'typeorm';
import { DomainError } from '../../errors/domain-error.js';
import { ForeignKeyConflict, UniqueConflict } from '../tables/conflicts.js';
import { DatabaseUnavailable } from '../tables/database-unavailable.js';
import { driverErrorOf } from '../tables/driver-error.js';

/**
 * SQLSTATEs of PostgreSQL (its appendix A) that concern the state of the database, not the statement: connections,
 * resources, locks, shutdowns, a read-only standby, a timeout of a statement, a transaction or a session, a login or a database
 * that is not allowed now.
 */
const UNAVAILABLE = /^(08...|25006|25P0[34]|28...|3D000|40...|53...|55...|57...|58...|XX...)$/;

/** Those of them with which PostgreSQL may also end the connection. */
const ENDING = /^(08...|25P0[34]|28...|3D000|53...|57P..|58...|XX...)$/;

const READ_ONLY_TRANSACTION = '25006';
const UNIQUE_VIOLATION = '23505';
const DEADLOCK_DETECTED = '40P01';
const FEATURE_NOT_SUPPORTED = '0A000';
/** foreign_key_violation; restrict_violation since PostgreSQL 18, for ON DELETE RESTRICT. */
const FOREIGN_KEY_VIOLATIONS = new Set(['23503', '23001']);

/** The columns in the detail of a unique violation, in every language: `Key (tenant, "eMail")=(7, a@b.c) already exists.` */
const COLUMNS = /\((.+?)\)=\(/;

/** Whether PostgreSQL reported the error, for a statement or a login; the others are those of `pg` and Node. */
function isReported(error: object): error is { code: string; severity: string; detail?: string; routine?: string } {
  return 'severity' in error && 'code' in error;
}

/** The SQLSTATE of an error that PostgreSQL reported: for its statement, which then has stored nothing. */
export function sqlStateOf(error: unknown): string | undefined {
  const driverError = driverErrorOf(error);
  return isReported(driverError) ? driverError.code : undefined;
}

/** Whether PostgreSQL ended the transaction of a statement because others waited for it, and it for them. */
export function isDeadlock(error: unknown): boolean {
  return sqlStateOf(error instanceof DatabaseUnavailable ? error.cause : error) === DEADLOCK_DETECTED;
}

/**
 * Whether a prepared statement was not executed because a migration has given another type to one of its columns. That holds
 * for every connection that has prepared it, until the connection ends. The message depends on the language of the server.
 */
export function isStalePlan(error: unknown): boolean {
  const reported = driverErrorOf(error instanceof DatabaseUnavailable ? error.cause : error) as { routine?: string };
  return sqlStateOf(reported) === FEATURE_NOT_SUPPORTED && reported.routine === 'RevalidateCachedQuery';
}

/**
 * Whether the server is a standby: it refused a change, or to begin a serializable transaction. Behind a pooler, the server of
 * a connection may change at any time.
 */
function isStandby({ code, routine }: { code: string; routine?: string }): boolean {
  return code === READ_ONLY_TRANSACTION || (code === FEATURE_NOT_SUPPORTED && routine === 'call_enum_check_hook');
}

/**
 * Whether the connection must end after the error of a statement: PostgreSQL did not report it or is ending the connection,
 * every execution of a stale plan would fail, or the server is a standby now, so that another one is the primary.
 */
export function endsConnection(error: unknown): boolean {
  const driverError = driverErrorOf(error);
  if (!isReported(driverError) || isStalePlan(driverError)) return true;
  const { code, severity } = driverError;
  // In another language than English, the severity tells nothing.
  return isStandby(driverError) || (severity !== 'ERROR' && ENDING.test(code));
}

/**
 * The error to throw for a failed statement, given an error of the driver: DatabaseUnavailable, a Conflict, or the error
 * itself. `pg` gives errors of networks, certificates and pools no class in common: whatever PostgreSQL did not report,
 * and is no mistake in the code, means that the database cannot be reached.
 */
export function postgresFault(error: unknown, isOpen: boolean): unknown {
  if (error instanceof DomainError) return error;
  const driverError = driverErrorOf(error);
  if (!isOpen) return new DatabaseUnavailable(error);
  if (isReported(driverError)) return reportedFault(driverError, error);
  const isMistake = [TypeError, RangeError, TypeORMError].some((type) => driverError instanceof type);
  return isMistake ? error : new DatabaseUnavailable(error);
}

function reportedFault(reported: { code: string; detail?: string; routine?: string }, error: unknown): unknown {
  const { code, detail = '' } = reported;
  if (UNAVAILABLE.test(code) || isStandby(reported) || isStalePlan(error)) return new DatabaseUnavailable(error);
  if (FOREIGN_KEY_VIOLATIONS.has(code)) return new ForeignKeyConflict(undefined, { cause: error });
  return code === UNIQUE_VIOLATION ? new UniqueConflict(columnsOf(detail), undefined, { cause: error }) : error;
}

function columnsOf(detail: string): string[] {
  const list = COLUMNS.exec(detail)?.[1] ?? '';
  // The parts of an expression are not columns.
  return list === '' || list.includes('(') ? [] : list.split(', ').map((column) => column.replaceAll('"', ''));
}
