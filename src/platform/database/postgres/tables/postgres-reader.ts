import { INT64_MIN } from '../../../values/int64.js';
import type { PostgresStatements, Statement } from '../postgres-statements.js';
import type { PageRequest, Row } from '../../tables/keyset-table.js';
import { quote, rowOf, type TableColumn, type TableDescription } from '../../tables/table-columns.js';

/** The `LIMIT` that PostgreSQL plans a page for; a larger page gets the next power of two. */
const PLANNED_ROWS = 128;

/** Reads the rows of one table, from the primary or a standby. */
export class PostgresReader<Entity extends { id: bigint }> {
  readonly #find: Statement;
  /** By the names of the filtered columns and the planned rows. */
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
      const value = (where as Record<string, unknown>)[column.property];
      if (value === undefined) continue;
      filters.push(column);
      values.push(value);
    }
    const rows = await server.run(this.#page(filters, limit), values);
    return rows.map((cells) => rowOf(this.table.columns, cells) as Row<Entity>);
  }

  async find(server: PostgresStatements, id: bigint): Promise<Row<Entity> | undefined> {
    const [cells] = await server.run(this.#find, [id]);
    return cells && (rowOf(this.table.columns, cells) as Row<Entity>);
  }

  #page(filters: readonly TableColumn[], limit: number): Statement {
    const planned = Math.max(PLANNED_ROWS, 2 ** Math.ceil(Math.log2(limit)));
    const key = [...filters.map(({ name }) => name), planned].join('_');
    let statement = this.#pages.get(key);
    if (!statement) {
      statement = { name: `${this.table.name}_page_${key}`, text: pageText(this.table, filters, planned) };
      this.#pages.set(key, statement);
    }
    return statement;
  }
}

/**
 * The inner literal limit lets PostgreSQL keep the plan: it estimates `LIMIT $2` as a tenth of the table, and would plan
 * the statement again each time, which costs more than the page. The order begins with the filtered columns, so that only
 * their index provides it; through the index of the ids, a page of a rare value would read the whole table.
 */
function pageText({ name, columnList }: TableDescription, filters: readonly TableColumn[], planned: number): string {
  const columns = filters.map((column) => quote(column.name));
  const values = filters.map((_, index) => `$${index + 3}`);
  const order = [...columns, '"id"'].join(', ');
  const start = `(${order}) >= (${[...values, '$1'].join(', ')})`;
  const end = filters.length > 0 ? ` AND (${columns.join(', ')}) <= (${values.join(', ')})` : '';
  return `SELECT ${columnList} FROM (
      SELECT ${columnList} FROM ${quote(name)} WHERE ${start}${end} ORDER BY ${order} LIMIT ${planned}
    ) AS "page" ORDER BY ${order} LIMIT $2`;
}
