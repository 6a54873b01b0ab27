import type { DataSource, EntityTarget } from 'typeorm';

export interface TableColumn {
  readonly name: string;
  readonly property: string;
  /** As the database calls it. */
  readonly type: string;
}

export interface TableDescription {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** The columns' names as SQL has them. */
  readonly columnList: string;
}

/** What TypeORM knows of an entity's table. */
export function describeTable(dataSource: DataSource, entity: EntityTarget<object>): TableDescription {
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

/** A row as the code sees it, of the values of its columns. */
export function rowOf(columns: readonly TableColumn[], cells: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < cells.length; index += 1) {
    if (cells[index] !== null) row[columns[index]!.property] = cells[index];
  }
  return row;
}
