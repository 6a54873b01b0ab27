import type Database from 'better-sqlite3';
import { INT64_MAX } from '../../values/int64.js';
import { quote, type TableDescription } from '../tables/table-columns.js';

type Plain = Record<string, unknown>;

/** Rows of one statement. To run a statement costs as much as to store two rows, so that 64 at once save little more. */
const AT_ONCE = 8;

/** Stores rows under the ids that follow those of all before them. */
export class SqliteInserts {
  readonly #takeIds: Database.Statement;
  readonly #insertOne: Database.Statement;
  readonly #insertMany: Database.Statement;
  readonly #insertAll: Database.Transaction<(rows: readonly Plain[]) => bigint[]>;

  constructor(
    connection: Database.Database,
    private readonly table: TableDescription,
  ) {
    this.#takeIds = connection.prepare(TAKE_IDS).pluck().safeIntegers();
    this.#insertOne = connection.prepare(insertText(table, 1));
    this.#insertMany = connection.prepare(insertText(table, AT_ONCE));
    this.#insertAll = connection.transaction((rows) => this.#insert(rows));
  }

  /** In one transaction: all rows or none. Answers with their ids. */
  insertAll(rows: readonly Plain[]): bigint[] {
    return this.#insertAll.immediate(rows);
  }

  /** Gives out ids: the last of as many as asked for, undefined when there are not so many left. */
  takeIds(count: bigint): bigint | undefined {
    return this.#takeIds.get(this.table.name, count, INT64_MAX - count) as bigint | undefined;
  }

  #insert(rows: readonly Plain[]): bigint[] {
    const count = BigInt(rows.length);
    const last = this.takeIds(count);
    if (last === undefined) throw new Error(`"sequences" has no more ids for "${this.table.name}"`);
    const ids = rows.map((_, index) => last - count + BigInt(index) + 1n);
    let index = 0;
    for (; index + AT_ONCE <= rows.length; index += AT_ONCE) {
      this.#insertMany.run(this.#cells(rows, ids, index, index + AT_ONCE));
    }
    for (; index < rows.length; index += 1) this.#insertOne.run(this.#cells(rows, ids, index, index + 1));
    return ids;
  }

  /** The values of some of the rows, one row after the other. */
  #cells(rows: readonly Plain[], ids: readonly bigint[], from: number, to: number): unknown[] {
    const cells: unknown[] = [];
    for (let index = from; index < to; index += 1) {
      for (const { property } of this.table.columns) {
        cells.push(property === 'id' ? ids[index] : (rows[index]![property] ?? null));
      }
    }
    return cells;
  }
}

/** The first row of a table begins its sequence, so that a migration need not. */
const TAKE_IDS = `INSERT INTO "sequences" ("name", "last") VALUES (?, ?) ON CONFLICT ("name")
  DO UPDATE SET "last" = "sequences"."last" + excluded."last" WHERE "sequences"."last" <= ? RETURNING "last"`;

function insertText({ name, columns, columnList }: TableDescription, count: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`;
  const rows = Array.from({ length: count }, () => row).join(', ');
  return `INSERT INTO ${quote(name)} (${columnList}) VALUES ${rows}`;
}
