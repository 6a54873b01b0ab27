import type { DataSource, QueryRunner } from 'typeorm';
import { quote } from '../tables/columns/table-columns.js';

/** The tables whose ids are integers: an earlier migration may have made others. None before "sequences" exists. */
const SQLITE = `SELECT "tables"."name" FROM "sqlite_schema" AS "tables", pragma_table_info("tables"."name") AS "columns"
  WHERE "tables"."type" = 'table' AND "columns"."name" = 'id' AND lower("columns"."type") IN ('bigint', 'integer')
    AND EXISTS (SELECT 1 FROM "sqlite_schema" WHERE "name" = 'sequences')`;

const POSTGRES = `SELECT "relname" AS "name" FROM "pg_class" JOIN "pg_attribute" ON "attrelid" = "pg_class"."oid"
  WHERE "relkind" IN ('r', 'p') AND "attname" = 'id' AND "atttypid" IN ('bigint'::regtype, 'integer'::regtype) AND NOT "attisdropped" AND pg_table_is_visible("pg_class"."oid")
    AND to_regclass('"sequences"') IS NOT NULL`;

/**
 * Raises the last id in "sequences" to the greatest one of each table. On PostgreSQL, inserts look nowhere else: rows
 * inserted later would get smaller ids than those of a migration, and clients that have read past these would miss them.
 * On SQLite, the last id of an append-only table is only in its rows: the ids of rows that a migration deletes would be
 * given again.
 */
export async function raiseSequences(dataSource: DataSource, runner: QueryRunner): Promise<void> {
  const withIds = dataSource.entityMetadatas.filter(({ columns }) => columns.some((it) => it.propertyName === 'id'));
  const tables = new Set(withIds.map(({ tableName }) => tableName));
  for (const name of await tablesWithIds(dataSource, runner)) {
    if (tables.has(name)) await runner.query(raiseText(name));
  }
}

export async function tablesWithIds(dataSource: DataSource, runner: QueryRunner): Promise<string[]> {
  const isPostgres = dataSource.options.type === 'postgres';
  const rows = (await runner.query(isPostgres ? POSTGRES : SQLITE)) as { name: string }[];
  return rows.map(({ name }) => name);
}

/** Waits for creations, which lock the row of the sequence, only if there is something to raise. */
function raiseText(table: string): string {
  return `INSERT INTO "sequences" ("name", "last")
    SELECT '${table}', "greatest" FROM (SELECT max("id") AS "greatest" FROM ${quote(table)}) AS "ids"
    WHERE "greatest" > coalesce((SELECT "last" FROM "sequences" WHERE "name" = '${table}'), 0)
    ON CONFLICT ("name") DO UPDATE SET "last" = excluded."last" WHERE excluded."last" > "sequences"."last"`;
}
