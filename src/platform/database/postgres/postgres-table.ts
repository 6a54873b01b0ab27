import type { DataSource } from 'typeorm';
import { INT64_MAX } from '../../values/int64.js';
import { DatabaseUnavailable } from '../tables/database-unavailable.js';
import { GroupCommit } from '../tables/group-commit.js';
import { keepsStatements, postgresPool } from './postgres.js';
import { PostgresReader } from './postgres-reader.js';
import { PostgresStatements, type Statement } from './postgres-statements.js';
import type { PageRequest, Row, Table } from '../tables/keyset-table.js';
import { quote, type TableColumn, type TableDescription } from '../tables/table-columns.js';

type Plain = Record<string, unknown>;

export class PostgresTable<Entity extends { id: bigint }> implements Table<Entity> {
  readonly #server: PostgresStatements;
  readonly #reader: PostgresReader<Entity>;
  readonly #name: string;
  /** All but the id. */
  readonly #own: readonly TableColumn[];
  readonly #insert: Statement;
  readonly #skip: Statement;
  readonly #inserts = new GroupCommit<Plain, bigint>((rows) => this.#commit(rows));

  constructor(dataSource: DataSource, table: TableDescription) {
    this.#server = new PostgresStatements(postgresPool(dataSource), keepsStatements(dataSource));
    this.#reader = new PostgresReader(table);
    this.#name = table.name;
    this.#own = table.columns.filter(({ property }) => property !== 'id');
    this.#insert = insertStatement(table.name, this.#own);
    this.#skip = skipStatement(table.name);
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

  async #commit(rows: readonly Plain[]): Promise<bigint[]> {
    try {
      return await this.#insertAll(rows);
    } catch (error) {
      // Somebody else has used the id: without a step beyond it, no creation would ever succeed again.
      if (rows.length === 1 && !(error instanceof DatabaseUnavailable)) {
        await this.#server.run(this.#skip, [this.#name, INT64_MAX]);
      }
      throw error;
    }
  }

  async #insertAll(rows: readonly Plain[]): Promise<bigint[]> {
    const count = BigInt(rows.length);
    const columns = this.#own.map(({ property }) => rows.map((row) => row[property] ?? null));
    const [taken] = await this.#server.run(this.#insert, [this.#name, count, INT64_MAX - count, ...columns]);
    if (taken === undefined) throw new Error(`"sequences" has no more ids for "${this.#name}"`);
    const last = taken[0] as bigint;
    return rows.map((_, index) => last - count + BigInt(index) + 1n);
  }
}

/**
 * One statement: it takes as many ids as there are rows, and holds the sequence's row until they are committed. Ids are
 * therefore committed in their order, by however many services: no page that was read can miss a smaller one.
 */
function insertStatement(table: string, own: readonly TableColumn[]): Statement {
  const names = own.map(({ name }) => quote(name)).join(', ');
  const text = `WITH "taken" AS (
      INSERT INTO "sequences" ("name", "last") VALUES ($1, $2) ON CONFLICT ("name")
      DO UPDATE SET "last" = "sequences"."last" + excluded."last" WHERE "sequences"."last" <= $3
      RETURNING "last"
    ), "stored" AS (
      INSERT INTO ${quote(table)} ("id", ${names})
      SELECT "taken"."last" - $2::bigint + "row"."position", ${own.map(({ name }) => `"row".${quote(name)}`).join(', ')}
      FROM "taken", unnest(${own.map(({ type }, index) => `$${index + 4}::${type}[]`).join(', ')})
      WITH ORDINALITY AS "row" (${names}, "position")
    )
    SELECT "last" FROM "taken"`;
  return { name: `${table}_insert`, text };
}

function skipStatement(table: string): Statement {
  const text = `INSERT INTO "sequences" ("name", "last") VALUES ($1, 1) ON CONFLICT ("name")
    DO UPDATE SET "last" = "sequences"."last" + 1 WHERE "sequences"."last" < $2`;
  return { name: `${table}_skip`, text };
}
