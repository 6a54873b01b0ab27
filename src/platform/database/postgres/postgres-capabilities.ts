import type { DataSource } from 'typeorm';
import { type Capabilities, type CheckCapabilities, requiredTables } from '../tables/capabilities.js';

/** Unlike a cast to regclass, `to_regclass` is null for a missing table. A standby's transactions are read-only, too. */
const CAPABILITIES = `WITH "privileges" AS (
    SELECT "capability", coalesce(has_table_privilege(to_regclass(quote_ident("table")), "privilege"), false) AS "isHeld"
    FROM unnest($1::text[], $2::text[], $3::text[]) AS "required" ("capability", "table", "privilege")
  )
  SELECT bool_and("isHeld") FILTER (WHERE "capability" = 'reads') AS "reads",
    bool_and("isHeld") FILTER (WHERE "capability" = 'writes')
      AND current_setting('transaction_read_only') = 'off' AS "writes"
  FROM "privileges"`;

interface Requirement {
  readonly capability: keyof Capabilities;
  readonly table: string;
  readonly privilege: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';
}

export function postgresCapabilities(dataSource: DataSource): CheckCapabilities {
  const required = requirements(dataSource);
  const parameters = [
    required.map(({ capability }) => capability),
    required.map(({ table }) => table),
    required.map(({ privilege }) => privilege),
  ];
  return async () => {
    const [capabilities]: Capabilities[] = await dataSource.query(CAPABILITIES, parameters);
    // An aggregate has one row.
    return capabilities!;
  };
}

function requirements(dataSource: DataSource): Requirement[] {
  const { read, written, changed, sequences } = requiredTables(dataSource);
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
