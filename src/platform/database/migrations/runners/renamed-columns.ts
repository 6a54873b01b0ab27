import type { Table, TableColumn } from 'typeorm';
import { quote } from '../../tables/columns/table-columns.js';

/** The new names of columns, by the names that they had. */
export type RenamedColumns = ReadonlyMap<string, string>;

interface ColumnChange {
  readonly oldColumn: TableColumn;
  readonly newColumn: TableColumn;
}

/** Throws an error where a new name is that of a column that keeps it. */
export function renamedBy(table: Table, changes: readonly ColumnChange[]): RenamedColumns {
  const names = new Set(table.columns.map(({ name }) => name));
  for (const { oldColumn, newColumn } of changes) {
    names.delete(oldColumn.name);
    if (names.has(newColumn.name))
      throw new Error(
        `The column ${quote(oldColumn.name)} of ${quote(table.name)} cannot be renamed to ${quote(newColumn.name)}, which is another column; rename that one before, by a call of its own`,
      );
    names.add(newColumn.name);
  }
  return new Map(changes.map(({ oldColumn, newColumn }) => [oldColumn.name, newColumn.name]));
}

/** TypeORM moves a renamed column to the end of its keys, so that a foreign key would refer to other columns. */
export function keepOrderOfKeys(changed: Table, table: Table, renamed: RenamedColumns): void {
  for (const kind of ['uniques', 'foreignKeys', 'indices'] as const) {
    for (const [index, key] of changed[kind].entries()) {
      const before = table[kind][index]!; // a change of columns keeps their keys
      key.columnNames = before.columnNames.map((name) => renamed.get(name) ?? name);
    }
  }
}
