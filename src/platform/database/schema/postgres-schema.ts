import type { DataSource } from 'typeorm';
import { type ExistingColumn, type ExistingTable, foreignKeyText, columnsText, uniqueText } from './existing-table.js';

/** Finds tables by the search path, as statements do, whatever their privileges. */
const TABLES = `(SELECT "name" AS "table", to_regclass(quote_ident("name")) AS "id" FROM unnest($1::text[]) AS "required" ("name"))
  AS "tables"`;

const COLUMNS = `SELECT "table", "attname" AS "name", format_type("atttypid", "atttypmod") AS "type", "attnotnull" AS "isRequired",
    "atthasdef" OR "attidentity" <> '' AS "isFilled", "attidentity" = 'a' OR "attgenerated" <> '' AS "isGenerated",
    coalesce("collisdeterministic", true) AS "comparesBytes"
  FROM ${TABLES} JOIN "pg_attribute" ON "attrelid" = "id" LEFT JOIN "pg_collation" ON "pg_collation"."oid" = "attcollation"
  WHERE "attnum" > 0 AND NOT "attisdropped"`;

/** The names of the columns with these numbers, in their order, as JSON. */
const names = (table: string, numbers: string): string =>
  `(SELECT json_agg("attname" ORDER BY "position") FROM unnest(${numbers}) WITH ORDINALITY AS "number" ("of", "position")
    JOIN "pg_attribute" ON "attrelid" = ${table} AND "attnum" = "number"."of")::text`;

const UNIQUES = `SELECT "table", "indisprimary" AS "isPrimary",
    CASE WHEN "indpred" IS NOT NULL THEN (SELECT "relname" FROM "pg_class" WHERE "oid" = "indexrelid") END AS "partial",
    ${names('"indrelid"', '("indkey"::int2[])[0:"indnkeyatts" - 1]')} AS "columns"
  FROM ${TABLES} JOIN "pg_index" ON "indrelid" = "id" WHERE "indisunique" AND "indisvalid" AND "indexprs" IS NULL`;

const CONSTRAINTS = `SELECT "table", "contype" AS "kind", "conname" AS "name", "target"."relname" AS "target",
    ${names('"conrelid"', '"conkey"')} AS "columns", ${names('"confrelid"', '"confkey"')} AS "targetColumns",
    "confdeltype" AS "onDelete", "confupdtype" AS "onUpdate"
  FROM ${TABLES} JOIN "pg_constraint" ON "conrelid" = "id" LEFT JOIN "pg_class" AS "target" ON "target"."oid" = "confrelid"
  WHERE "contype" IN ('c', 'f')`;

const ACTIONS: Readonly<Record<string, string>> = {
  a: 'NO ACTION',
  r: 'RESTRICT',
  c: 'CASCADE',
  n: 'SET NULL',
  d: 'SET DEFAULT',
};

interface InTable {
  readonly table: string;
}

interface Column extends InTable {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isFilled: boolean;
  readonly isGenerated: boolean;
  readonly comparesBytes: boolean;
}

interface Unique extends InTable {
  readonly isPrimary: boolean;
  /** The name of an index of some rows. */
  readonly partial: string | null;
  readonly columns: string;
}

type Constraint = InTable &
  Record<'kind' | 'name' | 'target' | 'columns' | 'targetColumns' | 'onDelete' | 'onUpdate', string>;

/** Reads what PostgreSQL has of these tables, by their names. */
export async function postgresTables(
  dataSource: DataSource,
  tables: readonly string[],
): Promise<Map<string, ExistingTable>> {
  const read = <Row>(text: string): Promise<Row[]> => dataSource.query<Row[]>(text, [tables]);
  const columns = await read<Column>(COLUMNS);
  const uniques = await read<Unique>(UNIQUES);
  const constraints = await read<Constraint>(CONSTRAINTS);
  return new Map(
    tables.map((name) => {
      const ofTable = ({ table }: InTable): boolean => table === name;
      return [name, describeTable(columns.filter(ofTable), uniques.filter(ofTable), constraints.filter(ofTable))];
    }),
  );
}

function describeTable(
  columns: readonly Column[],
  uniques: readonly Unique[],
  constraints: readonly Constraint[],
): ExistingTable {
  const key = uniques.find(({ isPrimary }) => isPrimary);
  return {
    columns: new Map(columns.map((column) => [column.name, describe(column)])),
    key: columnsText(key ? listOf(key.columns) : []),
    uniques: new Set(uniques.map((it) => uniqueText(listOf(it.columns), it.partial ?? undefined))),
    foreignKeys: new Set(constraints.filter(({ kind }) => kind === 'f').map(textOf)),
    checks: new Set(constraints.filter(({ kind }) => kind === 'c').map(({ name }) => name)),
    silentConflicts: [],
  };
}

const listOf = (json: string): string[] => JSON.parse(json) as string[];

function textOf({ target, columns, targetColumns, onDelete, onUpdate }: Constraint): string {
  return foreignKeyText({
    columns: listOf(columns),
    target,
    targetColumns: listOf(targetColumns),
    onDelete: ACTIONS[onDelete],
    onUpdate: ACTIONS[onUpdate],
  });
}

/** Both kinds of text are the same without a limit. */
const plain = (type: string): string => (type === 'character varying' ? 'text' : type);

function describe({ type, isRequired, isFilled, isGenerated, comparesBytes }: Column): ExistingColumn {
  return {
    type: `${plain(type)}${comparesBytes ? '' : ' with a collation'}`,
    stores: (declared) => comparesBytes && plain(declared) === plain(type),
    isRequired,
    isFilled,
    isGenerated,
  };
}
