import type { ForeignKey } from '../../tables/columns/foreign-keys.js';
import type { TableDescription } from '../../tables/columns/table-columns.js';
import { ForeignKeyConflict, UniqueConflict } from '../../tables/conflicts.js';
import { driverErrorOf } from '../../tables/driver-error.js';
import { keySearches, reportedProperties, type WrittenRow } from '../../tables/changes/key-searches.js';
import { type BrokenRule, refusedRow } from '../../tables/changes/refused-row.js';
import { referenceSearches } from '../../tables/changes/reference-searches.js';
import { sqlStateOf } from '../postgres-fault.js';
import type { StatementRunner } from '../postgres-statements.js';

interface Failed {
  readonly table: TableDescription;
  readonly row: WrittenRow;
}

/** The rows of conflicts. */
const failed = new WeakMap<object, Failed>();

/**
 * The error to throw where a statement for one row has failed: a UniqueConflict with the properties of the key that
 * PostgreSQL has reported, an error that names the rule which the row breaks, or the error itself.
 */
export function rowFault(error: unknown, table: TableDescription, row: WrittenRow): unknown {
  let conflict = error;
  if (error instanceof UniqueConflict)
    conflict = new UniqueConflict(reportedProperties(table, error.columns), table.name, { cause: error.cause });
  else if (!(error instanceof ForeignKeyConflict)) return refusedRow(error, table, brokenRule(error));
  failed.set(conflict as object, { table, row });
  return conflict;
}

const NOT_NULL_VIOLATION = '23502';
const CHECK_VIOLATION = '23514';

function brokenRule(error: unknown): BrokenRule {
  const { table, column, constraint } = driverErrorOf(error) as Report;
  const state = sqlStateOf(error);
  if (state === NOT_NULL_VIOLATION) return { table, column };
  return state === CHECK_VIOLATION ? { table, check: constraint } : {};
}

/**
 * The error to throw in the end. PostgreSQL reports any one of several conflicts, and of a foreign key only the name of
 * its constraint: this finds the first conflict, and the columns. Call it after the rollback, because a transaction runs
 * no further statement after a failed one. `isAlone`: whether the transaction has changed no other row. Otherwise the
 * rollback has undone those changes too, and only what PostgreSQL has reported is certain.
 */
export async function finalFault(error: unknown, server: StatementRunner, isAlone: boolean): Promise<unknown> {
  const at = failed.get(error as object);
  if (!at) return error;
  try {
    if (error instanceof UniqueConflict) return isAlone ? await firstUnique(error, at, server) : error;
    if (error instanceof ForeignKeyConflict) {
      const key = await brokenKey(error, at, server, isAlone);
      return new ForeignKeyConflict(key, { cause: error.cause });
    }
  } catch {
    // What PostgreSQL has reported is true in any case.
  }
  return error;
}

async function firstUnique(error: UniqueConflict, { table, row }: Failed, server: StatementRunner): Promise<unknown> {
  for (const { properties, text, values } of keySearches(table, row)) {
    if (properties === error.columns) return error;
    const rows = await server.run({ name: '', text }, values);
    if (rows.length > 0) return new UniqueConflict(properties, table.name, { cause: error.cause });
  }
  return error;
}

async function brokenKey(
  error: ForeignKeyConflict,
  { table, row }: Failed,
  server: StatementRunner,
  isAlone: boolean,
): Promise<Pick<ForeignKey, 'table' | 'properties'> | undefined> {
  const reported = await reportedKey(error, table, server);
  if (!reported || !isAlone) return reported;
  for (const { key, text, values } of referenceSearches(table, row)) {
    if (key === reported) return key;
    const rows = await server.run({ name: '', text }, values);
    if (rows.length > 0) return key;
  }
  return reported;
}

/** The columns of a constraint. */
const COLUMNS = `SELECT "attname" FROM "pg_constraint" JOIN "pg_attribute" ON "attrelid" = "conrelid" AND "attnum" = ANY("conkey")
  WHERE "conname" = $1 AND "conrelid" = (quote_ident($2) || '.' || quote_ident($3))::regclass`;

/** What `pg` reports about a constraint. */
interface Report {
  readonly constraint?: string;
  readonly schema?: string;
  readonly table?: string;
  readonly column?: string;
}

/** Undefined for a foreign key that no entity declares. */
async function reportedKey(
  { cause }: ForeignKeyConflict,
  { foreignKeys, deletionKeys, updateKeys }: TableDescription,
  server: StatementRunner,
): Promise<ForeignKey | undefined> {
  const { constraint, schema, table } = driverErrorOf(cause) as Report;
  const rows = await server.run({ name: '', text: COLUMNS }, [constraint, schema, table]);
  const names = rows.map(([name]) => String(name)).toSorted();
  const keys = [...foreignKeys, ...[...deletionKeys, ...updateKeys].map(({ key }) => key)];
  return keys.find((key) => key.table === table && key.names.toSorted().join() === names.join());
}
