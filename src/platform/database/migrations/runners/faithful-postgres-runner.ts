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

  /** `renameColumn` and `changeColumns` call it as well. */
  override async changeColumn(
    tableOrName: Table | string,
    columnOrName: TableColumn | string,
    changed: TableColumn,
  ): Promise<void> {
    const table = typeof tableOrName === 'string' ? await this.getCachedTable(tableOrName) : tableOrName;
    const name = typeof columnOrName === 'string' ? columnOrName : columnOrName.name;
    // As the database has it: the caller, or a statement after `getTable`, may have changed what TypeORM knows.
    const [existing] = await this.loadTables([this.getTablePath(table)]);
    const column = existing?.findColumnByName(name);
    if (!column) return super.changeColumn(table, name, changed);
    const wanted = changed.clone();
    // TypeORM would drop a key that the new column does not name.
    wanted.isUnique ||= column.isUnique;
    wanted.isPrimary ||= column.isPrimary;
    Object.assign(table, existing);
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
    // TypeORM keeps what it knew of the column, and a later `renameColumn` would change it back.
    const [after] = await this.loadTables([this.getTablePath(table)]);
    Object.assign(table, after);
  }

  /** TypeORM would keep what it knew before a statement such as ALTER TABLE. */
  protected override async getCachedTable(name: string): Promise<Table> {
    const table = await super.getCachedTable(name);
    const [existing] = await this.loadTables([name]);
    return Object.assign(table, existing);
  }
}
