import type { DataSource } from 'typeorm';
import { INT64_MAX } from '../../../values/int64.js';
import { Conflict } from '../../tables/conflicts.js';
import { DatabaseUnavailable } from '../../tables/database-unavailable.js';
import { GroupCommit } from '../../tables/group-commit.js';
import { SequenceExhausted } from '../../tables/sequence-exhausted.js';
import { sqlStateOf } from '../postgres-fault.js';
import { keepsPreparedStatements, postgresPool } from '../postgres.js';
import { PostgresReader } from './postgres-reader.js';
import { PostgresStatements, type Statement } from '../postgres-statements.js';
import type { KeysetTable, PageRequest, Row } from '../../tables/keyset-table.js';
import { quote, type TableColumn, type TableDescription } from '../../tables/table-columns.js';

type Values = Record<string, unknown>;

export class PostgresTable<Entity extends { id: bigint }> implements KeysetTable<Entity> {
  readonly #server: PostgresStatements;
  readonly #reader: PostgresReader<Entity>;
  readonly #name: string;
  /** All but the id. */
  readonly #columns: readonly TableColumn[];
  readonly #insert: Statement;
  readonly #skipId: Statement;
  readonly #inserts = new GroupCommit<Values, bigint>(
    (rows) => this.#commit(rows),
    // The statement is a transaction of its own.
    (error) => error instanceof SequenceExhausted || error instanceof Conflict || sqlStateOf(error) !== undefined,
  );

  constructor(dataSource: DataSource, table: TableDescription) {
    this.#server = new PostgresStatements(postgresPool(dataSource), keepsPreparedStatements(dataSource));
    this.#reader = new PostgresReader(table);
    this.#name = table.name;
    this.#columns = table.columns.filter(({ property }) => property !== 'id');
    this.#insert = insertStatement(table.name, this.#columns);
    this.#skipId = skipIdStatement(table.name);
  }

  page(request: PageRequest<Entity>): Promise<Row<Entity>[]> {
    return this.#reader.page(this.#server, request);
  }

  find(id: bigint): Promise<Row<Entity> | undefined> {
    return this.#reader.find(this.#server, id);
  }

  insert(row: Omit<Row<Entity>, 'id'>): Promise<bigint> {
    return this.#inserts.add(row);
  }

  async #commit(rows: readonly Values[]): Promise<bigint[]> {
    try {
      return await this.#insertAll(rows);
    } catch (error) {
      // The id may be taken, by a row inserted by hand. Skip it, or every later creation would fail as well.
      if (rows.length === 1 && !(error instanceof DatabaseUnavailable)) {
        await this.#server.run(this.#skipId, [this.#name, INT64_MAX]);
      }
      throw error;
    }
  }

  async #insertAll(rows: readonly Values[]): Promise<bigint[]> {
    const count = BigInt(rows.length);
    const columns = this.#columns.map(({ property }) => rows.map((row) => row[property] ?? null));
    const [taken] = await this.#server.run(this.#insert, [this.#name, count, INT64_MAX - count, ...columns]);
    if (taken === undefined) throw new SequenceExhausted(this.#name);
    const last = taken[0] as bigint;
    return rows.map((_, index) => last - count + BigInt(index) + 1n);
  }
}

/**
 * One statement takes as many ids as there are rows, and locks the sequence's row until the commit. So ids become visible
 * in ascending order, even with several services: no smaller id appears after a page was read. (ADR 3.)
 */
function insertStatement(table: string, columns: readonly TableColumn[]): Statement {
  const names = columns.map(({ name }) => quote(name)).join(', ');
  const text = `WITH "taken" AS (
      INSERT INTO "sequences" ("name", "last") VALUES ($1, $2) ON CONFLICT ("name")
      DO UPDATE SET "last" = "sequences"."last" + excluded."last" WHERE "sequences"."last" <= $3
      RETURNING "last"
    ), "stored" AS (
      INSERT INTO ${quote(table)} ("id", ${names})
      SELECT "taken"."last" - $2::bigint + "row"."position", ${columns.map(({ name }) => `"row".${quote(name)}`).join(', ')}
      FROM "taken", unnest(${columns.map(({ type }, index) => `$${index + 4}::${type}[]`).join(', ')})
      WITH ORDINALITY AS "row" (${names}, "position")
    )
    SELECT "last" FROM "taken"`;
  return { name: `${table}_insert`, text };
}

function skipIdStatement(table: string): Statement {
  const text = `INSERT INTO "sequences" ("name", "last") VALUES ($1, 1) ON CONFLICT ("name")
    DO UPDATE SET "last" = "sequences"."last" + 1 WHERE "sequences"."last" < $2`;
  return { name: `${table}_skip`, text };
}
