import type { Client } from 'pg';
import type { ColumnType, DataSource, Table, TableColumn } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { quote } from '../../tables/columns/table-columns.js';
import { refuseOtherTypes } from './changed-types.js';
import { hasOtherDigits } from './changed-values.js';
import type { MigrationRunner } from './migration-runner.js';
import { type Conversion, conversionOf } from './postgres-conversion.js';

/** SQLSTATEs of values that the new type does not hold, and of types that PostgreSQL does not convert. */
const NO_CONVERSION = /^(22...|42804|42846|42883|42704)$/;

/**
 * To give a column another type or length on PostgreSQL, TypeORM drops it and adds it again, empty and without its indexes.
 * This runner converts the values, or refuses before it changes anything.
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
    const column = table.columns.find((it) => it.name === name);
    if (!column) return super.changeColumn(table, columnOrName, changed);
    const wanted = changed.clone();
    // TypeORM compares names, and PostgreSQL has others, such as "character varying" for "varchar".
    wanted.type = this.driver.normalizeType({ type: changed.type as ColumnType });
    if (isComputed(column, wanted)) await this.#refuseLoss(table, column, wanted);
    else if (isConverted(column, wanted)) await this.#convert(table, column, wanted);
    await super.changeColumn(table, column, wanted);
  }

  /** What remains different of the column, its name included, is TypeORM's to change. */
  async #convert(table: Table, column: TableColumn, wanted: TableColumn): Promise<void> {
    refuseOtherTypes(this.escapePath(table), column, wanted, (it) => this.driver.createFullType(it));
    const type = this.driver.createFullType(wanted);
    const cell = quote(column.name);
    const conversion = conversionOf(column, wanted, [this.driver.createFullType(column), type]);
    const changes = [`TYPE ${type}${conversion.using === undefined ? '' : ` USING ${conversion.using}`}`];
    // PostgreSQL does not convert every default.
    if (column.default !== undefined) changes.unshift('DROP DEFAULT');
    if (column.default !== undefined && wanted.default !== undefined && wanted.default !== null) {
      changes.push(`SET DEFAULT ${wanted.default}`);
    }
    const path = this.escapePath(table);
    const statement = `ALTER TABLE ${path} ${changes.map((change) => `ALTER COLUMN ${cell} ${change}`).join(', ')}`;
    const refusal = (reason: string, cause?: unknown) =>
      new Error(
        `The column ${cell} of ${path} cannot become ${type} (${reason}); correct its values before, or use ALTER TABLE ${path} ALTER COLUMN ${cell} TYPE ${type} USING with an expression of your own`,
        { cause },
      );
    try {
      await this.#inTransaction(async () => {
        if (await this.#changesValue(path, cell, conversion)) throw refusal(conversion.reason);
        await this.query(statement);
      });
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string };
      throw NO_CONVERSION.test(code) ? refusal(message, error) : error;
    }
    const { type: newType, length, isArray, precision, scale } = wanted;
    Object.assign(column, { type: newType, length, isArray, precision, scale });
    if (column.default !== undefined) column.default = wanted.default;
  }

  /** No other process writes a value between the check and the conversion. */
  async #inTransaction(work: () => Promise<void>): Promise<void> {
    if (await this.isInTransaction()) return work();
    await this.startTransaction();
    try {
      await work();
      await this.commitTransaction();
    } catch (error) {
      // A lost connection cannot end it.
      await this.rollbackTransaction().catch(() => undefined);
      throw error;
    }
  }

  async #changesValue(path: string, cell: string, { isSame }: Conversion): Promise<boolean> {
    if (isSame === undefined) return false;
    await this.query(`LOCK TABLE ${path} IN ACCESS EXCLUSIVE MODE`);
    const rows = await this.query(
      `SELECT 1 FROM ${path} WHERE ${cell} IS NOT NULL AND (${isSame}) IS NOT TRUE LIMIT 1`,
    );
    return (rows as object[]).length > 0;
  }

  /** TypeORM drops such a column; without rows, nothing is lost. */
  async #refuseLoss(table: Table, { name }: TableColumn, wanted: TableColumn): Promise<void> {
    const path = this.escapePath(table);
    const [row] = (await this.query(`SELECT 1 FROM ${path} LIMIT 1`)) as object[];
    if (!row) return;
    throw new Error(
      `This change would drop the column ${quote(name)} of ${path} and its values; add another column instead, such as ${quote(`new_${wanted.name}`)}, and fill it with UPDATE`,
    );
  }
}

function hasOtherType(column: TableColumn, wanted: TableColumn): boolean {
  return column.type !== wanted.type || column.length !== wanted.length || column.isArray !== wanted.isArray;
}

/** The database computes the values of a generated column again. */
function isConverted(column: TableColumn, wanted: TableColumn): boolean {
  return hasOtherType(column, wanted) || (column.generatedType === undefined && hasOtherDigits(column, wanted));
}

/** Whether TypeORM drops the column for what no statement changes: the expression of a generated one. */
function isComputed(column: TableColumn, wanted: TableColumn): boolean {
  const isGenerated = column.generatedType !== undefined || wanted.generatedType !== undefined;
  return isGenerated && (hasOtherType(column, wanted) || column.asExpression !== wanted.asExpression);
}
