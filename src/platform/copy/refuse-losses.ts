import type { DataSource } from 'typeorm';
import { StartError } from '../process/start-error.js';

/** Tables of TypeORM, which the migrations of the target write. */
const MIGRATED = new Set(['migrations', 'typeorm_metadata']);

/** Without generated columns, whose values follow from others. */
const SQLITE = `SELECT "tables"."name" AS "table", "columns"."name" AS "column"
  FROM "sqlite_schema" AS "tables", pragma_table_info("tables"."name") AS "columns"
  WHERE "tables"."type" = 'table' AND "tables"."name" NOT GLOB 'sqlite_*'`;

/** In the schemas of the search path, without partitions, which are parts of a table, and without tables of extensions. */
const POSTGRES = `SELECT "relname" AS "table", "attname" AS "column"
  FROM "pg_class" AS "tables" JOIN "pg_namespace" AS "schemas" ON "schemas"."oid" = "relnamespace"
  JOIN "pg_attribute" ON "attrelid" = "tables"."oid"
  WHERE "relkind" IN ('r', 'p') AND NOT "relispartition" AND "nspname" = ANY (current_schemas(false))
    AND pg_table_is_visible("tables"."oid") AND "attnum" > 0 AND NOT "attisdropped" AND "attgenerated" = ''
    AND NOT EXISTS (SELECT FROM "pg_depend"
      WHERE "classid" = 'pg_class'::regclass AND "objid" = "tables"."oid" AND "deptype" = 'e')`;

interface Column {
  readonly table: string;
  readonly column: string;
}

/**
 * Throws a StartError when the database has tables or columns that no entity declares, so that a copy would lack them,
 * except those that are `leftOut` on purpose: `audit`, `pets.legacy`.
 */
export async function refuseLosses(
  dataSource: DataSource,
  database: string,
  leftOut: readonly string[],
): Promise<void> {
  const names = await undeclaredNames(dataSource);
  const unknown = leftOut.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new StartError(
      `The database ${database} has no undeclared table or column ${unknown}; remove it from --leave-out.`,
    );
  }
  const lost = names.filter((name) => !leftOut.includes(name));
  if (lost.length === 0) return;
  throw new StartError(
    `No entity declares ${lost.join(', ')} of ${database}, so the copy would lack this; drop it there, or accept that with --leave-out ${names.join()}.`,
  );
}

async function undeclaredNames(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource.query<Column[]>(dataSource.options.type === 'postgres' ? POSTGRES : SQLITE);
  const columnsOf = (table: string): Set<string> | undefined => {
    const entities = dataSource.entityMetadatas.filter(({ tableName }) => tableName === table);
    if (entities.length === 0) return undefined;
    return new Set(entities.flatMap(({ columns }) => columns.map(({ databaseName }) => databaseName)));
  };
  const names = rows
    .filter(({ table, column }) => !MIGRATED.has(table) && !columnsOf(table)?.has(column))
    .map(({ table, column }) => (columnsOf(table) ? `${table}.${column}` : table));
  return [...new Set(names)].toSorted();
}
