import type { DataSource, EntityTarget } from 'typeorm';
import { PostgresTable } from './postgres-table.js';
import { SqliteTable } from './sqlite-table.js';
import type { Table } from './table.js';
import { describeTable } from './table-columns.js';

/** The table of an entity, in whichever database the DataSource has opened. */
export function openTable<Entity extends { id: bigint }>(
  dataSource: DataSource,
  entity: EntityTarget<Entity>,
): Table<Entity> {
  const table = describeTable(dataSource, entity);
  return dataSource.options.type === 'postgres'
    ? new PostgresTable(dataSource, table)
    : new SqliteTable(dataSource, table);
}
