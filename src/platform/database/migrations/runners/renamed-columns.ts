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
  return new Map(
    changes.flatMap(({ oldColumn: { name }, newColumn }) => (name === newColumn.name ? [] : [[name, newColumn.name]])),
  );
}

/**
 * Renames the columns by statements, which SQLite follows everywhere: in checks, in conditions of indexes, and in what the
 * foreign keys of other tables refer to. TypeORM moves a renamed column to the end of its keys, so that a foreign key would
 * refer to other columns, and leaves the rest as it was.
 */
export async function renameColumns(
  changed: Table,
  table: Table,
  renamed: RenamedColumns,
  rename: (from: string, to: string) => Promise<Table>,
): Promise<Table> {
  if (renamed.size === 0) return table;
  let current = table;
  for (const [from, to] of renamed) current = await rename(from, to);
  const newName = (name: string): string => renamed.get(name) ?? name;
  for (const kind of ['uniques', 'foreignKeys', 'indices'] as const) {
    for (const [index, key] of changed[kind].entries()) {
      const before = table[kind][index]!; // a change of columns keeps their keys
      key.columnNames = before.columnNames.map(newName);
    }
  }
  for (const key of changed.foreignKeys) {
    if (key.referencedTableName === table.name) key.referencedColumnNames = key.referencedColumnNames.map(newName);
  }
  for (const [index, key] of changed.indices.entries()) {
    const { name } = table.indices[index]!; // as above
    const where = current.indices.find((it) => it.name === name)?.where;
    if (where !== undefined) key.where = where;
  }
  changed.checks = current.checks.map((check) => check.clone());
  return current;
}
