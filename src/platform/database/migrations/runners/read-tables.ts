import type Database from 'better-sqlite3';
import { type NamingStrategyInterface, type Table, TableCheck } from 'typeorm';
import { checksOf, namedKeysOf } from '../../schema/sqlite-text.js';

export const TEXT = `SELECT "sql" FROM "sqlite_schema" WHERE "type" = 'table' AND "name" = ?`;
const TYPES = `SELECT "name", lower("type") AS "type" FROM pragma_table_xinfo(?)`;
const PRIMARY = `SELECT "name" FROM pragma_table_info(?) WHERE "pk" > 0 ORDER BY "pk"`;

/** The columns of the primary key, in its order. */
export function primaryKeyOf(connection: Database.Database, table: string): string[] {
  return connection.prepare<[string], string>(PRIMARY).pluck().all(table);
}

/** Completes what TypeORM has read of a table. */
export function completed(
  connection: Database.Database,
  naming: NamingStrategyInterface,
  table: Table,
  fullTypeOf: (column: Table['columns'][number]) => string,
): Table {
  const sql = connection.prepare<[string], string>(TEXT).pluck().get(table.name) ?? '';
  readChecks(table, sql);
  nameKeys(table, sql, naming);
  const types = connection.prepare<[string], { name: string; type: string }>(TYPES).all(table.name);
  for (const column of table.columns) {
    // As on PostgreSQL; SQLite says it only of the statement.
    if (column.isPrimary) column.isNullable = false;
    const { type } = types.find(({ name }) => name === column.name)!; // both are those of the table
    // TypeORM loses the size where a blank is in an unusual place, as in "decimal(5 ,2)".
    if (fullTypeOf(column) !== type && !column.enum) {
      Object.assign(column, { type, length: '', precision: undefined, scale: undefined });
    }
  }
  return table;
}

/** TypeORM finds only named checks, in capitals, of tables with rowid. */
function readChecks(table: Table, sql: string): void {
  const checks = checksOf(sql).filter(({ name, expression }) => name !== undefined || !isEnum(table, expression));
  // TypeORM names a check without a name itself.
  table.checks = checks.map(
    ({ name, expression }) => new TableCheck({ ...(name !== undefined && { name }), expression }),
  );
}

/** TypeORM reads such a check as a part of the column, and writes it again. */
function isEnum({ columns }: Table, expression: string): boolean {
  return columns.some((column) => column.enum && expression.startsWith(`"${column.name}" IN `));
}

/** TypeORM takes the name of a key with some of its columns, and has none for a foreign key in the definition of its column. */
function nameKeys(table: Table, sql: string, naming: NamingStrategyInterface): void {
  const named = namedKeysOf(sql);
  const nameOf = (columns: readonly string[], target?: string) =>
    named.find((key) => key.target === target && key.columns.join('\n') === columns.join('\n'))?.name;
  for (const key of table.uniques) {
    key.name = nameOf(key.columnNames) ?? naming.uniqueConstraintName(table, key.columnNames);
  }
  for (const key of table.foreignKeys) {
    const { columnNames, referencedTableName: target, referencedColumnNames } = key;
    key.name = nameOf(columnNames, target) ?? naming.foreignKeyName(table, columnNames, target, referencedColumnNames);
  }
}
