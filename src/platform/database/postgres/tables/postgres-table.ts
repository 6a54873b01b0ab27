import type { DataSource } from 'typeorm';
import { deletionOf, type RowChange, updateOf } from '../../tables/changes/row-change.js';
import { type Cells, cellsOf, type TableDescription } from '../../tables/columns/table-columns.js';
import type { Conditions } from '../../tables/conditions.js';
import { Conflict } from '../../tables/conflicts.js';
import { SequenceExhausted } from '../../tables/failed-inserts.js';
import { GroupCommit } from '../../tables/group-commit.js';
import type { Changes, KeysetTable, NewRow, OrderedPageRequest, PageRequest, Row } from '../../tables/keyset-table.js';
import { isInsideTransaction, outsideTransaction, started } from '../../transactions/transaction-scope.js';
import { sqlStateOf } from '../postgres-fault.js';
import { PostgresStatements } from '../postgres-statements.js';
import { keepsPreparedStatements, postgresPool } from '../postgres.js';
import { isTakenId, PostgresInserts } from './postgres-inserts.js';
import { PostgresRows } from './postgres-rows.js';
import { finalFault } from './row-faults.js';

type Read<Result> = (server: PostgresStatements) => Promise<Result>;

export class PostgresTable<Entity extends { id: bigint }> implements KeysetTable<Entity> {
  readonly #server: PostgresStatements;
  readonly #rows: PostgresRows;
  readonly #inserts: PostgresInserts;
  readonly #creations = new GroupCommit<Cells, bigint>(
    (rows) => this.#commit(rows),
    // The statement is a transaction of its own.
    (error) => error instanceof SequenceExhausted || error instanceof Conflict || sqlStateOf(error) !== undefined,
  );

  constructor(
    dataSource: DataSource,
    private readonly table: TableDescription,
  ) {
    this.#server = new PostgresStatements(postgresPool(dataSource), keepsPreparedStatements(dataSource));
    this.#rows = new PostgresRows(table);
    this.#inserts = new PostgresInserts(table);
  }

  page(request: PageRequest<Entity> | OrderedPageRequest<Entity>): Promise<Row<Entity>[]> {
    if (isInsideTransaction()) return outsideTransaction(this.table.name);
    return started(() => this.read(this.#rows.pageOf(request) as Read<Row<Entity>[]>));
  }

  find(id: bigint): Promise<Row<Entity> | undefined> {
    if (isInsideTransaction()) return outsideTransaction(this.table.name);
    return this.#rows.find(this.#server, id) as Promise<Row<Entity> | undefined>;
  }

  insert(row: NewRow<Entity>): Promise<bigint> {
    if (isInsideTransaction()) return outsideTransaction(this.table.name);
    return started(() => this.#creations.add(cellsOf(this.table, row)));
  }

  update(id: bigint, changes: Changes<Entity>, where: Conditions<Entity> = {}): Promise<boolean> {
    if (isInsideTransaction()) return outsideTransaction(this.table.name);
    return started(() => this.#change(updateOf(this.table, id, changes, where)));
  }

  delete(id: bigint, where: Conditions<Entity> = {}): Promise<boolean> {
    if (isInsideTransaction()) return outsideTransaction(this.table.name);
    return started(() => this.#change(deletionOf(this.table, id, where)));
  }

  /** Reads what a standby may have read in vain. */
  read<Result>(query: Read<Result>): Promise<Result> {
    return query(this.#server);
  }

  async #change(change: RowChange): Promise<boolean> {
    try {
      return await this.#rows.change(this.#server, change);
    } catch (error) {
      throw await finalFault(error, this.#server, true);
    }
  }

  /** Skips ids that are taken: every later creation would meet them as well. */
  async #commit(rows: readonly Cells[]): Promise<bigint[]> {
    for (let skipped = 0n; ; skipped = await this.#inserts.skipIds(this.#server, skipped)) {
      try {
        return await this.#inserts.insertAll(this.#server, rows);
      } catch (error) {
        if (!isTakenId(error)) throw await finalFault(error, this.#server, true);
      }
    }
  }
}
