import type { DataSource, EntityTarget } from 'typeorm';
import { StartError } from '../../process/start-error.js';

export interface TableColumn {
  readonly name: string;
  readonly property: string;
  /** The database's name of the type. */
  readonly type: string;
}

export interface TableDescription {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** The quoted column names, separated by commas. */
  readonly columnList: string;
}

/** Reads an entity's table and columns from TypeORM's metadata. Throws a StartError for an entity that it does not know. */
export function describeTable(dataSource: DataSource, entity: EntityTarget<object>): TableDescription {
  if (!dataSource.hasMetadata(entity)) {
    const name = typeof entity === 'function' ? entity.name : 'An entity';
    throw new StartError(`${name} is not an entity of the DataSource; add it to "entities" in src/data-source.ts.`);
  }
  const metadata = dataSource.getMetadata(entity);
  const columns = metadata.columns.map((column) => ({
    name: column.databaseName,
    property: column.propertyName,
    type: dataSource.driver.normalizeType(column),
  }));
  return { name: metadata.tableName, columns, columnList: columns.map(({ name }) => quote(name)).join(', ') };
}

export function quote(identifier: string): string {
  return `"${identifier}"`;
}

/** The row of an entity, from the cells of all its columns in their order. */
export function rowOf(columns: readonly TableColumn[], cells: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < cells.length; index += 1) {
    // A cell for each column.
    if (cells[index] !== null) row[columns[index]!.property] = cells[index];
  }
  return row;
}
