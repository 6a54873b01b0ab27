import type { DataSource } from 'typeorm';
import { type ExistingColumn, type ExistingTable, foreignKeyText, columnsText, uniqueText } from './existing-table.js';
import { checksOf, silentConflictsOf } from './sqlite-text.js';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  /** The position in the primary key, from 1; 0 outside of it. */
  readonly pk: number;
  /** 2 or 3 for a generated column. */
  readonly hidden: number;
}

const UNIQUES = `SELECT "list"."name", "partial", json_group_array("info"."name") AS "columns"
  FROM pragma_index_list(?) AS "list", pragma_index_info("list"."name") AS "info" WHERE "unique" GROUP BY "list"."name"`;

/** What a foreign key refers to that names no columns. */
const KEY = `(SELECT "name" FROM pragma_table_info("key"."table") AS "info" WHERE "info"."pk" = "key"."seq" + 1)`;

const FOREIGN_KEYS = `SELECT "table" AS "target", "on_delete" AS "onDelete", "on_update" AS "onUpdate",
    json_group_array("from") AS "columns", json_group_array(coalesce("to", ${KEY})) AS "targetColumns"
  FROM pragma_foreign_key_list(?) AS "key" GROUP BY "id"`;

const TEXT = `SELECT "sql" FROM "sqlite_schema" WHERE "type" = 'table' AND "name" = ?`;

/** Reads what an SQLite file has of these tables, by their names. */
export async function sqliteTables(
  dataSource: DataSource,
  tables: readonly string[],
): Promise<Map<string, ExistingTable>> {
  const read = async (table: string) => [table, await readTable(dataSource, table)] as const;
  return new Map(await Promise.all(tables.map(read)));
}

async function readTable(dataSource: DataSource, table: string): Promise<ExistingTable> {
  const read = <Row>(text: string): Promise<Row[]> => dataSource.query<Row[]>(text, [table]);
  const columns = await read<Column>('SELECT * FROM pragma_table_xinfo(?)');
  const uniques = await read<{ name: string; partial: number; columns: string }>(UNIQUES);
  const foreignKeys =
    await read<Record<'target' | 'onDelete' | 'onUpdate' | 'columns' | 'targetColumns', string>>(FOREIGN_KEYS);
  const [{ sql } = { sql: '' }] = await read<{ sql: string }>(TEXT);
  const described = columns.map(async (column) => [column.name, await describe(dataSource, table, column)] as const);
  return {
    columns: new Map(await Promise.all(described)),
    key: columnsText(columns.filter(({ pk }) => pk > 0).map(({ name }) => name)),
    uniques: new Set(uniques.map((it) => uniqueText(listOf(it.columns), it.partial === 1 ? it.name : undefined))),
    foreignKeys: new Set(
      foreignKeys.map((it) =>
        foreignKeyText({ ...it, columns: listOf(it.columns), targetColumns: listOf(it.targetColumns) }),
      ),
    ),
    checks: new Set(checksOf(sql).flatMap(({ name }) => name ?? [])),
    silentConflicts: silentConflictsOf(sql),
  };
}

const listOf = (json: string): string[] => JSON.parse(json) as string[];

async function describe(dataSource: DataSource, table: string, column: Column): Promise<ExistingColumn> {
  const { name, type, notnull, pk, dflt_value: standard, hidden } = column;
  const isGenerated = hidden > 1;
  const affinity = affinityOf(type);
  const comparesBytes = affinity !== 'TEXT' || (await isBinary(dataSource, table, name));
  return {
    type: `${type.toLowerCase()}${comparesBytes ? '' : ' with a collation'}`,
    stores: (declared) => comparesBytes && affinityOf(declared) === affinity,
    isRequired: notnull === 1 || pk > 0,
    isFilled: isGenerated || standard !== null,
    isGenerated,
  };
}

/** SQLite converts what it stores by the affinity of a column, and ignores the rest of its type: an int64 in REAL is rounded. */
export function affinityOf(type: string): string {
  const rule = AFFINITIES.find(([pattern]) => pattern.test(type));
  return rule ? rule[1] : 'NUMERIC';
}

/** https://www.sqlite.org/datatype3.html#determination_of_column_affinity */
const AFFINITIES: readonly (readonly [RegExp, string])[] = [
  [/INT/i, 'INTEGER'],
  [/CHAR|CLOB|TEXT/i, 'TEXT'],
  [/BLOB|^$/i, 'BLOB'],
  [/REAL|FLOA|DOUB/i, 'REAL'],
];

/** Whether a column compares texts by their bytes. UNION compares by the collation of its first part. */
async function isBinary(dataSource: DataSource, table: string, column: string): Promise<boolean> {
  const rows = await dataSource.query<unknown[]>(
    `SELECT "${column}" FROM "${table}" WHERE 0 UNION SELECT 'a' UNION SELECT 'A' UNION SELECT 'a '`,
  );
  return rows.length === 3;
}
