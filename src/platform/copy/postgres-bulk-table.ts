import type { PoolClient } from 'pg';
import { exactTypes } from '../database/postgres/postgres-statements.js';
import { quote, type TableColumn } from '../database/tables/columns/table-columns.js';
import { StartError } from '../process/start-error.js';
import {
  type BulkTable,
  type BulkTableDescription,
  type Cell,
  type Cells,
  PAGE_BYTES,
  keyText,
  storedCell,
  valuesOf,
} from './bulk-table.js';

/** SQLSTATE character_not_in_repertoire: text that PostgreSQL cannot store. */
const NOT_IN_REPERTOIRE = '22021';

/** A temporary table. */
const STAGE = '"copied_rows"';

/** Uses unnamed statements, which work behind any pooler. */
export class PostgresBulkTable implements BulkTable {
  readonly name: string;
  readonly key: number;
  readonly hasIds: boolean;
  readonly growsAtEnd: boolean;
  readonly references: readonly string[];
  readonly #description: BulkTableDescription;
  readonly #client: PoolClient;
  readonly #select: string;
  readonly #table: string;
  readonly #columns: string;
  readonly #keyName: string;
  readonly #insert: string;
  readonly #firstPage: string;
  readonly #nextPage: string;
  #isStaging = false;

  constructor(client: PoolClient, description: BulkTableDescription) {
    const { name, columns, columnList, keyColumn, ...table } = description;
    this.#description = description;
    this.name = name;
    this.key = table.key;
    this.hasIds = table.hasIds;
    this.growsAtEnd = table.growsAtEnd;
    this.references = table.references;
    this.#client = client;
    this.#table = quote(name);
    this.#keyName = sortedBy(keyColumn.name, keyColumn);
    this.#select = `SELECT ${columnList} FROM ${this.#table}`;
    this.#firstPage = pageOf(description, this.#select, this.#keyName, '');
    this.#nextPage = pageOf(description, this.#select, this.#keyName, `WHERE ${this.#keyName} > $2`);
    const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
    this.#columns = columnList;
    const insertInto = description.refersToItself ? STAGE : this.#table;
    this.#insert = `INSERT INTO ${insertInto} (${columnList}) SELECT * FROM unnest(${arrays.join(', ')})`;
  }

  async count(): Promise<number> {
    const [cells] = await this.#run(`SELECT COUNT(*) FROM ${this.#table}`);
    // COUNT always returns a row.
    return Number(cells![0]);
  }

  async greatestKey(): Promise<Cell | undefined> {
    const [cells] = await this.#run(`${this.#select} ORDER BY ${this.#keyName} DESC LIMIT 1`);
    return cells && valuesOf(this.#description, cells)[this.key];
  }

  async page(after: Cell | undefined, limit: number): Promise<Cells[]> {
    const rows = await (after === undefined
      ? this.#run(this.#firstPage, [limit])
      : this.#run(this.#nextPage, [limit, storedCell(this.#description.keyColumn, after)]));
    return rows.map((cells) => valuesOf(this.#description, cells));
  }

  async insert(rows: readonly Cells[]): Promise<void> {
    if (rows.length === 0) return;
    const columns = this.#description.columns.map((column, index) =>
      rows.map((cells) => storedCell(column, cells[index])),
    );
    try {
      if (this.#description.refersToItself) await this.#stage();
      await this.#run(this.#insert, columns);
    } catch (error) {
      if ((error as { code?: string }).code === NOT_IN_REPERTOIRE) throw this.#unstorable(rows, error);
      throw error;
    }
  }

  async endInserts(): Promise<void> {
    if (!this.#isStaging) return;
    this.#isStaging = false;
    await this.#run(`INSERT INTO ${this.#table} (${this.#columns}) SELECT ${this.#columns} FROM ${STAGE}`);
    await this.#run('COMMIT');
  }

  async replace(rows: readonly Cells[]): Promise<void> {
    await this.#run('BEGIN');
    try {
      await this.#run(`DELETE FROM ${this.#table}`);
      await this.insert(rows);
      await this.#run('COMMIT');
    } catch (error) {
      // On a lost connection there is nothing to roll back.
      await this.#run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /**
   * A row may refer to any other row of its table, and PostgreSQL checks that after each statement: so one statement has to
   * store all rows. Until then they are in another table, in one transaction, because a pooler may give the next one to
   * another connection.
   */
  async #stage(): Promise<void> {
    if (this.#isStaging) return;
    this.#isStaging = true;
    await this.#run('BEGIN');
    await this.#run(`CREATE TEMPORARY TABLE ${STAGE} (LIKE ${this.#table}) ON COMMIT DROP`);
  }

  async #run(text: string, values: unknown[] = []): Promise<Cells[]> {
    return (await this.#client.query<Cell[]>({ text, values, rowMode: 'array', types: exactTypes })).rows;
  }

  #unstorable(rows: readonly Cells[], cause: unknown): unknown {
    const bad = rows.find((cells) => cells.some((cell) => typeof cell === 'string' && cell.includes('\0')));
    if (bad === undefined) return cause;
    return new StartError(
      `The row ${keyText(bad[this.key])} of ${this.name} contains the character U+0000, which PostgreSQL cannot store; change it in the source and run this again.`,
      { cause },
    );
  }
}

function isText({ type }: TableColumn): boolean {
  return type === 'text' || type === 'character varying';
}

/** By default PostgreSQL orders text by language, SQLite by bytes. */
function sortedBy(name: string, column: TableColumn): string {
  return `${quote(name)}${isText(column) ? ' COLLATE "C"' : ''}`;
}

/** Casts JSON, which PostgreSQL has to read for that. Text needs no cast. */
function textOf(column: TableColumn): string {
  return isText(column) ? quote(column.name) : `${quote(column.name)}::text`;
}

/**
 * The page ends with the row that reaches the limit. PostgreSQL knows the size of a text without reading it. The outer
 * statement numbers the columns, one of which may be named "before".
 */
function pageOf(
  { columns, columnList, key, keyColumn }: BulkTableDescription,
  select: string,
  keyName: string,
  condition: string,
): string {
  const texts = columns.filter((column) => isText(column) || !column.isComparable);
  const size = ['0', ...texts.map((column) => `COALESCE(octet_length(${textOf(column)}), 0)`)].join(' + ');
  const before = `SUM(${size}) OVER (ORDER BY ${keyName}) - (${size})`;
  const numbers = columns.map((_, index) => quote(String(index))).join(', ');
  return `SELECT ${numbers} FROM (
      SELECT ${columnList}, ${before} FROM (${select} ${condition} ORDER BY ${keyName} LIMIT $1) AS "rows"
    ) AS "sized" (${numbers}, "before") WHERE "before" < ${PAGE_BYTES} ORDER BY ${sortedBy(String(key), keyColumn)}`;
}
