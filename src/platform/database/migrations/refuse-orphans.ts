import type Database from 'better-sqlite3';
import { entityError } from '../tables/columns/entity-error.js';
import { quote } from '../tables/columns/table-columns.js';

/** A row of `PRAGMA foreign_key_check`. */
interface Orphan {
  readonly table: string;
  readonly parent: string;
  /** The number of the foreign key. */
  readonly fkid: number;
}

/** A column of a foreign key. */
interface Reference {
  readonly from: string;
  /** Null for the primary key. */
  readonly to: string | null;
}

/**
 * Throws a StartError when a row refers to a missing one. SQLite checks only rows that change, and none during a migration,
 * whereas PostgreSQL checks all rows when a foreign key is added.
 */
export function refuseOrphans(connection: Database.Database, migration: string): void {
  const [orphan] = connection.pragma('foreign_key_check') as Orphan[];
  if (!orphan) return;
  const { table, parent, fkid } = orphan;
  const references = connection
    .prepare<unknown[], Reference>('SELECT "from", "to" FROM pragma_foreign_key_list(?) WHERE "id" = ? ORDER BY "seq"')
    .all(table, fkid);
  const columns = references.map(({ from }) => quote(from)).join(', ');
  throw entityError(
    { name: migration },
    undefined,
    `${migration} leaves ${rowText(connection, orphan, references)} of "${table}" without the row of "${parent}" to which it refers by ${columns}; correct or delete such rows, in the migration or before it.`,
  );
}

/** `row 7` if the table has ids, and its foreign key names the columns of the other table. */
function rowText(connection: Database.Database, { table, parent }: Orphan, references: readonly Reference[]): string {
  const columns = connection.prepare('SELECT "name" FROM pragma_table_info(?)').pluck();
  const isNamed = references.every(({ to }) => to !== null && columns.all(parent).includes(to));
  if (!isNamed || !columns.all(table).includes('id')) return 'a row';
  const present = references.map(({ from }) => `"child".${quote(from)} IS NOT NULL`);
  // `isNamed`.
  const equal = references.map(({ from, to }) => `"parent".${quote(to!)} = "child".${quote(from)}`);
  const id: unknown = connection
    .prepare(
      `SELECT "id" FROM ${quote(table)} AS "child" WHERE ${present.join(' AND ')}
         AND NOT EXISTS (SELECT 1 FROM ${quote(parent)} AS "parent" WHERE ${equal.join(' AND ')}) LIMIT 1`,
    )
    .pluck()
    .safeIntegers()
    .get();
  return `row ${String(id)}`;
}
