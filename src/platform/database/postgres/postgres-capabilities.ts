import type { DataSource } from 'typeorm';
import { type Capabilities, type CheckCapabilities, requiredTables } from '../tables/capabilities.js';

/** Milliseconds after which a lock is lasting: statements that wait longer fail, and migrations hold locks for less. */
const MAX_LOCK_TIME = 2000;

/**
 * Checks privileges, columns and locks. Each column of an entity must exist, and an insert must fill each column that
 * has neither a default nor NULL. Unlike a cast to regclass, `to_regclass` is null for a missing table. A standby is
 * not writable either: its transactions are read-only. Returns the transactions that hold or await a lock that
 * conflicts with reads or writes: statements queue behind both.
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
  ), "locks" AS (
    SELECT "capability", string_agg(DISTINCT "virtualtransaction", ' ') AS "transactions"
    FROM "required" JOIN "pg_locks" ON "relation" = to_regclass(quote_ident("table"))
    WHERE "database" = (SELECT "oid" FROM "pg_database" WHERE "datname" = current_database())
      AND ("mode" = 'AccessExclusiveLock'
        OR "capability" = 'writes' AND "mode" IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock'))
    GROUP BY "capability"
  )
  SELECT bool_and("isMet") FILTER (WHERE "capability" = 'reads') AS "reads",
    bool_and("isMet") FILTER (WHERE "capability" = 'writes')
      AND current_setting('transaction_read_only') = 'off' AS "writes",
    (SELECT "transactions" FROM "locks" WHERE "capability" = 'reads') AS "readLocks",
    (SELECT "transactions" FROM "locks" WHERE "capability" = 'writes') AS "writeLocks"
  FROM "requirements"`;

interface Row extends Capabilities {
  /** Transactions, with spaces in between; null for none. */
  readonly readLocks: string | null;
  readonly writeLocks: string | null;
}

/** The transactions that lock a table, as the checks see them. */
class Locks {
  /** By transaction, when a check first saw it, as `performance.now()`. */
  #since = new Map<string, number>();

  /** Whether one of them has been seen for so long that statements fail. */
  areLasting(transactions: string | null): boolean {
    const now = performance.now();
    const seen = transactions?.split(' ').map((name) => [name, this.#since.get(name) ?? now] as const);
    this.#since = new Map(seen);
    return [...this.#since.values()].some((since) => now - since >= MAX_LOCK_TIME);
  }
}

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
  const [readLocks, writeLocks] = [new Locks(), new Locks()];
  return async () => {
    const rows: Row[] = await dataSource.query(CAPABILITIES, parameters);
    const row = rows[0]!; // An aggregate returns one row.
    return {
      reads: row.reads && !readLocks.areLasting(row.readLocks),
      writes: row.writes && !writeLocks.areLasting(row.writeLocks),
    };
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
