import type { Type } from '@nestjs/common';
import Database from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { type Cells, cellsOf, describeTable, type TableDescription } from '../tables/columns/table-columns.js';
import { DatabaseUnavailable } from '../tables/database-unavailable.js';
import type { OwnTransaction, Respond, Transactions } from '../transactions/transaction.js';
import type { TransactionRows } from '../transactions/transaction-table.js';
import { UnitOfWork } from '../transactions/unit-of-work.js';
import { SqliteFileGuard } from './files/sqlite-file-guard.js';
import { prepareConnection, sqliteConnection } from './sqlite.js';
import { sqliteFault } from './sqlite-fault.js';
import { SqliteInserts } from './sqlite-inserts.js';
import { SqliteRequests } from './sqlite-requests.js';
import { SqliteRows } from './sqlite-rows.js';
import { whenUnlocked } from './when-unlocked.js';
import { WriteTurns } from './write-turns.js';

const STATEMENTS = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'] as const;

interface SqliteTransactionRows extends TransactionRows {
  insertAll(rows: readonly Cells[]): bigint[];
  undoInsert(id: bigint): void;
}

/**
 * Transactions on a connection of their own: until the commit, all other reads, which share the service's connection, see
 * the rows as they were. They take turns with each other and with the other writes to tables.
 */
export class SqliteTransactions implements Transactions {
  readonly #turns: WriteTurns;
  readonly #guard: SqliteFileGuard;
  /** Opened by the first transaction. */
  #connection?: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  readonly #tables = new Map<Type<object>, TableDescription>();
  readonly #rows = new Map<Type<object>, SqliteTransactionRows>();
  #requests?: SqliteRequests;

  constructor(
    private readonly dataSource: DataSource,
    /** Milliseconds of a transaction, and of the wait for its turn; 0 for no limit. */
    private readonly limit: number,
  ) {
    this.#turns = WriteTurns.of(sqliteConnection(dataSource));
    this.#guard = SqliteFileGuard.of(sqliteConnection(dataSource));
  }

  run<Result>(work: (transaction: OwnTransaction) => Promise<Result>): Promise<Result> {
    const start = performance.now();
    return this.#turns.runWithin(this.limit, () => {
      const spent = performance.now() - start;
      return this.#inTurn(work, this.limit && Math.max(1, this.limit - spent));
    });
  }

  tableOf(entity: Type<object>): TableDescription {
    let table = this.#tables.get(entity);
    if (!table) this.#tables.set(entity, (table = describeTable(this.dataSource, entity)));
    return table;
  }

  insertTogether(entity: Type<object>, rows: readonly Cells[], respond: Respond): Promise<ReadonlySet<string>> {
    return this.run(async (transaction) => {
      const table = this.#rowsOf(entity);
      const ids = table.insertAll(rows);
      const requests = await respond(ids);
      const stored = await transaction.store(requests.filter((request) => request !== undefined));
      for (const [index, request] of requests.entries()) {
        // One id for each request.
        if (!request || !stored.has(request.hash)) table.undoInsert(ids[index]!);
      }
      return stored;
    });
  }

  close(): void {
    this.#connection?.close();
  }

  async #inTurn<Result>(work: (transaction: OwnTransaction) => Promise<Result>, limit: number): Promise<Result> {
    const begun = whenUnlocked(() => this.#run('BEGIN IMMEDIATE'));
    if (begun instanceof Promise) await begun;
    this.#turns.isLocked = true;
    const unit = new UnitOfWork(
      (entity) => this.#rowsOf(entity),
      (requests) => this.#guarded(() => (this.#requests ??= new SqliteRequests(this.#open())).store(requests)),
    );
    try {
      const result = await unit.perform(work, limit);
      this.#commit();
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#turns.isLocked = false;
    }
  }

  #commit(): void {
    this.#guarded(() => this.#guard.checkBeforeCommit());
    this.#run('COMMIT');
    this.#guarded(() => this.#guard.checkCommit());
  }

  /** After some errors, SQLite has rolled back already. */
  #rollBack(): void {
    if (this.#connection?.open && this.#connection.inTransaction) this.#run('ROLLBACK');
  }

  #run(text: (typeof STATEMENTS)[number]): void {
    this.#guarded(() => this.#open() && this.#statements.get(text)!.run()); // Prepared when it was opened.
  }

  #open(): Database.Database {
    const { name, open } = sqliteConnection(this.dataSource);
    if (!open) throw new DatabaseUnavailable();
    if (this.#connection) return this.#connection;
    // Check before and after, so that both connections have opened the same file.
    this.#guard.check();
    const connection = new Database(name, { timeout: 0, fileMustExist: true });
    try {
      prepareConnection(connection);
      connection.pragma('foreign_keys = ON');
      for (const text of STATEMENTS) this.#statements.set(text, connection.prepare(text));
      this.#guard.check();
    } catch (error) {
      connection.close();
      throw error;
    }
    this.#connection = connection;
    return connection;
  }

  #rowsOf(entity: Type<object>): SqliteTransactionRows {
    let rows = this.#rows.get(entity);
    if (!rows) this.#rows.set(entity, (rows = this.#openRows(entity)));
    return rows;
  }

  #openRows(entity: Type<object>): SqliteTransactionRows {
    const table = this.tableOf(entity);
    const [rows, inserts] = this.#guarded(() => [
      new SqliteRows(this.#open(), table),
      new SqliteInserts(this.#open(), table),
    ]);
    return {
      table,
      insertAll: (all) => this.#guarded(() => inserts.insert(all)),
      undoInsert: (id) => this.#guarded(() => inserts.undo(id)),
      page: (request) => this.#guarded(() => rows.pageOf(request)()),
      find: (id) => this.#guarded(() => rows.find(id)),
      // One row, one id.
      insert: (row) => this.#guarded(() => inserts.insert([cellsOf(table, row)])[0]!),
      change: (change) => this.#guarded(() => rows.changeOf(change)()),
    };
  }

  #guarded<const Result>(statement: () => Result): Result {
    try {
      return statement();
    } catch (error) {
      const isOpen = sqliteConnection(this.dataSource).open && this.#connection?.open !== false;
      throw sqliteFault(error, isOpen);
    }
  }
}
