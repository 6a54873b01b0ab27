import type Database from 'better-sqlite3';
import type { DataSource, EntityTarget } from 'typeorm';
import { INT64_MAX } from '../validation/int64.js';
import { DatabaseUnavailable } from './database-unavailable.js';
import { GroupCommit } from './group-commit.js';
import { sqliteConnection } from './sqlite.js';
import type { PageRequest, Row, Table } from './table.js';

type Cells = unknown[];
type Plain = Record<string, unknown>;

/** Primary result codes that say something about the database's state and nothing about the request. */
const AWAY = /^SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|READONLY|CORRUPT|NOTADB|PROTOCOL|NOMEM)/;

const quote = (identifier: string) => `"${identifier}"`;

export class SqliteTable<Entity extends { id: bigint }> implements Table<Entity> {
  readonly #connection: Database.Database;
  readonly #name: string;
  readonly #columns: readonly { name: string; property: string }[];
  readonly #find: Database.Statement;
  /** By the names of the filtered columns. */
  readonly #pages = new Map<string, Database.Statement>();
  readonly #inserts: GroupCommit<Plain, bigint>;

  constructor(dataSource: DataSource, entity: EntityTarget<Entity>) {
    const metadata = dataSource.getMetadata(entity);
    this.#connection = sqliteConnection(dataSource);
    this.#name = metadata.tableName;
    this.#columns = metadata.columns.map((column) => ({ name: column.databaseName, property: column.propertyName }));
    this.#find = this.#select(`WHERE "id" = ?`);
    this.#inserts = new GroupCommit(this.#insertAll());
  }

  async page({ from = -(2n ** 63n), where, limit }: PageRequest<Entity>): Promise<Row<Entity>[]> {
    const filters = this.#columns.filter(({ property }) => (where as Plain)[property] !== undefined);
    const values = filters.map(({ property }) => (where as Plain)[property]);
    return this.#available(
      () => this.#page(filters.map(({ name }) => name)).all(...values, from, limit) as Cells[],
    ).map((cells) => this.#row(cells));
  }

  async find(id: bigint): Promise<Row<Entity> | undefined> {
    const cells = this.#available(() => this.#find.get(id)) as Cells | undefined;
    return cells && this.#row(cells);
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
    const names = this.#columns.map(({ name }) => quote(name)).join(', ');
    return this.#connection
      .prepare(`SELECT ${names} FROM ${quote(this.#name)} ${rest}`)
      .raw()
      .safeIntegers();
  }

  #row(cells: Cells): Row<Entity> {
    const row: Plain = {};
    for (let index = 0; index < cells.length; index += 1) {
      if (cells[index] !== null) row[this.#columns[index]!.property] = cells[index];
    }
    return row as Row<Entity>;
  }

  #insertAll(): (rows: readonly Plain[]) => bigint[] {
    const raise = this.#connection
      .prepare(`UPDATE "sequences" SET "last" = "last" + ? WHERE "name" = ? AND "last" <= ? RETURNING "last"`)
      .pluck()
      .safeIntegers();
    const names = this.#columns.map(({ name }) => quote(name)).join(', ');
    const marks = this.#columns.map(() => '?').join(', ');
    const insert = this.#connection.prepare(`INSERT INTO ${quote(this.#name)} (${names}) VALUES (${marks})`);
    const insertAll = this.#connection.transaction((rows: readonly Plain[]) => {
      const count = BigInt(rows.length);
      const last = raise.get(count, this.#name, INT64_MAX - count) as bigint | undefined;
      if (last === undefined) throw new Error(`"sequences" has no more ids for "${this.#name}"`);
      return rows.map((row, index) => {
        const id = last - count + BigInt(index) + 1n;
        insert.run(this.#columns.map(({ property }) => (property === 'id' ? id : (row[property] ?? null))));
        return id;
      });
    });
    return (rows) => {
      try {
        return this.#available(() => insertAll.immediate(rows));
      } catch (error) {
        // Somebody else has used the id: without a step beyond it, no creation would ever succeed again.
        if (rows.length === 1 && !(error instanceof DatabaseUnavailable)) raise.get(1n, this.#name, INT64_MAX - 1n);
        throw error;
      }
    };
  }

  /** Tells a database that is away from a statement that is wrong. */
  #available<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const isAway = AWAY.test((error as { code?: string }).code ?? '') || !this.#connection.open;
      throw isAway ? new DatabaseUnavailable(error) : error;
    }
  }
}
