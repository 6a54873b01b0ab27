import type Database from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { INT64_MAX, INT64_MIN } from '../validation/int64.js';
import { databaseFault } from './database-fault.js';
import { DatabaseUnavailable } from './database-unavailable.js';
import { GroupCommit } from './group-commit.js';
import { sqliteConnection } from './sqlite.js';
import type { PageRequest, Row, Table } from './table.js';
import { quote, rowOf, type TableDescription } from './table-columns.js';

type Cells = unknown[];
type Plain = Record<string, unknown>;

export class SqliteTable<Entity extends { id: bigint }> implements Table<Entity> {
  readonly #connection: Database.Database;
  readonly #find: Database.Statement;
  /** By the names of the filtered columns. */
  readonly #pages = new Map<string, Database.Statement>();
  readonly #inserts: GroupCommit<Plain, bigint>;

  constructor(
    dataSource: DataSource,
    private readonly table: TableDescription,
  ) {
    this.#connection = sqliteConnection(dataSource);
    this.#find = this.#select(`WHERE "id" = ?`);
    this.#inserts = new GroupCommit(this.#insertAll());
  }

  async page({ from = INT64_MIN, where, limit }: PageRequest<Entity>): Promise<Row<Entity>[]> {
    const filters: string[] = [];
    const values: unknown[] = [];
    for (const { name, property } of this.table.columns) {
      const value = (where as Plain)[property];
      if (value === undefined) continue;
      filters.push(name);
      values.push(value);
    }
    values.push(from, limit);
    const rows = this.#available(() => this.#page(filters).all(values)) as Cells[];
    return rows.map((cells) => rowOf(this.table.columns, cells) as Row<Entity>);
  }

  async find(id: bigint): Promise<Row<Entity> | undefined> {
    const cells = this.#available(() => this.#find.get(id)) as Cells | undefined;
    return cells && (rowOf(this.table.columns, cells) as Row<Entity>);
  }

  insert(row: Omit<Row<Entity>, 'id'>): Promise<bigint> {
    return this.#inserts.add(row);
  }

  #page(filters: readonly string[]): Database.Statement {
    const key = filters.join();
    let statement = this.#pages.get(key);
    if (!statement) {
      const conditions = [...filters.map((name) => `${quote(name)} = ?`), `"id" >= ?`].join(' AND ');
      // SQLite plans a statement anew whenever a bare "LIMIT ?" is bound, which costs more than the page itself.
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

  /** Gives out ids: the last of as many as asked for, undefined when there are not so many left. */
  #raise(): (count: bigint) => bigint | undefined {
    // The first row of a table begins its sequence, so that a migration need not.
    const raise = this.#connection
      .prepare(
        `INSERT INTO "sequences" ("name", "last") VALUES (?, ?) ON CONFLICT ("name")
          DO UPDATE SET "last" = "sequences"."last" + excluded."last" WHERE "sequences"."last" <= ? RETURNING "last"`,
      )
      .pluck()
      .safeIntegers();
    return (count) => raise.get(this.table.name, count, INT64_MAX - count) as bigint | undefined;
  }

  #insertAll(): (rows: readonly Plain[]) => bigint[] {
    const raise = this.#raise();
    const marks = this.table.columns.map(() => '?').join(', ');
    const insert = this.#connection.prepare(
      `INSERT INTO ${quote(this.table.name)} (${this.table.columnList}) VALUES (${marks})`,
    );
    const insertAll = this.#connection.transaction((rows: readonly Plain[]) => {
      const count = BigInt(rows.length);
      const last = raise(count);
      if (last === undefined) throw new Error(`"sequences" has no more ids for "${this.table.name}"`);
      return rows.map((row, index) => {
        const id = last - count + BigInt(index) + 1n;
        insert.run(this.table.columns.map(({ property }) => (property === 'id' ? id : (row[property] ?? null))));
        return id;
      });
    });
    return (rows) => {
      try {
        return this.#available(() => insertAll.immediate(rows));
      } catch (error) {
        // Somebody else has used the id: without a step beyond it, no creation would ever succeed again.
        if (rows.length === 1 && !(error instanceof DatabaseUnavailable)) raise(1n);
        throw error;
      }
    };
  }

  #available<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw databaseFault(error, this.#connection.open);
    }
  }
}
