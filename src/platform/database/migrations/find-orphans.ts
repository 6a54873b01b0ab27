import type Database from 'better-sqlite3';
import { quote } from '../tables/columns/table-columns.js';
import { primaryKeyOf } from './runners/read-tables.js';

/** Rows that refer to the same missing row. */
export interface Orphans {
  readonly table: string;
  readonly parent: string;
  /** The columns that refer to it, quoted, and separated by commas. */
  readonly columns: string;
  /** Their cells, as literals of SQL. */
  readonly cells: string;
  readonly count: number;
  /** The greatest id of these rows; null if the table has none. */
  readonly id: bigint | number | string | null;
}

/** A foreign key with orphans. */
interface Key {
  readonly table: string;
  readonly parent: string;
  /** The number of the foreign key. */
  readonly fkid: number;
}

/** A column of a foreign key. */
interface Reference {
  readonly from: string;
  /** Null for a column of the primary key. */
  readonly to: string | null;
}

const KEYS = `SELECT DISTINCT "table", "parent", "fkid" FROM pragma_foreign_key_check`;
const REFERENCES = `SELECT "from", "to" FROM pragma_foreign_key_list(?) WHERE "id" = ? ORDER BY "seq"`;
const COLUMNS = `SELECT "name" FROM pragma_table_info(?)`;

/** Every row of every table that refers to a missing row. Reads all rows with foreign keys. */
export function findOrphans(connection: Database.Database): Orphans[] {
  const keys = connection.prepare<[], Key>(KEYS).all();
  return keys.flatMap((key) => orphansOf(connection, key));
}

function orphansOf(connection: Database.Database, { table, parent, fkid }: Key): Orphans[] {
  const namesOf = (text: string, of: string) => connection.prepare<[string], string>(text).pluck().all(of);
  const references = connection.prepare<[string, number], Reference>(REFERENCES).all(table, fkid);
  const primary = primaryKeyOf(connection, parent);
  const cells = references.map(({ from }) => `"child".${quote(from)}`);
  const conditions = cells.map((cell) => `${cell} IS NOT NULL`);
  // Without its table, each row is an orphan.
  if (namesOf(COLUMNS, parent).length > 0) {
    // A foreign key without columns has as many as the primary key.
    const equal = references.map(({ to }, index) => `"parent".${quote(to ?? primary[index]!)} = ${cells[index]}`);
    conditions.push(`NOT EXISTS (SELECT 1 FROM ${quote(parent)} AS "parent" WHERE ${equal.join(' AND ')})`);
  }
  const id = namesOf(COLUMNS, table).includes('id') ? 'max("child"."id")' : 'NULL';
  const found = connection
    .prepare<[], Pick<Orphans, 'cells' | 'count' | 'id'>>(
      `SELECT ${cells.map((cell) => `quote(${cell})`).join(` || ', ' || `)} AS "cells", count(*) AS "count", ${id} AS "id"
         FROM ${quote(table)} AS "child" WHERE ${conditions.join(' AND ')} GROUP BY 1`,
    )
    .all();
  const columns = references.map(({ from }) => quote(from)).join(', ');
  return found.map((each) => ({ ...each, table, parent, columns }));
}
