import type { Cells, TableDescription } from '../../tables/columns/table-columns.js';
import { keySearches, reportedProperties, UniqueConflict } from '../../tables/conflicts.js';
import type { StatementRunner } from '../postgres-statements.js';

const searches = new WeakMap<object, ReturnType<typeof keySearches>>();

/**
 * The error to throw where a statement for one row has failed: a UniqueConflict with the properties of the key that
 * PostgreSQL has reported, or the error itself. The row is new, or that with the id; `names` are its columns with new
 * values, `cells`.
 */
export function rowFault(
  error: unknown,
  table: TableDescription,
  names: readonly string[],
  cells: Cells,
  id?: bigint,
): unknown {
  if (!(error instanceof UniqueConflict)) return error;
  const conflict = new UniqueConflict(reportedProperties(table, error.columns), { cause: error.cause });
  searches.set(conflict, keySearches(table, names, cells, id));
  return conflict;
}

/**
 * The error to throw in the end: its conflict may also be one in a key that comes first. Only after a rollback, because a
 * transaction runs no further statement after a failed one; the rows that it had inserted itself are not found.
 */
export async function finalFault(error: unknown, server: StatementRunner): Promise<unknown> {
  if (!(error instanceof UniqueConflict)) return error;
  try {
    for (const { properties, text, values } of searches.get(error) ?? []) {
      if (properties === error.columns) return error;
      const rows = await server.run({ name: '', text }, values);
      if (rows.length > 0) return new UniqueConflict(properties, { cause: error.cause });
    }
  } catch {
    // What PostgreSQL has reported is true in any case.
  }
  return error;
}
