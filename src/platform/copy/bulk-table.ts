import type { DataSource, EntityTarget } from 'typeorm';
import { describeTable, type TableColumn, type TableDescription } from '../database/tables/columns/table-columns.js';
import { StartError } from '../process/start-error.js';

export type Cell = string | bigint | null;
/** One row, in the order of the table's columns. */
export type Cells = readonly Cell[];

/** Maximum bytes of text per page, which is in memory several times over; the row that reaches it is still included. */
export const PAGE_BYTES = 2_000_000;

/** A table that is read and written as a whole, in pages of thousands of rows. */
export interface BulkTable {
  readonly name: string;
  /** The position of the column by which pages are read. */
  readonly key: number;
  /** Whether rows are only appended: never changed or removed, and each new key is the greatest. */
  readonly growsAtEnd: boolean;
  count(): Promise<number>;
  /** Undefined when there is no row. */
  greatestKey(): Promise<Cell | undefined>;
  /**
   * The rows behind the key `after`, or from the first one, in the order of the key, which is the same in both engines.
   * Fewer than `limit` if the text is long; empty at the end of the table.
   */
  page(after: Cell | undefined, limit: number): Promise<Cells[]>;
  /** Inserts all rows or none. */
  insert(rows: readonly Cells[]): Promise<void>;
  /** Replaces all rows of the table, or changes nothing. */
  replace(rows: readonly Cells[]): Promise<void>;
}

export interface BulkTableDescription extends TableDescription {
  readonly key: number;
  readonly keyColumn: TableColumn;
  readonly growsAtEnd: boolean;
}

export function describeBulkTable(dataSource: DataSource, entity: EntityTarget<object>): BulkTableDescription {
  const table = describeTable(dataSource, entity);
  const [primary, ...others] = dataSource.getMetadata(entity).primaryColumns;
  const key = table.columns.findIndex(({ name }) => name === primary?.databaseName);
  const keyColumn = table.columns[key];
  if (!keyColumn || others.length > 0)
    throw new StartError(`The table "${table.name}" cannot be copied; give it a primary key of exactly one column.`);
  return { ...table, key, keyColumn, growsAtEnd: isAscending(keyColumn) };
}

/** Rows with an id are never changed or removed, and ids ascend. */
function isAscending({ name }: TableColumn): boolean {
  return name === 'id';
}
