import type { DataSource } from 'typeorm';
import { type Capabilities, type CheckCapabilities, requiredTables } from '../tables/capabilities.js';

/**
 * Privileges, and columns: each one of an entity exists, and an insert fills each one that has neither a default nor NULL.
 * Unlike a cast to regclass, `to_regclass` is null for a missing table. A standby's transactions are read-only, too.
 */
const CAPABILITIES = `WITH "required" AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS "required" ("capability", "table", "privilege")
  ), "known" AS (
    SELECT "table", "column"::name FROM unnest($4::text[], $5::text[]) AS "known" ("table", "column")
  ), "columns" AS (
    SELECT "table", "attname" AS "column", "attnotnull" AND NOT "atthasdef" AND "attidentity" = '' AS "isRequired"
    FROM (SELECT DISTINCT "table" FROM "required") AS "tables"
    JOIN "pg_attribute" ON "attrelid" = to_regclass(quote_ident("table"))
    WHERE "attnum" > 0 AND NOT "attisdropped"
  ), "incomplete" AS (
    TABLE "known" EXCEPT SELECT "table", "column" FROM "columns"
  ), "unfilled" AS (
    SELECT "table", "column" FROM "columns" WHERE "isRequired" EXCEPT TABLE "known"
  ), "requirements" AS (
    SELECT "capability", coalesce(has_table_privilege(to_regclass(quote_ident("table")), "privilege"), false)
      AND "table" NOT IN (SELECT "table" FROM "incomplete")
      AND ("capability" = 'reads' OR "table" NOT IN (SELECT "table" FROM "unfilled")) AS "isMet"
    FROM "required"
  )
  SELECT bool_and("isMet") FILTER (WHERE "capability" = 'reads') AS "reads",
    bool_and("isMet") FILTER (WHERE "capability" = 'writes')
      AND current_setting('transaction_read_only') = 'off' AS "writes"
  FROM "requirements"`;

interface Requirement {
  readonly capability: keyof Capabilities;
  readonly table: string;
  readonly privilege: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';
}

export function postgresCapabilities(dataSource: DataSource): CheckCapabilities {
  const tables = requiredTables(dataSource);
  const required = requirements(tables);
  const columns = [...tables.columns].flatMap(([table, names]) => names.map((column) => ({ table, column })));
  const parameters = [
    required.map(({ capability }) => capability),
    required.map(({ table }) => table),
    required.map(({ privilege }) => privilege),
    columns.map(({ table }) => table),
    columns.map(({ column }) => column),
  ];
  return async () => {
    const [capabilities]: Capabilities[] = await dataSource.query(CAPABILITIES, parameters);
    // An aggregate has one row.
    return capabilities!;
  };
}

function requirements({ read, written, changed, sequences }: ReturnType<typeof requiredTables>): Requirement[] {
  return [
    ...read.map((table) => ({ capability: 'reads', table, privilege: 'SELECT' }) as const),
    ...written.map((table) => ({ capability: 'writes', table, privilege: 'INSERT' }) as const),
    ...changed.flatMap((table) => [
      { capability: 'writes', table, privilege: 'UPDATE' } as const,
      { capability: 'writes', table, privilege: 'DELETE' } as const,
    ]),
    ...(['SELECT', 'INSERT', 'UPDATE'] as const).map(
      (privilege) => ({ capability: 'writes', table: sequences, privilege }) as const,
    ),
  ];
}
