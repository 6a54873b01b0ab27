import type { DataSource } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { StartError } from '../process/start-error.js';
import { nameOf } from './tables/columns/entity-error.js';
import { declaredType, typeText } from './tables/columns/declared-type.js';
import { entityError } from './tables/columns/entity-error.js';
import { wholeEntity } from './tables/columns/shared-tables.js';

/** The columns of tables that exist. Finds a table by the search path, as statements do, whatever its privileges. */
const POSTGRES_COLUMNS = `SELECT "name" AS "table", "attname" AS "column",
    format_type("atttypid", "atttypmod") AS "type", "attnotnull" AS "isRequired"
  FROM unnest($1::text[]) AS "required" ("name")
  JOIN "pg_attribute" ON "attrelid" = to_regclass(quote_ident("name"))
  WHERE "attnum" > 0 AND NOT "attisdropped"`;

interface ExistingColumn {
  readonly table: string;
  readonly column: string;
  /** Absent on SQLite, whose types do not limit what a column stores. */
  readonly type?: string;
  readonly isRequired?: boolean;
}

/**
 * Throws a StartError when the database lacks a table or column of an entity although every migration has run: a migration
 * was forgotten, or somebody dropped it. Each request would fail. Also when a column has another type than its entity
 * declares: then values would be rounded, shortened or refused.
 */
export async function refuseOtherColumns(dataSource: DataSource, database: string): Promise<void> {
  // The whole entity of a table has all columns of its other entities.
  const entities = dataSource.entityMetadatas.filter((metadata) => metadata === wholeEntity(metadata));
  const tables = entities.map(({ tableName }) => tableName);
  const isPostgres = dataSource.options.type === 'postgres';
  const existing = isPostgres
    ? await dataSource.query<ExistingColumn[]>(POSTGRES_COLUMNS, [tables])
    : await sqliteColumns(dataSource, tables);
  for (const { name, tableName, columns } of entities) {
    const found = new Set(existing.filter(({ table }) => table === tableName).map(({ column }) => column));
    const missing = columns.find(({ databaseName }) => !found.has(databaseName));
    if (!missing) {
      for (const column of columns) refuseOtherType(column, existing);
      continue;
    }
    const what =
      found.size === 0
        ? `the table "${tableName}"`
        : `the column "${missing.databaseName}" of the table "${tableName}"`;
    throw new StartError(
      `The database ${database} lacks ${what} of ${name}; name the migration that adds it in src/data-source.ts, then run "npm run migrate".`,
    );
  }
}

function refuseOtherType(column: ColumnMetadata, existing: readonly ExistingColumn[]): void {
  const { databaseName, entityMetadata, propertyName } = column;
  const found = existing.find((it) => it.table === entityMetadata.tableName && it.column === databaseName);
  if (found?.type === undefined) return;
  const actual = typeText(found.type, found.isRequired === true);
  const declared = declaredType(column);
  if (actual === declared) return;
  throw entityError(
    entityMetadata,
    propertyName,
    `${nameOf(column)} is ${declared}, but ${actual} in the database; change one of them: the column by a migration that src/data-source.ts names.`,
  );
}

async function sqliteColumns(dataSource: DataSource, tables: readonly string[]): Promise<ExistingColumn[]> {
  const columns: ExistingColumn[] = [];
  for (const table of tables) {
    const rows = await dataSource.query<{ name: string }[]>(`SELECT "name" FROM pragma_table_info(?)`, [table]);
    columns.push(...rows.map(({ name }) => ({ table, column: name })));
  }
  return columns;
}
