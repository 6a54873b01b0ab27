import { INT64_MIN } from '../validation/int64.js';
import type { PostgresStatements, Statement } from './postgres-statements.js';
import type { PageRequest, Row } from './table.js';
import { quote, rowOf, type TableColumn, type TableDescription } from './table-columns.js';

type Plain = Record<string, unknown>;

/** Reads the rows of one table, from whichever server it is told to. */
export class PostgresReader<Entity extends { id: bigint }> {
  readonly #find: Statement;
  /** By the names of the filtered columns. */
  readonly #pages = new Map<string, Statement>();

  constructor(private readonly table: TableDescription) {
    const { name, columnList } = table;
    this.#find = { name: `${name}_find`, text: `SELECT ${columnList} FROM ${quote(name)} WHERE "id" = $1` };
  }

  async page(
    server: PostgresStatements,
    { from = INT64_MIN, where, limit }: PageRequest<Entity>,
  ): Promise<Row<Entity>[]> {
    const filters: TableColumn[] = [];
    const values: unknown[] = [from, limit];
    for (const column of this.table.columns) {
      const value = (where as Plain)[column.property];
      if (value === undefined) continue;
      filters.push(column);
      values.push(value);
    }
    const rows = await server.run(this.#page(filters), values);
    return rows.map((cells) => rowOf(this.table.columns, cells) as Row<Entity>);
  }

  async find(server: PostgresStatements, id: bigint): Promise<Row<Entity> | undefined> {
    const [cells] = await server.run(this.#find, [id]);
    return cells && (rowOf(this.table.columns, cells) as Row<Entity>);
  }

  #page(filters: readonly TableColumn[]): Statement {
    const { name, columnList } = this.table;
    const key = filters.map((column) => column.name).join('_');
    let statement = this.#pages.get(key);
    if (!statement) {
      const conditions = filters.map((column, index) => `${quote(column.name)} = $${index + 3} AND `).join('');
      const text = `SELECT ${columnList} FROM ${quote(name)} WHERE ${conditions}"id" >= $1 ORDER BY "id" LIMIT $2`;
      statement = { name: `${name}_page_${key}`, text };
      this.#pages.set(key, statement);
    }
    return statement;
  }
}
