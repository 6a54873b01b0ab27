import type { CustomTypesConfig, Pool, QueryArrayConfig } from 'pg';
import type { DataSource, EntityTarget } from 'typeorm';
import { INT64_MAX, INT64_MIN } from '../validation/int64.js';
import { databaseFault } from './database-fault.js';
import { DatabaseUnavailable } from './database-unavailable.js';
import { GroupCommit } from './group-commit.js';
import { keepsStatements, postgresPool } from './postgres.js';
import type { PageRequest, Row, Table } from './table.js';
import { describeTable, quote, rowOf, type TableDescription } from './table-columns.js';

type Cells = unknown[];
type Plain = Record<string, unknown>;

/** Of `bigint` in PostgreSQL's catalogue; `pg` would hand it out as text. */
const INT8 = 20;
export const exactTypes: CustomTypesConfig = {
  getTypeParser: (oid: number) => (oid === INT8 ? BigInt : (text: string) => text) as never,
};

export class PostgresTable<Entity extends { id: bigint }> implements Table<Entity> {
  readonly #pool: Pool;
  readonly #table: TableDescription;
  readonly #isPrepared: boolean;
  readonly #inserts: GroupCommit<Plain, bigint>;

  constructor(dataSource: DataSource, entity: EntityTarget<Entity>) {
    this.#pool = postgresPool(dataSource);
    this.#table = describeTable(dataSource, entity);
    this.#isPrepared = keepsStatements(dataSource);
    this.#inserts = new GroupCommit((rows) => this.#commit(rows));
  }

  async page({ from = INT64_MIN, where, limit }: PageRequest<Entity>): Promise<Row<Entity>[]> {
    const { name, columns, columnList } = this.#table;
    const filters = columns.filter(({ property }) => (where as Plain)[property] !== undefined);
    const conditions = filters.map((column, index) => `${quote(column.name)} = $${index + 3} AND `).join('');
    const rows = await this.#run(
      `${name}_page_${filters.map((column) => column.name).join('_')}`,
      `SELECT ${columnList} FROM ${quote(name)} WHERE ${conditions}"id" >= $1 ORDER BY "id" LIMIT $2`,
      [from, limit, ...filters.map(({ property }) => (where as Plain)[property])],
    );
    return rows.map((cells) => rowOf(columns, cells) as Row<Entity>);
  }

  async find(id: bigint): Promise<Row<Entity> | undefined> {
    const { name, columns, columnList } = this.#table;
    const [cells] = await this.#run(`${name}_find`, `SELECT ${columnList} FROM ${quote(name)} WHERE "id" = $1`, [id]);
    return cells && (rowOf(columns, cells) as Row<Entity>);
  }

  insert(row: Omit<Row<Entity>, 'id'>): Promise<bigint> {
    return this.#inserts.add(row);
  }

  async #commit(rows: readonly Plain[]): Promise<bigint[]> {
    try {
      return await this.#insertAll(rows);
    } catch (error) {
      // Somebody else has used the id: without a step beyond it, no creation would ever succeed again.
      if (rows.length === 1 && !(error instanceof DatabaseUnavailable)) await this.#skipId();
      throw error;
    }
  }

  async #skipId(): Promise<void> {
    const { name } = this.#table;
    await this.#run(
      `${name}_skip`,
      `INSERT INTO "sequences" ("name", "last") VALUES ($1, 1) ON CONFLICT ("name")
       DO UPDATE SET "last" = "sequences"."last" + 1 WHERE "sequences"."last" < $2`,
      [name, INT64_MAX],
    );
  }

  /**
   * One statement: it takes as many ids as there are rows, and holds the sequence's row until they are committed. Ids are
   * therefore committed in their order, by however many services: no page that was read can miss a smaller one.
   */
  async #insertAll(rows: readonly Plain[]): Promise<bigint[]> {
    const { name, columns } = this.#table;
    const own = columns.filter(({ property }) => property !== 'id');
    const names = own.map((column) => quote(column.name)).join(', ');
    const count = BigInt(rows.length);
    const [taken] = await this.#run(
      `${name}_insert`,
      `WITH "taken" AS (
         INSERT INTO "sequences" ("name", "last") VALUES ($1, $2) ON CONFLICT ("name")
         DO UPDATE SET "last" = "sequences"."last" + excluded."last" WHERE "sequences"."last" <= $3
         RETURNING "last"
       ), "stored" AS (
         INSERT INTO ${quote(name)} ("id", ${names})
         SELECT "taken"."last" - $2::bigint + "row"."position", ${own.map((column) => `"row".${quote(column.name)}`).join(', ')}
         FROM "taken", unnest(${own.map(({ type }, index) => `$${index + 4}::${type}[]`).join(', ')})
         WITH ORDINALITY AS "row" (${names}, "position")
       )
       SELECT "last" FROM "taken"`,
      [name, count, INT64_MAX - count, ...own.map(({ property }) => rows.map((row) => row[property] ?? null))],
    );
    if (taken === undefined) throw new Error(`"sequences" has no more ids for "${name}"`);
    const last = taken[0] as bigint;
    return rows.map((_, index) => last - count + BigInt(index) + 1n);
  }

  async #run(name: string, text: string, values: unknown[]): Promise<Cells[]> {
    const query: QueryArrayConfig = { text, values, rowMode: 'array', types: exactTypes };
    if (this.#isPrepared) query.name = name;
    try {
      return (await this.#pool.query<Cells>(query)).rows;
    } catch (error) {
      throw databaseFault(error, !this.#pool.ended);
    }
  }
}
