import type Database from 'better-sqlite3';
import { quote } from '../tables/columns/table-columns.js';
import { affinityOf } from './sqlite-schema.js';

interface KeyColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly parent: string;
  /** Null where there is no such table. A column that is missing, or not unique, fails the check for orphans. */
  readonly target: string | null;
  readonly targetType: string | null;
}

const TARGET = `coalesce("key"."to", (SELECT "name" FROM pragma_table_info("key"."table") WHERE "pk" = "key"."seq" + 1))`;

const COLUMNS = `SELECT "child"."name" AS "table", "key"."from" AS "column", "column"."type", "key"."table" AS "parent",
    "parent"."name" AS "target",
    (SELECT "type" FROM pragma_table_info("key"."table") WHERE "name" = ${TARGET}) AS "targetType"
  FROM "sqlite_schema" AS "child" JOIN pragma_foreign_key_list("child"."name") AS "key"
    JOIN pragma_table_info("child"."name") AS "column" ON "column"."name" = "key"."from"
    LEFT JOIN "sqlite_schema" AS "parent" ON "parent"."type" = 'table' AND "parent"."name" = "key"."table" COLLATE NOCASE
  WHERE "child"."type" = 'table'`;

/** A sentence for each foreign key, of this table or of any, that PostgreSQL would not create. SQLite creates any. */
export function brokenKeys(connection: Database.Database, table?: string): string[] {
  return connection
    .prepare<[], KeyColumn>(COLUMNS)
    .all()
    .filter((key) => table === undefined || key.table === table)
    .flatMap((key) => faultOf(key) ?? []);
}

function faultOf(key: KeyColumn): string | undefined {
  const [column, parent] = [`${quote(key.column)} of ${quote(key.table)}`, quote(key.parent)];
  if (key.target === null) return `${column} refers to the table ${parent}, which does not exist; create it before`;
  if (key.targetType === null || affinityOf(key.type) === affinityOf(key.targetType)) return undefined;
  return `${column} has the type ${key.type}, and cannot refer to ${key.targetType} in ${parent}; give both the same type`;
}

/** Throws an error for a foreign key that is broken and was not before: an old one must not stop later migrations. */
export function refuseBrokenKeys(connection: Database.Database, before: readonly string[], table?: string): void {
  const fault = brokenKeys(connection, table).find((one) => !before.includes(one));
  if (fault !== undefined) throw new Error(fault);
}

/** Throws an error where another table refers to this one. */
export function refuseReferred(connection: Database.Database, table: string): void {
  const key = connection
    .prepare<[], KeyColumn>(COLUMNS)
    .all()
    .find((it) => it.target === table && it.table !== table);
  if (key === undefined) return;
  throw new Error(
    `${quote(key.column)} of ${quote(key.table)} refers to the table ${quote(table)}; drop that foreign key, or ${quote(key.table)}, before`,
  );
}
