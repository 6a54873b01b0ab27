import type Database from 'better-sqlite3';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { quote } from '../database/tables/columns/table-columns.js';
import {
  type BulkTable,
  type BulkTableDescription,
  type Cell,
  type Cells,
  PAGE_BYTES,
  storedCell,
  valuesOf,
} from './bulk-table.js';

export class SqliteBulkTable implements BulkTable {
  readonly name: string;
  readonly key: number;
  readonly hasIds: boolean;
  readonly growsAtEnd: boolean;
  readonly references: readonly string[];
  readonly #description: BulkTableDescription;
  readonly #connection: Database.Database;
  readonly #count: Database.Statement;
  readonly #greatest: Database.Statement;
  readonly #firstPage: Database.Statement;
  readonly #nextPage: Database.Statement;
  readonly #insertAll: Database.Transaction<(rows: readonly Cells[]) => void>;
  readonly #replaceAll: Database.Transaction<(rows: readonly Cells[]) => void>;

  constructor(connection: Database.Database, description: BulkTableDescription) {
    const { name, columns, columnList, ...table } = description;
    this.#description = description;
    this.name = name;
    this.key = table.key;
    this.hasIds = table.hasIds;
    this.growsAtEnd = table.growsAtEnd;
    this.references = table.references;
    this.#connection = connection;
    const tableName = quote(name);
    const keyName = quote(table.keyColumn.name);
    const read = (rest: string) => this.#prepareRead(`SELECT ${columnList} FROM ${tableName} ${rest}`);
    this.#count = connection.prepare(`SELECT COUNT(*) FROM ${tableName}`).pluck();
    this.#greatest = read(`ORDER BY ${keyName} DESC LIMIT 1`);
    this.#firstPage = read(`ORDER BY ${keyName} LIMIT ? + 0`);
    this.#nextPage = read(`WHERE ${keyName} > ? ORDER BY ${keyName} LIMIT ? + 0`);
    const insert = connection.prepare(
      `INSERT INTO ${tableName} (${columnList}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    const clear = connection.prepare(`DELETE FROM ${tableName}`);
    const insertAll = (rows: readonly Cells[]) => {
      for (const cells of rows) insert.run(columns.map((column, index) => storedCell(column, cells[index])));
    };
    this.#insertAll = connection.transaction(insertAll);
    this.#replaceAll = connection.transaction((rows) => {
      clear.run();
      insertAll(rows);
    });
  }

  async count(): Promise<number> {
    return this.#count.get() as number;
  }

  async greatestKey(): Promise<Cell | undefined> {
    return (this.#greatest.get() as Cells | undefined)?.[this.key];
  }

  async page(after: Cell | undefined, limit: number): Promise<Cells[]> {
    // SQLite works in this thread: a copy between two files would notice a signal only when it is complete.
    await nextTurn();
    const { keyColumn } = this.#description;
    const read =
      after === undefined
        ? this.#firstPage.iterate(limit)
        : this.#nextPage.iterate(storedCell(keyColumn, after), limit);
    const rows: Cells[] = [];
    let bytes = 0;
    for (const cells of read as IterableIterator<Cells>) {
      rows.push(valuesOf(this.#description, cells));
      for (const cell of cells) if (typeof cell === 'string') bytes += Buffer.byteLength(cell);
      if (bytes >= PAGE_BYTES) break;
    }
    return rows;
  }

  async insert(rows: readonly Cells[]): Promise<void> {
    this.#insertAll.immediate(rows);
  }

  async endInserts(): Promise<void> {}

  async replace(rows: readonly Cells[]): Promise<void> {
    this.#replaceAll.immediate(rows);
  }

  #prepareRead(sql: string): Database.Statement {
    return this.#connection.prepare(sql).raw().safeIntegers();
  }
}
