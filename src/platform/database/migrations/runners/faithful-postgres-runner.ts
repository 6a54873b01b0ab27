import type { Client } from 'pg';
import type { ColumnType, DataSource, Table, TableColumn } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { quote } from '../../tables/columns/table-columns.js';
import { refuseOtherTypes } from './changed-types.js';
import type { MigrationRunner } from './migration-runner.js';

/**
 * To give a column another type or length on PostgreSQL, TypeORM drops it and adds it again, empty and without its indexes.
 * This runner widens its type, or refuses before it changes anything.
 */
export class FaithfulPostgresRunner extends PostgresQueryRunner implements MigrationRunner {
  constructor(dataSource: DataSource) {
    super(dataSource.driver as PostgresDriver, 'master');
    // As `createQueryRunner` of a DataSource does.
    Object.assign(this, { manager: dataSource.createEntityManager(this) });
  }

  async isInTransaction(): Promise<boolean> {
    const client = (await this.connect()) as Client;
    return client.getTransactionStatus() !== 'I';
  }

  override async renameTable(table: Table | string, name: string): Promise<void> {
    await super.renameTable(await this.#current(table), name);
  }

  override async addColumn(table: Table | string, column: TableColumn): Promise<void> {
    await super.addColumn(await this.#current(table), column);
  }

  override async updatePrimaryKeys(table: Table | string, columns: TableColumn[]): Promise<void> {
    await super.updatePrimaryKeys(await this.#current(table), columns);
  }

  override async dropPrimaryKey(table: Table | string, name?: string, ifExists?: boolean): Promise<void> {
    await super.dropPrimaryKey(await this.#current(table), name, ifExists);
  }

  /** By its name, because TypeORM would give the column all that the caller knew of it. */
  override async renameColumn(
    table: Table | string,
    old: TableColumn | string,
    name: TableColumn | string,
  ): Promise<void> {
    await super.renameColumn(await this.#current(table), typeof old === 'string' ? old : old.name, name);
  }

  override async dropColumn(table: Table | string, column: TableColumn | string, ifExists?: boolean): Promise<void> {
    await super.dropColumn(await this.#current(table), column, ifExists);
  }

  /** `renameColumn` and `changeColumns` call it as well. */
  override async changeColumn(
    tableOrName: Table | string,
    columnOrName: TableColumn | string,
    changed: TableColumn,
  ): Promise<void> {
    const table = await this.#current(tableOrName);
    const name = typeof columnOrName === 'string' ? columnOrName : columnOrName.name;
    const column = table.findColumnByName(name);
    if (!column) return super.changeColumn(table, name, changed);
    const wanted = changed.clone();
    // TypeORM would drop a key that the new column does not name.
    wanted.isUnique ||= column.isUnique;
    wanted.isPrimary ||= column.isPrimary;
    const fullTypeOf = (it: TableColumn) => this.driver.createFullType(it);
    refuseOtherTypes(this.escapePath(table), column, wanted, fullTypeOf);
    // TypeORM compares names, and PostgreSQL has others, such as "character varying" for "varchar".
    wanted.type = this.driver.normalizeType({ type: changed.type as ColumnType });
    if (fullTypeOf(column) !== fullTypeOf(wanted)) {
      const change = `ALTER COLUMN ${quote(name)} TYPE ${fullTypeOf(wanted)}`;
      await this.query(`ALTER TABLE ${this.escapePath(table)} ${change}`);
    }
    // Otherwise TypeORM drops the column for another name of its type, such as "TIMESTAMP" or "numeric(12,3)".
    const { type, length, precision, scale } = wanted;
    Object.assign(column, { type, length, precision, scale });
    // What remains different of the column, its name included, is TypeORM's to change.
    await super.changeColumn(table, column, wanted);
  }

  /** TypeORM would keep what it knew before a statement such as ALTER TABLE. */
  protected override getCachedTable(name: string): Promise<Table> {
    return this.#current(name);
  }

  /** The table as the database has it, whatever the caller has read before. */
  async #current(tableOrName: Table | string): Promise<Table> {
    const table = typeof tableOrName === 'string' ? await super.getCachedTable(tableOrName) : tableOrName;
    const [existing] = await this.loadTables([this.getTablePath(table)]);
    return Object.assign(table, existing);
  }
}
