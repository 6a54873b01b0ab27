import { createHash } from 'node:crypto';
import { INT64_MIN } from '../../../values/int64.js';
import type { RowChange } from '../../tables/changes/row-change.js';
import { quote, rowOf, type TableDescription } from '../../tables/columns/table-columns.js';
import { shapeOf, type Term, termsOf } from '../../tables/conditions.js';
import { type AnyPageRequest, orderOf } from '../../tables/page-order.js';
import { rowId } from '../../tables/row-id.js';
import { PreparedShapes } from '../../tables/prepared-shapes.js';
import type { Statement, StatementRunner } from '../postgres-statements.js';
import { numbered, valuesOf } from './numbered-terms.js';
import { pageText, plannedRows } from './page-text.js';
import { rowFault } from './row-faults.js';

export type Values = Record<string, unknown>;

/** Characters of a label and of a hash; PostgreSQL shortens names of more than 63 bytes, and would confuse statements. */
const MAX_LABEL = 40;
const HASH = 22;

/**
 * Reads, changes and deletes the rows of one table, on the primary, a standby or the connection of a transaction. Where a
 * statement runs later, its arguments are read at once, because the caller may change them meanwhile.
 */
export class PostgresRows {
  readonly #find: Statement;
  readonly #shapes = new PreparedShapes<Statement>();

  constructor(private readonly table: TableDescription) {
    const { name, columnList } = table;
    this.#find = statementOf(`${name}_find`, `SELECT ${columnList} FROM ${quote(name)} WHERE "id" = $1`);
  }

  pageOf(request: AnyPageRequest): (server: StatementRunner) => Promise<Values[]> {
    const { where, limit } = request;
    const terms = termsOf(this.table, where);
    const order = orderOf(this.table, request, terms);
    const start = order ? order.start : [(request.from as bigint | undefined) ?? INT64_MIN];
    const planned = plannedRows(limit);
    // Names of columns contain no quotes.
    const by = order ? `"${order.column.name}"${order.isDescending}"${!start}` : '';
    const shape = ['page', ...(terms.length > 0 ? [shapeOf(terms)] : []), planned].join('_') + by;
    const statement = this.#statement(shape, () => pageText(this.table, terms, planned, order));
    return async (server) => {
      const rows = await server.run(statement, [limit, ...(start ?? []), ...valuesOf(terms)]);
      return rows.map((cells) => rowOf(this.table.columns, cells));
    };
  }

  async find(server: StatementRunner, id: bigint): Promise<Values | undefined> {
    const [cells] = await server.run(this.#find, [rowId(this.table, id)]);
    return cells && rowOf(this.table.columns, cells);
  }

  /** Whether there was such a row. */
  change(server: StatementRunner, { id, terms, changed }: RowChange): Promise<boolean> {
    return changed ? this.#update(server, id, terms, changed) : this.#delete(server, id, terms);
  }

  async #update(
    server: StatementRunner,
    id: bigint,
    terms: readonly Term[],
    { names, cells }: Required<RowChange>['changed'],
  ): Promise<boolean> {
    const statement = this.#statement(`update_"${names.join('","')}"_${shapeOf(terms)}`, () => {
      // Without changes, it only finds the row.
      const sets = names.length > 0 ? names.map((name, index) => `${quote(name)} = $${index + 2}`) : ['"id" = "id"'];
      return `UPDATE ${quote(this.table.name)} SET ${sets.join(', ')} ${rowText(terms, names.length + 2)}`;
    });
    try {
      return (await server.run(statement, [id, ...cells, ...valuesOf(terms)])).length > 0;
    } catch (error) {
      throw rowFault(error, this.table, { id, changed: { names, cells } });
    }
  }

  async #delete(server: StatementRunner, id: bigint, terms: readonly Term[]): Promise<boolean> {
    const statement = this.#statement(`delete_${shapeOf(terms)}`, () => deleteText(this.table, terms));
    try {
      return (await server.run(statement, [id, this.table.name, ...valuesOf(terms)])).length > 0;
    } catch (error) {
      throw rowFault(error, this.table, { id });
    }
  }

  #statement(shape: string, text: () => string): Statement {
    return this.#shapes.get(shape, (isKept) =>
      isKept ? statementOf(`${this.table.name}_${shape}`, text()) : { name: '', text: text() },
    );
  }
}

/** The hash of the text tells statements apart; the label is for people who read pg_prepared_statements. */
export function statementOf(label: string, text: string): Statement {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, HASH);
  return { name: `${label.replaceAll(/\W/g, '_').slice(0, MAX_LABEL)} ${hash}`, text };
}

/**
 * The sequence must pass the id of a row that was inserted by hand, or a later row would get it again; also those of rows
 * that are deleted with this one. It reads the sequences first, because "ON CONFLICT" locks a row even if nothing changes.
 */
function deleteText({ name, cascades }: TableDescription, terms: readonly Term[]): string {
  const used = [
    cascades.includes(name) ? `SELECT $2::text, max("id") FROM ${quote(name)}` : `SELECT $2::text, "id" FROM "deleted"`,
    ...cascades.filter((other) => other !== name).map((other) => `SELECT '${other}', max("id") FROM ${quote(other)}`),
  ];
  return `WITH "deleted" AS (DELETE FROM ${quote(name)} ${rowText(terms, 3)}), "passed" AS (
      INSERT INTO "sequences" ("name", "last")
      SELECT "name", "last" FROM (${used.join(' UNION ALL ')}) AS "used" ("name", "last")
      WHERE "last" > coalesce((SELECT "last" FROM "sequences" WHERE "name" = "used"."name"), 0)
      ON CONFLICT ("name") DO UPDATE SET "last" = greatest("sequences"."last", excluded."last")
    )
    SELECT "id" FROM "deleted"`;
}

/** The id is the first parameter; `first` is the number of the first one of the terms. */
function rowText(terms: readonly Term[], first: number): string {
  const conditions = numbered(terms, first).map(({ text }) => text);
  return `WHERE ${['"id" = $1', ...conditions].join(' AND ')} RETURNING "id"`;
}
