import type Database from 'better-sqlite3';
import { INT64_MIN } from '../../values/int64.js';
import { rowFault } from './sqlite-fault.js';
import { shapeOf, type Term, termsOf } from '../tables/conditions.js';
import { type AnyPageRequest, orderOf, type PageOrder } from '../tables/page-order.js';
import { PreparedShapes } from '../tables/prepared-shapes.js';
import { rowId } from '../tables/row-id.js';
import type { RowChange } from '../tables/changes/row-change.js';
import { type Cells, quote, rowOf, type TableDescription } from '../tables/columns/table-columns.js';

export type Values = Record<string, unknown>;

/**
 * Reads, changes and deletes the rows of one table on one connection. Each call is synchronous. Where a statement runs
 * later, its arguments are read at once, because the caller may change them meanwhile.
 */
export class SqliteRows {
  readonly #find: Database.Statement;
  readonly #passId: Database.Statement;
  readonly #passCascades: readonly Database.Statement[];
  readonly #shapes = new PreparedShapes<Database.Statement>();

  constructor(
    private readonly connection: Database.Database,
    private readonly table: TableDescription,
  ) {
    this.#find = this.#select(`WHERE "id" = ?`);
    this.#passId = connection.prepare(PASS_ID);
    this.#passCascades = table.cascades.map((name) => connection.prepare(passAllText(name)));
  }

  find(id: bigint): Values | undefined {
    const cells = this.#find.get(rowId(this.table, id)) as Cells | undefined;
    return cells && rowOf(this.table.columns, cells);
  }

  pageOf(request: AnyPageRequest): () => Values[] {
    const terms = termsOf(this.table, request.where);
    const order = orderOf(this.table, request, terms);
    const values = valuesOf(terms);
    if (!order) values.push(request.from ?? INT64_MIN);
    else if (order.start) values.push(...order.start);
    values.push(request.limit);
    return () => {
      const rows = this.#page(terms, order).all(values) as Cells[];
      return rows.map((cells) => rowOf(this.table.columns, cells));
    };
  }

  /** Returns whether there was such a row. */
  changeOf({ id, terms, changed }: RowChange): () => boolean {
    return changed ? this.#updateOf(id, terms, changed) : this.#deleteOf(id, terms);
  }

  #updateOf(id: bigint, terms: readonly Term[], { names, cells }: Required<RowChange>['changed']): () => boolean {
    const values = [...cells, id, ...valuesOf(terms)];
    return () => {
      try {
        return this.#update(names, terms).run(values).changes > 0;
      } catch (error) {
        throw rowFault(error, this.connection, this.table, { id, changed: { names, cells } });
      }
    };
  }

  #deleteOf(id: bigint, terms: readonly Term[]): () => boolean {
    const values = [id, ...valuesOf(terms)];
    return () => {
      for (const statement of this.#passCascades) statement.run();
      const isDeleted = this.#deleteRow(id, terms, values);
      if (isDeleted) this.#passId.run(this.table.name, id);
      return isDeleted;
    };
  }

  #deleteRow(id: bigint, terms: readonly Term[], values: readonly unknown[]): boolean {
    try {
      return this.#delete(terms).run(values).changes > 0;
    } catch (error) {
      throw rowFault(error, this.connection, this.table, { id });
    }
  }

  #page(terms: readonly Term[], order: PageOrder | undefined): Database.Statement {
    const shape = `page ${shapeOf(terms)}${order ? `" by ${order.column.name}"${order.isDescending}"${!order.start}` : ''}`;
    return this.#shapes.get(shape, () => this.#select(pageText(terms, order)));
  }

  #update(names: readonly string[], terms: readonly Term[]): Database.Statement {
    return this.#shapes.get(`update "${names.join('","')}" ${shapeOf(terms)}`, () => {
      // Without changes, it only finds the row.
      const sets = names.length > 0 ? names.map((name) => `${quote(name)} = ?`) : ['"id" = "id"'];
      return this.connection.prepare(`UPDATE ${quote(this.table.name)} SET ${sets.join(', ')} ${rowText(terms)}`);
    });
  }

  #delete(terms: readonly Term[]): Database.Statement {
    return this.#shapes.get(`delete ${shapeOf(terms)}`, () =>
      this.connection.prepare(`DELETE FROM ${quote(this.table.name)} ${rowText(terms)}`),
    );
  }

  #select(rest: string): Database.Statement {
    return this.connection
      .prepare(`SELECT ${this.table.columnList} FROM ${quote(this.table.name)} ${rest}`)
      .raw()
      .safeIntegers();
  }
}

/**
 * Records the id of a deleted row, which a later row could otherwise get: the sequence lacks it if the row was inserted
 * by hand, or while the table was @AppendOnly().
 */
const PASS_ID = `INSERT INTO "sequences" ("name", "last") VALUES (?, ?)
  ON CONFLICT ("name") DO UPDATE SET "last" = excluded."last" WHERE excluded."last" > "last"`;

/** Records the greatest id of a table before some of its rows are deleted with others. */
function passAllText(table: string): string {
  return `INSERT INTO "sequences" ("name", "last")
    SELECT '${table}', "id" FROM ${quote(table)} WHERE true ORDER BY "id" DESC LIMIT 1
    ON CONFLICT ("name") DO UPDATE SET "last" = excluded."last" WHERE excluded."last" > "last"`;
}

function conditionText({ column, operator }: Term): string {
  const name = quote(column.name);
  if (operator === 'is null') return `${name} IS NULL`;
  // One shape for every length of the list.
  return operator === 'in' ? `${name} IN (SELECT "value" FROM json_each(?))` : `${name} ${operator} ?`;
}

function rowText(terms: readonly Term[]): string {
  return `WHERE ${['"id" = ?', ...terms.map(conditionText)].join(' AND ')}`;
}

/** SQLite plans the statement again whenever a bare "LIMIT ?" is bound, which costs more than the page. */
function pageText(terms: readonly Term[], order: PageOrder | undefined): string {
  const conditions = terms.map(conditionText);
  if (!order) return `WHERE ${[...conditions, `"id" >= ?`].join(' AND ')} ORDER BY "id" LIMIT ? + 0`;
  const name = quote(order.column.name);
  if (order.start) conditions.push(`(${name}, "id") ${order.isDescending ? '<=' : '>='} (?, ?)`);
  const direction = order.isDescending ? ' DESC' : '';
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')} ` : '';
  return `${where}ORDER BY ${name}${direction}, "id"${direction} LIMIT ? + 0`;
}

function valuesOf(terms: readonly Term[]): unknown[] {
  const values: unknown[] = [];
  for (const { operator, value } of terms) {
    if (operator === 'in') values.push(jsonOf(value as unknown[]));
    else if (operator !== 'is null') values.push(value);
  }
  return values;
}

/** A list as JSON, with all digits of a bigint, and with an exponent in a large double, which SQLite would read as an integer. */
function jsonOf(cells: readonly unknown[]): string {
  const texts = cells.map((cell) => {
    if (typeof cell === 'bigint') return String(cell);
    return typeof cell === 'number' && !Number.isSafeInteger(cell) ? cell.toExponential() : JSON.stringify(cell);
  });
  return `[${texts.join()}]`;
}
