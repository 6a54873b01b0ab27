import { deletionOf, type RowChange, updateOf } from '../tables/changes/row-change.js';
import type { TableDescription } from '../tables/columns/table-columns.js';
import type { Conditions } from '../tables/conditions.js';
import type { Changes, KeysetTable, NewRow, OrderedPageRequest, PageRequest, Row } from '../tables/keyset-table.js';
import type { AnyPageRequest } from '../tables/page-order.js';

type Values = Record<string, unknown>;
export type Now<Result> = Result | Promise<Result>;

/** The rows of one table on the connection of a transaction. */
export interface TransactionRows {
  readonly table: TableDescription;
  page(request: AnyPageRequest): Now<Values[]>;
  find(id: bigint): Now<Values | undefined>;
  insert(row: Values): Now<bigint>;
  change(change: RowChange): Now<boolean>;
}

/** `name` says in messages which statement it is. */
export type Run = <Result>(name: string, statement: () => Now<Result>) => Promise<Result>;
export type Noted = <Result>(change: () => Now<Result>) => Now<Result>;

/** The table of a transaction. */
export class TransactionTable<Entity extends { id: bigint }> implements KeysetTable<Entity> {
  constructor(
    private readonly rows: TransactionRows,
    private readonly run: Run,
    private readonly noted: Noted,
  ) {}

  page(request: PageRequest<Entity> | OrderedPageRequest<Entity>): Promise<Row<Entity>[]> {
    return this.#run('page', () => this.rows.page(request)) as Promise<Row<Entity>[]>;
  }

  find(id: bigint): Promise<Row<Entity> | undefined> {
    return this.#run('find', () => this.rows.find(id)) as Promise<Row<Entity> | undefined>;
  }

  insert(row: NewRow<Entity>): Promise<bigint> {
    return this.#run('insert', () => this.noted(() => this.rows.insert(row)));
  }

  update(id: bigint, changes: Changes<Entity>, where: Conditions<Entity> = {}): Promise<boolean> {
    return this.#run('update', () => this.noted(() => this.rows.change(updateOf(this.rows.table, id, changes, where))));
  }

  delete(id: bigint, where: Conditions<Entity> = {}): Promise<boolean> {
    return this.#run('delete', () => this.noted(() => this.rows.change(deletionOf(this.rows.table, id, where))));
  }

  #run<Result>(method: string, statement: () => Now<Result>): Promise<Result> {
    return this.run(`${method} of "${this.rows.table.name}"`, statement);
  }
}
