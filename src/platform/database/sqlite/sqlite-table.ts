import type Database from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { deletionOf, updateOf } from '../tables/changes/row-change.js';
import type { Conditions } from '../tables/conditions.js';
import { GroupCommit } from '../tables/group-commit.js';
import type { Changes, KeysetTable, NewRow, OrderedPageRequest, PageRequest, Row } from '../tables/keyset-table.js';
import { type Cells, cellsOf, type TableDescription } from '../tables/columns/table-columns.js';
import { isInsideTransaction, outsideTransaction, started } from '../transactions/transaction-scope.js';
import { SqliteFileGuard } from './files/sqlite-file-guard.js';
import { sqliteConnection } from './sqlite.js';
import { sqliteFault } from './sqlite-fault.js';
import { SqliteInserts } from './sqlite-inserts.js';
import { SqliteReads } from './sqlite-reads.js';
import { SqliteRows } from './sqlite-rows.js';
import { whenUnlocked } from './when-unlocked.js';
import { WriteTurns } from './write-turns.js';

type Change = () => boolean;

export class SqliteTable<Entity extends { id: bigint }> implements KeysetTable<Entity> {
  readonly #connection: Database.Database;
  readonly #guard: SqliteFileGuard;
  readonly #turns: WriteTurns;
  readonly #rows: SqliteRows;
  readonly #reads: SqliteReads;
  readonly #inserts: SqliteInserts;
  readonly #changeAll: Database.Transaction<(changes: readonly Change[]) => boolean[]>;
  readonly #creations = new GroupCommit<Cells, bigint>(
    (rows) => this.#turns.run(() => whenUnlocked(() => this.#commit(() => this.#inserts.insertAll(rows)))),
    // The transaction was rolled back.
    () => true,
  );
  readonly #changes = new GroupCommit<Change, boolean>(
    (changes) => this.#turns.run(() => whenUnlocked(() => this.#commit(() => this.#changeAll.immediate(changes)))),
    () => true,
  );

  constructor(
    dataSource: DataSource,
    private readonly table: TableDescription,
  ) {
    this.#connection = sqliteConnection(dataSource);
    this.#guard = SqliteFileGuard.of(this.#connection);
    this.#turns = WriteTurns.of(this.#connection);
    // A statement that waits for a lock would block every request.
    this.#connection.pragma('busy_timeout = 0');
    this.#reads = new SqliteReads(this.#connection, this.#guard);
    this.#rows = new SqliteRows(this.#connection, table);
    this.#inserts = new SqliteInserts(this.#connection, table);
    this.#changeAll = this.#connection.transaction((changes) => changes.map((change) => change()));
  }

  page(request: PageRequest<Entity> | OrderedPageRequest<Entity>): Promise<Row<Entity>[]> {
    if (isInsideTransaction()) return outsideTransaction(this.table.name);
    return started(() => this.#reads.add(this.#rows.pageOf(request) as () => Row<Entity>[]));
  }

  find(id: bigint): Promise<Row<Entity> | undefined> {
    if (isInsideTransaction()) return outsideTransaction(this.table.name);
    return this.#reads.add(() => this.#rows.find(id) as Row<Entity> | undefined);
  }

  insert(row: NewRow<Entity>): Promise<bigint> {
    if (isInsideTransaction()) return outsideTransaction(this.table.name);
    return started(() => this.#creations.add(cellsOf(this.table, row)));
  }

  update(id: bigint, changes: Changes<Entity>, where: Conditions<Entity> = {}): Promise<boolean> {
    if (isInsideTransaction()) return outsideTransaction(this.table.name);
    return started(() => this.#changes.add(this.#rows.changeOf(updateOf(this.table, id, changes, where))));
  }

  delete(id: bigint, where: Conditions<Entity> = {}): Promise<boolean> {
    if (isInsideTransaction()) return outsideTransaction(this.table.name);
    return started(() => this.#changes.add(this.#rows.changeOf(deletionOf(this.table, id, where))));
  }

  #commit<Result>(commit: () => Result): Result {
    try {
      this.#guard.checkBeforeCommit();
      const result = commit();
      this.#guard.checkCommit();
      return result;
    } catch (error) {
      throw sqliteFault(error, this.#connection.open);
    }
  }
}
