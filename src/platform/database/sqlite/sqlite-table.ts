import type Database from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { INT64_MIN } from '../../values/int64.js';
import { DatabaseUnavailable } from '../tables/database-unavailable.js';
import { GroupCommit } from '../tables/group-commit.js';
import { sqliteConnection } from './sqlite.js';
import { SqliteFileGuard } from './files/sqlite-file-guard.js';
import { sqliteFault } from './sqlite-fault.js';
import { SqliteInserts } from './sqlite-inserts.js';
import { SqliteReads } from './sqlite-reads.js';
import { whenUnlocked } from './when-unlocked.js';
import type { KeysetTable, PageRequest, Row } from '../tables/keyset-table.js';
import { quote, rowOf, type TableDescription } from '../tables/table-columns.js';

type Cells = unknown[];
type Values = Record<string, unknown>;

export class SqliteTable<Entity extends { id: bigint }> implements KeysetTable<Entity> {
  readonly #connection: Database.Database;
  readonly #guard: SqliteFileGuard;
  readonly #find: Database.Statement;
  /** By the names of the filtered columns. */
  readonly #pages = new Map<string, Database.Statement>();
  readonly #reads: SqliteReads;
  readonly #inserts: SqliteInserts;
  readonly #creations = new GroupCommit<Values, bigint>(
    (rows) => whenUnlocked(() => this.#insertAll(rows)),
    // The transaction was rolled back.
    () => true,
  );

  constructor(
    dataSource: DataSource,
    private readonly table: TableDescription,
  ) {
    this.#connection = sqliteConnection(dataSource);
    this.#guard = SqliteFileGuard.of(this.#connection);
    // A statement that waits for a lock would block every request.
    this.#connection.pragma('busy_timeout = 0');
    this.#reads = new SqliteReads(this.#connection, this.#guard);
    this.#find = this.#select(`WHERE "id" = ?`);
    this.#inserts = new SqliteInserts(this.#connection, table);
  }

  page({ from = INT64_MIN, where, limit }: PageRequest<Entity>): Promise<Row<Entity>[]> {
    const filters: string[] = [];
    const values: unknown[] = [];
    for (const { name, property } of this.table.columns) {
      const value = (where as Values)[property];
      if (value === undefined) continue;
      filters.push(name);
      values.push(value);
    }
    values.push(from, limit);
    return this.#reads.add(() => {
      const rows = this.#page(filters).all(values) as Cells[];
      return rows.map((cells) => rowOf(this.table.columns, cells) as Row<Entity>);
    });
  }

  find(id: bigint): Promise<Row<Entity> | undefined> {
    return this.#reads.add(() => {
      const cells = this.#find.get(id) as Cells | undefined;
      return cells && (rowOf(this.table.columns, cells) as Row<Entity>);
    });
  }

  insert(row: Omit<Row<Entity>, 'id'>): Promise<bigint> {
    return this.#creations.add(row);
  }

  #page(filters: readonly string[]): Database.Statement {
    const key = filters.join();
    let statement = this.#pages.get(key);
    if (!statement) {
      const conditions = [...filters.map((name) => `${quote(name)} = ?`), `"id" >= ?`].join(' AND ');
      // SQLite plans the statement again whenever a bare "LIMIT ?" is bound, which costs more than the page.
      statement = this.#select(`WHERE ${conditions} ORDER BY "id" LIMIT ? + 0`);
      this.#pages.set(key, statement);
    }
    return statement;
  }

  #select(rest: string): Database.Statement {
    return this.#connection
      .prepare(`SELECT ${this.table.columnList} FROM ${quote(this.table.name)} ${rest}`)
      .raw()
      .safeIntegers();
  }

  #insertAll(rows: readonly Values[]): bigint[] {
    try {
      this.#guard.checkLog();
      const ids = this.#inserts.insertAll(rows);
      this.#guard.checkCommit();
      return ids;
    } catch (error) {
      const fault = sqliteFault(error, this.#connection.open);
      // The id may be taken, by a row inserted by hand. Skip it, or every later creation would fail as well.
      if (rows.length === 1 && !(fault instanceof DatabaseUnavailable)) this.#inserts.takeIds(1n);
      throw fault;
    }
  }
}
