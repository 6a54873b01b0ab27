import type { DataSource, EntityTarget } from 'typeorm';
import { PostgresTable } from './postgres/tables/postgres-table.js';
import { StandbyTable } from './standbys/standby-table.js';
import type { Standbys } from './standbys/standbys.js';
import { SqliteTable } from './sqlite/sqlite-table.js';
import type { KeysetTable } from './tables/keyset-table.js';
import { entityError } from './tables/columns/entity-error.js';
import { describeTable } from './tables/columns/table-columns.js';

/** The table of an entity in the database of the DataSource. */
export function openTable<Entity extends { id: bigint }>(
  dataSource: DataSource,
  entity: EntityTarget<Entity>,
  standbys?: Standbys,
): KeysetTable<Entity> {
  const table = describeTable(dataSource, entity);
  if (!table.columns.some(({ property }) => property === 'id')) {
    const metadata = dataSource.getMetadata(entity);
    throw entityError(
      metadata,
      undefined,
      `${metadata.name} has no id, by which tables find rows; declare one @PrimaryColumn(INT64).`,
    );
  }
  if (dataSource.options.type !== 'postgres') return new SqliteTable(dataSource, table);
  const primary = new PostgresTable<Entity>(dataSource, table);
  return standbys && table.isAppendOnly ? new StandbyTable(primary, standbys, table) : primary;
}
