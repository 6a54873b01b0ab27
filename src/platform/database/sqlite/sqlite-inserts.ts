import type Database from 'better-sqlite3';
import { INT64_MAX } from '../../values/int64.js';
import { rowFault } from './sqlite-fault.js';
import { RowDropped, SequenceExhausted } from '../tables/failed-inserts.js';
import { type Cells, quote, type TableDescription } from '../tables/columns/table-columns.js';

/** Rows of one statement. Running a statement costs as much as storing two rows, so 64 at once would save little more. */
const ROWS_AT_ONCE = 8;

/** Stores rows under the next ids of their table. */
export class SqliteInserts {
  readonly #lastId: Database.Statement;
  readonly #storeLastId: Database.Statement;
  readonly #insertOne: Database.Statement;
  readonly #insertMany: Database.Statement;
  readonly #undo: Database.Statement;
  readonly #insertAll: Database.Transaction<(rows: readonly Cells[]) => bigint[]>;

  constructor(
    private readonly connection: Database.Database,
    private readonly table: TableDescription,
  ) {
    this.#lastId = connection.prepare(lastIdText(table)).pluck().safeIntegers();
    this.#storeLastId = connection.prepare(STORE_LAST_ID);
    this.#insertOne = connection.prepare(insertText(table, 1));
    this.#insertMany = connection.prepare(insertText(table, ROWS_AT_ONCE));
    this.#undo = connection.prepare(`DELETE FROM ${quote(table.name)} WHERE "id" = ?`);
    this.#insertAll = connection.transaction((rows) => this.insert(rows));
  }

  /** Stores all rows or none, and returns their ids. */
  insertAll(rows: readonly Cells[]): bigint[] {
    return this.#insertAll.immediate(rows);
  }

  /** The same inside a transaction that is open. */
  insert(rows: readonly Cells[]): bigint[] {
    const { name, isAppendOnly } = this.table;
    const count = BigInt(rows.length);
    // The statement always returns a row.
    let id = this.#lastId.get(name) as bigint;
    if (id > INT64_MAX - count) throw new SequenceExhausted(name);
    // The page of the sequence would be a third one to write, beside those of the row and its index.
    if (!isAppendOnly) this.#storeLastId.run(name, id + count);
    const ids = rows.map(() => (id += 1n));
    let index = 0;
    for (; index + ROWS_AT_ONCE <= rows.length; index += ROWS_AT_ONCE) {
      const { changes } = this.#insertMany.run(withIds(rows, ids, index, index + ROWS_AT_ONCE));
      if (changes < ROWS_AT_ONCE) throw new RowDropped(name);
    }
    for (; index < rows.length; index += 1) this.#insertRow(rows, ids, index);
    return ids;
  }

  /** Describes a conflict of its row. After one of several rows, GroupCommit inserts each by itself. */
  #insertRow(rows: readonly Cells[], ids: readonly bigint[], index: number): void {
    try {
      const { changes } = this.#insertOne.run(withIds(rows, ids, index, index + 1));
      if (changes === 0) throw new RowDropped(this.table.name);
    } catch (error) {
      const names = this.table.stored.map(({ name }) => name);
      const cells = rows[index]!; // `index` is that of a row
      throw rowFault(error, this.connection, this.table, { changed: { names, cells } });
    }
  }

  /** Removes a row within the transaction that inserted it: no other one has seen it. */
  undo(id: bigint): void {
    this.#undo.run(id);
  }
}

/** The cells of rows `from` to `to`, row by row. */
function withIds(rows: readonly Cells[], ids: readonly bigint[], from: number, to: number): unknown[] {
  const cells: unknown[] = [];
  // `to` is at most the number of rows.
  for (let index = from; index < to; index += 1) cells.push(ids[index], ...rows[index]!);
  return cells;
}

/**
 * The greatest id that was ever taken. A row that is deleted leaves it in "sequences", whose row no migration has to create.
 * A row that was inserted by hand counts as well.
 */
const lastIdText = ({ name }: TableDescription): string => `SELECT max(
  coalesce((SELECT max("id") FROM ${quote(name)}), 0),
  coalesce((SELECT "last" FROM "sequences" WHERE "name" = ?), 0))`;

const STORE_LAST_ID = `INSERT INTO "sequences" ("name", "last") VALUES (?, ?)
  ON CONFLICT ("name") DO UPDATE SET "last" = excluded."last"`;

function insertText({ name, stored }: TableDescription, count: number): string {
  const names = ['id', ...stored.map((column) => column.name)];
  const row = `(${names.map(() => '?').join(', ')})`;
  const rows = Array.from({ length: count }, () => row).join(', ');
  return `INSERT INTO ${quote(name)} (${names.map(quote).join(', ')}) VALUES ${rows}`;
}
