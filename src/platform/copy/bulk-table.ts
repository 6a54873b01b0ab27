import type { DataSource, EntityTarget } from 'typeorm';
import { describeTable, type TableColumn, type TableDescription } from '../database/tables/columns/table-columns.js';
import { StartError } from '../process/start-error.js';

/** A value that is the same for both engines: text, bigint, number, boolean, Date, what JSON may contain, or null. */
export type Cell = string | bigint | number | boolean | object | null;
/** One row, in the order of the table's columns. */
export type Cells = readonly Cell[];

/** Maximum bytes of text per page, which is in memory several times over; the row that reaches it is still included. */
export const PAGE_BYTES = 2_000_000;

/** A table that is read and written as a whole, in pages of thousands of rows. */
export interface BulkTable {
  readonly name: string;
  /** The position of the column by which pages are read. */
  readonly key: number;
  /** Whether the key is an id, from the table's sequence. */
  readonly hasIds: boolean;
  /** Whether rows are only appended: never changed or removed, and each new key is the greatest. */
  readonly growsAtEnd: boolean;
  /** The names of the other tables that foreign keys refer to. */
  readonly references: readonly string[];
  count(): Promise<number>;
  /** Undefined when there is no row. */
  greatestKey(): Promise<Cell | undefined>;
  /**
   * The rows after the key `after`, or from the first one, in the order of the key, which is the same in both engines.
   * Fewer than `limit` if the text is long; empty at the end of the table.
   */
  page(after: Cell | undefined, limit: number): Promise<Cells[]>;
  /** Inserts all rows or none. They may be stored only by `endInserts`. */
  insert(rows: readonly Cells[]): Promise<void>;
  /** Must be called after the last `insert`. */
  endInserts(): Promise<void>;
  /** Replaces all rows of the table, or changes nothing. */
  replace(rows: readonly Cells[]): Promise<void>;
}

export interface BulkTableDescription extends TableDescription {
  readonly key: number;
  readonly keyColumn: TableColumn;
  readonly hasIds: boolean;
  readonly growsAtEnd: boolean;
  readonly references: readonly string[];
  readonly refersToItself: boolean;
}

export function describeBulkTable(dataSource: DataSource, entity: EntityTarget<object>): BulkTableDescription {
  const table = describeTable(dataSource, entity);
  const metadata = dataSource.getMetadata(entity);
  const [primary, ...others] = metadata.primaryColumns;
  const key = table.columns.findIndex(({ name }) => name === primary?.databaseName);
  const keyColumn = table.columns[key];
  if (!keyColumn || others.length > 0)
    throw new StartError(`The table "${table.name}" cannot be copied; give it a primary key of exactly one column.`);
  const hasIds = keyColumn.property === 'id';
  const references = metadata.foreignKeys.map(({ referencedEntityMetadata }) => referencedEntityMetadata.tableName);
  return {
    ...table,
    key,
    keyColumn,
    hasIds,
    growsAtEnd: hasIds && table.isAppendOnly,
    references: references.filter((name) => name !== table.name),
    refersToItself: references.includes(table.name),
  };
}

/** The cells of a row as values, from those of the engine. */
export function valuesOf({ columns }: TableDescription, cells: readonly unknown[]): Cells {
  return cells.map((cell, index) => {
    const codec = columns[index]?.storedCodec;
    return (codec?.read && cell !== null ? codec.read(cell) : cell) as Cell;
  });
}

/** A key in messages. */
export function keyText(key: Cell | undefined): string {
  return typeof key === 'object' ? JSON.stringify(key) : String(key);
}

/** The cell of the engine for a value. A row has one for each column. Cells that are values are copied unchecked. */
export function storedCell({ storedCodec }: TableColumn, value: Cell | undefined): unknown {
  return storedCodec?.read && value !== null ? storedCodec.write(value) : value;
}

/** Each table after those that it refers to. Throws a StartError when that is impossible. */
export function inOrderOfReferences(tables: readonly BulkTable[]): BulkTable[] {
  const ordered: BulkTable[] = [];
  let rest = tables;
  while (rest.length > 0) {
    const next = rest.find(({ references }) => !rest.some(({ name }) => references.includes(name)));
    if (!next) {
      const names = rest.map(({ name }) => name).join(', ');
      throw new StartError(
        `The tables ${names} cannot be copied: their foreign keys form a circle; drop one of them first.`,
      );
    }
    ordered.push(next);
    rest = rest.filter((table) => table !== next);
  }
  return ordered;
}
