import type { DataSource, EntityTarget } from 'typeorm';
import { describeTable, type TableColumn, type TableDescription } from '../database/tables/table-columns.js';

export type Cell = string | bigint | null;
/** Of one row, in the order of the table's columns. */
export type Cells = readonly Cell[];

/** Bytes of text with which a page is full, however few its rows: all of it is in memory, several times over. */
export const PAGE_BYTES = 2_000_000;

/** A table that is read and written whole, in pages of thousands of rows. */
export interface BulkTable {
  readonly name: string;
  /** The position of the column by which pages are read. */
  readonly key: number;
  /** Whether its rows are never changed or removed, and new ones come after all others. */
  readonly growsAtEnd: boolean;
  count(): Promise<number>;
  /** Undefined when there is no row. */
  greatestKey(): Promise<Cell | undefined>;
  /**
   * In the order of the key, which is the same in every database; from the very first row without `after`. Fewer than
   * `limit` where they are long; none when there are no more.
   */
  page(after: Cell | undefined, limit: number): Promise<Cells[]>;
  /** All or none. */
  insert(rows: readonly Cells[]): Promise<void>;
  /** All of the table, all or none. */
  replace(rows: readonly Cells[]): Promise<void>;
}

export interface BulkTableDescription extends TableDescription {
  readonly key: number;
  readonly growsAtEnd: boolean;
}

export function describeBulkTable(dataSource: DataSource, entity: EntityTarget<object>): BulkTableDescription {
  const table = describeTable(dataSource, entity);
  const { primaryColumns } = dataSource.getMetadata(entity);
  const key = table.columns.findIndex(({ name }) => name === primaryColumns[0]!.databaseName);
  if (primaryColumns.length !== 1) throw new Error(`"${table.name}" does not have a primary key of exactly one column`);
  return { ...table, key, growsAtEnd: isGivenOut(table.columns[key]!) };
}

/** Ids are given out in ascending order, and what has one is neither changed nor removed. */
function isGivenOut({ name }: TableColumn): boolean {
  return name === 'id';
}
