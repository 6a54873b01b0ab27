import { INT64_MAX } from '../../../values/int64.js';
import { type Cells, quote, type TableColumn, type TableDescription } from '../../tables/columns/table-columns.js';
import { driverErrorOf } from '../../tables/driver-error.js';
import { RowDropped, SequenceExhausted } from '../../tables/failed-inserts.js';
import { UniqueConflict } from '../../tables/conflicts.js';
import { sqlStateOf } from '../postgres-fault.js';
import type { Statement, StatementRunner } from '../postgres-statements.js';
import { statementOf } from './postgres-rows.js';
import { rowFault } from './row-faults.js';

/** Stores rows under the next ids of their table. */
export class PostgresInserts {
  readonly #name: string;
  readonly #insert: Statement;
  readonly #insertNow: Statement;
  readonly #skipIds: Statement;

  constructor(private readonly table: TableDescription) {
    const { name, stored } = table;
    this.#name = name;
    this.#insert = insertStatement(name, stored, TAKE);
    this.#insertNow = insertStatement(name, stored, TAKE_NOW);
    this.#skipIds = skipIdsStatement(name);
  }

  /** Stores all rows or none, and returns their ids. */
  insertAll(server: StatementRunner, rows: readonly Cells[]): Promise<bigint[]> {
    return this.#insertRows(server, this.#insert, rows);
  }

  /** Fails at once, with a lock_not_available, while another transaction has taken ids of the table. */
  async insertNow(server: StatementRunner, row: Cells): Promise<bigint> {
    const [id] = await this.#insertRows(server, this.#insertNow, [row]);
    return id!; // One row, one id.
  }

  async #insertRows(server: StatementRunner, statement: Statement, rows: readonly Cells[]): Promise<bigint[]> {
    const count = BigInt(rows.length);
    const columns = this.table.stored.map((_, index) => rows.map((cells) => cells[index]));
    const [taken] = await this.#run(server, statement, [this.#name, count, INT64_MAX - count, ...columns], rows);
    if (taken === undefined) throw new SequenceExhausted(this.#name);
    const last = taken[0] as bigint;
    return rows.map((_, index) => last - count + BigInt(index) + 1n);
  }

  /** Only the conflict of a single row is described: after one of several rows, GroupCommit inserts each by itself. */
  async #run(server: StatementRunner, statement: Statement, values: unknown[], rows: readonly Cells[]) {
    try {
      return await server.run(statement, values);
    } catch (error) {
      const [cells] = rows;
      if (!cells || rows.length > 1) throw error;
      if (isDrop(error)) throw new RowDropped(this.#name, { cause: error });
      const names = this.table.stored.map(({ name }) => name);
      throw rowFault(error, this.table, { changed: { names, cells } });
    }
  }

  /**
   * Skips ids after meeting one that is taken: as many as were `skipped` before, which doubles the total, so that any
   * number of taken ids is soon passed. Resolves with the total.
   */
  async skipIds(server: StatementRunner, skipped: bigint): Promise<bigint> {
    const count = skipped || 1n;
    await server.run(this.#skipIds, [this.#name, count, INT64_MAX]);
    return skipped + count;
  }
}

/** Whether an insert met a taken id: that of a row inserted by hand, which the sequence has yet to reach. */
export function isTakenId(error: unknown): boolean {
  return error instanceof UniqueConflict && error.columns.join() === 'id';
}

/** Where the name of the table and the number of rows come from. */
const TAKE = { before: '', from: 'VALUES ($1, $2)' };
const TAKE_NOW = {
  before: `"free" AS (SELECT FROM "sequences" WHERE "name" = $1::varchar FOR UPDATE NOWAIT), `,
  from: 'SELECT $1::varchar, $2::bigint FROM (SELECT count(*) FROM "free") AS "locked"',
};

/** Not a valid bigint: a plain statement can raise an error only by such a cast. */
const DROPPED = 'a trigger has dropped a row up to ';
const INVALID_TEXT_REPRESENTATION = '22P02';

/** Whether an insert has failed because fewer rows were stored than were given. */
function isDrop(error: unknown): boolean {
  return sqlStateOf(error) === INVALID_TEXT_REPRESENTATION && driverErrorOf(error).message.includes(DROPPED);
}

/**
 * One statement takes as many ids as there are rows, and locks the sequence's row until the commit. So ids become visible
 * in ascending order, even with several services: no smaller id appears after a page was read. (ADR 3.)
 */
function insertStatement(table: string, columns: readonly TableColumn[], take: typeof TAKE): Statement {
  const names = ['id', ...columns.map(({ name }) => name)].map(quote).join(', ');
  // Numbers instead of the names of the columns, one of which may be "position".
  const values = columns.map((_, index) => quote(String(index)));
  const lists = columns.map(({ type }, index) => `$${index + 4}::${type}[]`);
  const hasValues = columns.length > 0;
  const text = `WITH ${take.before}"taken" AS (
      INSERT INTO "sequences" ("name", "last") ${take.from} ON CONFLICT ("name")
      DO UPDATE SET "last" = "sequences"."last" + excluded."last" WHERE "sequences"."last" <= $3
      RETURNING "last"
    ), "stored" AS (
      INSERT INTO ${quote(table)} (${names})
      SELECT ${['"taken"."last" - $2::bigint + "row"."position"', ...values.map((value) => `"row".${value}`)].join(', ')}
      FROM "taken", ${hasValues ? `unnest(${lists.join(', ')})` : 'generate_series(1, $2::bigint)'}
      WITH ORDINALITY AS "row" (${[...(hasValues ? values : ['"0"']), '"position"'].join(', ')})
      RETURNING true
    )
    SELECT CASE WHEN (SELECT count(*) FROM "stored") = $2 THEN "last" ELSE ('${DROPPED}' || "last")::bigint END
    FROM "taken"`;
  return statementOf(`${table}_insert`, text);
}

function skipIdsStatement(table: string): Statement {
  const text = `INSERT INTO "sequences" ("name", "last") VALUES ($1, $2) ON CONFLICT ("name")
    DO UPDATE SET "last" = "sequences"."last" + least(excluded."last", $3 - "sequences"."last")`;
  return statementOf(`${table}_skip`, text);
}
