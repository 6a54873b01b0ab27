import type { DataSource, Table, TableCheck, TableColumn, TableForeignKey, TableUnique } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import { quote } from '../../tables/columns/table-columns.js';

type TableOrName = Table | string;

/**
 * TypeORM creates a table again as its caller passes it, who may have read it before another change. This runner reads each
 * table before it changes it, so that a change keeps what it does not name, as a statement of PostgreSQL does.
 */
export class CurrentTables extends BetterSqlite3QueryRunner {
  constructor(dataSource: DataSource) {
    super(dataSource.driver as BetterSqlite3Driver);
    // As `createQueryRunner` of a DataSource does.
    Object.assign(this, { manager: dataSource.createEntityManager(this) });
  }

  /** The table as the database has it. The caller's becomes the same, because TypeORM may go on with it. */
  protected async current(tableOrName: TableOrName): Promise<Table> {
    const table = typeof tableOrName === 'string' ? await super.getCachedTable(tableOrName) : tableOrName;
    const [existing] = await this.loadTables([table.name]);
    return Object.assign(table, existing);
  }

  /** TypeORM would keep what it knew before a statement such as ALTER TABLE. */
  protected override getCachedTable(name: string): Promise<Table> {
    return this.current(name);
  }

  override async renameTable(table: TableOrName, name: string): Promise<void> {
    const current = await this.current(table);
    // SQLite renames what a foreign key refers to, and TypeORM would rename it back.
    for (const key of current.foreignKeys) {
      if (key.referencedTableName === current.name) key.referencedTableName = name;
    }
    await super.renameTable(current, name);
  }

  override async addColumns(table: TableOrName, columns: TableColumn[]): Promise<void> {
    await super.addColumns(await this.current(table), columns);
  }

  /** By its name, because TypeORM would give the column all that the caller knew of it. */
  override async renameColumn(
    table: TableOrName,
    old: TableColumn | string,
    name: TableColumn | string,
  ): Promise<void> {
    await super.renameColumn(await this.current(table), typeof old === 'string' ? old : old.name, name);
  }

  override async dropColumns(table: TableOrName, columns: TableColumn[] | string[], ifExists?: boolean): Promise<void> {
    const names = columns.map((column) => (typeof column === 'string' ? column : column.name));
    await super.dropColumns(await this.current(table), names, ifExists);
  }

  override async createPrimaryKey(table: TableOrName, columns: string[]): Promise<void> {
    await super.createPrimaryKey(await this.current(table), columns);
  }

  override async dropPrimaryKey(table: TableOrName, name?: string, ifExists?: boolean): Promise<void> {
    await super.dropPrimaryKey(await this.current(table), name, ifExists);
  }

  override async createUniqueConstraints(table: TableOrName, keys: TableUnique[]): Promise<void> {
    const current = await this.current(table);
    for (const key of keys) key.name ??= this.dataSource.namingStrategy.uniqueConstraintName(current, key.columnNames);
    refuseSameName(current, current.uniques, keys);
    await super.createUniqueConstraints(current, keys);
  }

  override async dropUniqueConstraint(
    table: TableOrName,
    key: TableUnique | string,
    ifExists?: boolean,
  ): Promise<void> {
    if (typeof key !== 'string') return this.dropUniqueConstraints(table, [key], ifExists);
    await super.dropUniqueConstraint(await this.current(table), key, ifExists);
  }

  override async dropUniqueConstraints(table: TableOrName, keys: TableUnique[], ifExists?: boolean): Promise<void> {
    const current = await this.current(table);
    await super.dropUniqueConstraints(current, existingOf(current, current.uniques, keys, ifExists));
  }

  override async createCheckConstraints(table: TableOrName, checks: TableCheck[]): Promise<void> {
    const current = await this.current(table);
    for (const check of checks) {
      const { expression = '' } = check;
      check.name ??= this.dataSource.namingStrategy.checkConstraintName(current, expression);
    }
    refuseSameName(current, current.checks, checks);
    await super.createCheckConstraints(current, checks);
  }

  override async dropCheckConstraint(
    table: TableOrName,
    check: TableCheck | string,
    ifExists?: boolean,
  ): Promise<void> {
    if (typeof check !== 'string') return this.dropCheckConstraints(table, [check], ifExists);
    await super.dropCheckConstraint(await this.current(table), check, ifExists);
  }

  override async dropCheckConstraints(table: TableOrName, checks: TableCheck[], ifExists?: boolean): Promise<void> {
    const current = await this.current(table);
    await super.dropCheckConstraints(current, existingOf(current, current.checks, checks, ifExists));
  }

  override async createForeignKeys(table: TableOrName, keys: TableForeignKey[]): Promise<void> {
    await super.createForeignKeys(await this.current(table), keys);
  }

  override async dropForeignKey(table: TableOrName, key: TableForeignKey | string, ifExists?: boolean): Promise<void> {
    if (typeof key !== 'string') return this.dropForeignKeys(table, [key], ifExists);
    await super.dropForeignKey(await this.current(table), key, ifExists);
  }

  override async dropForeignKeys(table: TableOrName, keys: TableForeignKey[], ifExists?: boolean): Promise<void> {
    const current = await this.current(table);
    for (const key of keys) {
      const { columnNames, referencedTableName, referencedColumnNames } = key;
      const { namingStrategy } = this.dataSource;
      key.name ??= namingStrategy.foreignKeyName(current, columnNames, referencedTableName, referencedColumnNames);
    }
    await super.dropForeignKeys(current, existingOf(current, current.foreignKeys, keys, ifExists));
  }
}

/** SQLite would create both. It does with a foreign key, whose migration runs again where rows did not fit it. */
function refuseSameName(
  table: Table,
  existing: readonly { name?: string }[],
  added: readonly { name?: string }[],
): void {
  const names = new Set(existing.map(({ name }) => name));
  for (const { name } of added) {
    if (names.has(name)) throw new Error(`The table ${quote(table.name)} has the constraint ${quote(name!)} already`); // given above
    names.add(name);
  }
}

/** The keys of the table that a caller drops. TypeORM would ignore one that the table lacks; PostgreSQL refuses it. */
function existingOf<Key extends { name?: string }>(
  table: Table,
  existing: readonly Key[],
  dropped: readonly Key[],
  ifExists = false,
): Key[] {
  return dropped.flatMap(({ name = '' }) => {
    const found = existing.find((key) => key.name === name);
    if (found) return found;
    if (ifExists) return [];
    throw new Error(`The table ${quote(table.name)} has no constraint ${quote(name)} to drop; name one that it has`);
  });
}
