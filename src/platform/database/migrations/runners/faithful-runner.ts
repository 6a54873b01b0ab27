import type Database from 'better-sqlite3';
import type { ColumnType, DataSource, Table, TableColumn, TableForeignKey } from 'typeorm';
import type { Query } from 'typeorm/driver/Query.js';
import { quote } from '../../tables/columns/table-columns.js';
import { unreadClauseOf } from '../../schema/sqlite-text.js';
import { storedFormOf } from '../../schema/stored-forms.js';
import { brokenKeys, refuseBrokenKeys, refuseReferred } from '../../schema/broken-keys.js';
import { hasSameType, refuseOtherTypes, sizeOf, typeOf } from './changed-types.js';
import { CurrentTables } from './current-tables.js';
import { dropWithColumns } from './dropped-columns.js';
import { inOneTransaction } from './in-one-transaction.js';
import type { MigrationRunner } from './migration-runner.js';
import { nameKeys } from './named-keys.js';
import { completed, primaryKeyOf, TEXT } from './read-tables.js';
import { renameColumns, renamedBy, type RenamedColumns } from './renamed-columns.js';

const INDEX_TEXT = `SELECT "sql" FROM "sqlite_schema" WHERE "type" = 'index' AND "name" = ?`;
const TRIGGERS = `SELECT "name" FROM "sqlite_schema" WHERE "type" = 'trigger' AND "tbl_name" = ?`;
/** Of TypeORM's own; without a condition, it would cover all rows. */
const INDEXES = `SELECT "name", "partial" FROM pragma_index_list(?) WHERE "origin" = 'c'`;
/** Keys of an index that are no plain columns: an expression has no name. */
const KEYS = `SELECT "name" FROM pragma_index_xinfo(?) WHERE "key" = 1 AND ("cid" = -2 OR "desc" = 1 OR "coll" <> 'BINARY')`;
/** A foreign key that names no column. */
const SHORT_KEYS = `SELECT "from" FROM pragma_foreign_key_list(?) WHERE "to" IS NULL`;

/**
 * To add a column on SQLite, TypeORM creates the table again as it has read it, and it reads less than the table has. This
 * runner reads all checks, and refuses to lose what it still does not read, before it changes anything.
 */
export class FaithfulRunner extends CurrentTables implements MigrationRunner {
  /** During `changeColumns`. */
  #renamed: RenamedColumns = new Map();
  /** The order of the primary key, which TypeORM does not know. */
  #key: readonly string[] = [];

  constructor(
    dataSource: DataSource,
    private readonly sqlite: Database.Database,
    /** Repeats a statement until no other process writes. */
    private readonly wait: (statement: () => Promise<unknown>) => Promise<unknown>,
  ) {
    super(dataSource);
  }

  /**
   * TypeORM's BEGIN takes no lock. A migration that reads first could not write after a commit of the service: to SQLite,
   * what it has read is old then, and no wait helps.
   */
  override query(
    text: string,
    ...rest: [parameters?: unknown[], isStructured?: boolean]
  ): ReturnType<CurrentTables['query']> {
    // In a transaction, the lock is held, and a statement alone cannot be repeated.
    if (this.sqlite.inTransaction) return super.query(text, ...rest);
    const statement = text === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE' : text;
    return this.wait(() => super.query(statement, ...rest));
  }

  isInTransaction(): Promise<boolean> {
    return Promise.resolve(this.sqlite.inTransaction);
  }

  protected override async loadTables(names?: string[]): Promise<Table[]> {
    const tables = await super.loadTables(names);
    const { namingStrategy } = this.dataSource;
    return tables.map((table) =>
      completed(this.sqlite, namingStrategy, table, (column) => this.driver.createFullType(column)),
    );
  }

  /** Each column of a primary key is required, as on PostgreSQL. */
  protected override createTableSql(table: Table, hasForeignKeys?: boolean, isTemporary?: boolean): Query {
    for (const column of table.primaryColumns) column.isNullable = false;
    const statement = super.createTableSql(table, hasForeignKeys, isTemporary);
    const columns = table.primaryColumns.map(({ name }) => name);
    const rank = (name: string): number => (this.#key.includes(name) ? this.#key.indexOf(name) : Infinity);
    const ordered = columns.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
    statement.query = statement.query.replace(keyText(columns), () => keyText(ordered));
    return statement;
  }

  override async createTable(
    table: Table,
    ifNotExists?: boolean,
    createForeignKeys?: boolean,
    createIndices?: boolean,
  ): Promise<void> {
    const broken = brokenKeys(this.sqlite, table.name);
    await inOneTransaction(this, async () => {
      await super.createTable(table, ifNotExists, createForeignKeys, createIndices);
      refuseBrokenKeys(this.sqlite, broken, table.name);
    });
  }

  override async createForeignKeys(table: Table | string, keys: TableForeignKey[]): Promise<void> {
    const name = typeof table === 'string' ? table : table.name;
    const broken = brokenKeys(this.sqlite, name);
    await inOneTransaction(this, async () => {
      await super.createForeignKeys(table, keys);
      refuseBrokenKeys(this.sqlite, broken, name);
    });
  }

  override async dropTable(
    table: Table | string,
    ifExists?: boolean,
    dropForeignKeys?: boolean,
    dropIndices?: boolean,
  ): Promise<void> {
    refuseReferred(this.sqlite, typeof table === 'string' ? table : table.name);
    await super.dropTable(table, ifExists, dropForeignKeys, dropIndices);
  }

  override async createPrimaryKey(table: Table | string, columns: string[]): Promise<void> {
    this.#key = columns;
    try {
      await super.createPrimaryKey(table, columns);
    } finally {
      this.#key = [];
    }
  }

  /** TypeORM does nothing on SQLite. */
  override async updatePrimaryKeys(table: Table | string, columns: TableColumn[]): Promise<void> {
    await this.dropPrimaryKey(table, undefined, true);
    await this.createPrimaryKey(
      table,
      columns.map(({ name }) => name),
    );
  }

  /** `changeColumn` and `renameColumn` call it as well. */
  override async changeColumns(
    tableOrName: Table | string,
    changes: { oldColumn: TableColumn; newColumn: TableColumn }[],
  ): Promise<void> {
    // As the database has it, whatever the caller says.
    const table = await this.current(tableOrName);
    const normalized = changes.map(({ oldColumn, newColumn }) => {
      const column = table.findColumnByName(oldColumn.name);
      if (!column) throw new Error(`There is no column ${quote(oldColumn.name)} in ${quote(table.name)} to change`);
      const wanted = newColumn.clone();
      wanted.isPrimary ||= column.isPrimary;
      if (wanted.isPrimary && wanted.isNullable) throw refusalOfNull(table.name, column.name);
      refuseOtherTypes(quote(table.name), column, wanted, (it) => this.driver.createFullType(it));
      wanted.type = this.driver.normalizeType({ type: newColumn.type as ColumnType });
      if (!hasSameType(column, wanted)) refuseOtherValues(this.sqlite, table.name, column);
      return { oldColumn: column, newColumn: wanted };
    });
    this.#renamed = renamedBy(table, normalized);
    try {
      await super.changeColumns(table, normalized);
    } finally {
      this.#renamed = new Map();
    }
  }

  /** For every change of a table for which SQLite has no statement. */
  protected override async recreateTable(changed: Table, table: Table, copiesRows?: boolean): Promise<void> {
    refuseCascades(this.sqlite, table);
    refuseLosses(this.sqlite, table);
    await inOneTransaction(this, async () => {
      const renamed = await renameColumns(changed, table, this.#renamed, (from, to) =>
        this.#rename(table.name, from, to),
      );
      if (changed.columns.length < table.columns.length) dropWithColumns(this.sqlite, changed);
      nameKeys(changed, table, this.dataSource.namingStrategy);
      this.#key = [...primaryKeyOf(this.sqlite, table.name), ...this.#key];
      await super.recreateTable(changed, renamed, copiesRows);
    }).finally(() => {
      this.#key = [];
    });
    // The caller may go on with its table, and TypeORM updates only the one that it has read last.
    const [after] = await this.loadTables([changed.name]);
    Object.assign(table, after);
  }

  async #rename(table: string, from: string, to: string): Promise<Table> {
    await this.query(`ALTER TABLE ${this.escapePath(table)} RENAME COLUMN ${quote(from)} TO ${quote(to)}`);
    const [renamed] = await this.loadTables([table]);
    return renamed!; // it exists, because the statement succeeded
  }
}

/** A migration without a transaction may have switched foreign keys on again. */
function refuseCascades(connection: Database.Database, { name }: Table): void {
  if (connection.pragma('foreign_keys', { simple: true }) === 0) return;
  throw new Error(
    `This change would drop the table "${name}" and create it again, which deletes the rows that refer to it; let the migration set "PRAGMA foreign_keys = OFF" before it`,
  );
}

/** SQLite keeps any value in any column; PostgreSQL would have refused it, or rounded it to the earlier digits. */
function refuseOtherValues(connection: Database.Database, table: string, column: TableColumn): void {
  const cell = quote(column.name);
  // Of some types, TypeORM leaves the size in the name.
  const { whole, fraction: scale } = sizeOf(column);
  const type = typeOf(column);
  const length = type === 'text' && Number.isFinite(whole) ? String(whole) : '';
  const precision = whole + scale;
  const { name, condition, mended = cell } = storedFormOf(cell, { type, length, precision, scale });
  const isOther = `${cell} IS NOT NULL AND ((${condition}) IS NOT TRUE OR ${mended} <> ${cell})`;
  if (!connection.prepare(`SELECT 1 FROM ${quote(table)} WHERE ${isOther}`).get()) return;
  throw new Error(
    `The column ${cell} of ${quote(table)} has a value that is not ${name}; correct its values before you change its type`,
  );
}

function refuseLosses(connection: Database.Database, { name, indices }: Table): void {
  const namesOf = (text: string) => connection.prepare<[string], string>(text).pluck().all(name);
  const [trigger] = namesOf(TRIGGERS);
  if (trigger !== undefined) throw refusal(name, `the trigger "${trigger}"`);
  const [column] = namesOf(SHORT_KEYS);
  if (column !== undefined) throw refusal(name, `the foreign key of "${column}", which names no column`);
  const [sql = ''] = namesOf(TEXT);
  const clause = unreadClauseOf(sql);
  if (clause !== undefined) throw refusal(name, clause);
  const existing = connection.prepare<[string], { name: string; partial: number }>(INDEXES).all(name);
  const isRead = ({ name: index }: { name: string }) => indices.some((it) => it.name === index);
  const unlike = existing.filter(isRead).find((index) => connection.prepare(KEYS).get(index.name));
  if (unlike) throw refusal(name, `the collation, order or expression of the index "${unlike.name}"`);
  const lost = existing.find((index) => {
    const read = indices.find((it) => it.name === index.name);
    // The condition of an index that was dropped is not needed.
    return read && index.partial === 1 && !isWhole(connection, read.where, index.name);
  });
  if (lost) throw refusal(name, `the condition of the index "${lost.name}"`);
}

/** TypeORM reads a condition up to the end of its line. */
function isWhole(connection: Database.Database, where: string | undefined, index: string): boolean {
  const sql = connection.prepare<[string], string>(INDEX_TEXT).pluck().get(index) ?? '';
  return where !== undefined && sql.trimEnd().endsWith(where.trimEnd());
}

function refusal(table: string, what: string): Error {
  return new Error(
    `This change would create the table "${table}" again without ${what}; use statements such as ALTER TABLE "${table}" ADD COLUMN instead`,
  );
}

const keyText = (columns: readonly string[]): string => `PRIMARY KEY (${columns.map(quote).join(', ')})`;

function refusalOfNull(table: string, column: string): Error {
  return new Error(`The column ${quote(column)} of ${quote(table)} is in the primary key, and cannot be null`);
}
