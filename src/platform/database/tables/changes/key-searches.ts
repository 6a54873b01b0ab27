import { type Cells, quote, type TableDescription } from '../columns/table-columns.js';

/** A row that a statement stores or deletes. */
export interface WrittenRow {
  /** Absent for a new row. */
  readonly id?: bigint;
  /** The columns with new cells; absent for a row that is deleted. */
  readonly changed?: { readonly names: readonly string[]; readonly cells: Cells };
}

/** A statement that finds the reason of a conflict. */
export interface Search {
  readonly text: string;
  readonly values: unknown[];
}

/** Finds another row with the same values. */
interface KeySearch extends Search {
  readonly properties: readonly string[];
}

/** The properties of the columns that a database has reported for a conflict. */
export function reportedProperties(
  { columns, uniqueKeys }: TableDescription,
  names: readonly string[],
): readonly string[] {
  const reported = names.toSorted().join();
  const key = uniqueKeys.find((each) => each.names.toSorted().join() === reported);
  return key?.properties ?? names.map((name) => columns.find((column) => column.name === name)?.property ?? name);
}

/**
 * A search for each unique key with a column that gets a new value. A row may conflict in several keys, of which each database
 * reports another one.
 */
export function keySearches({ name: table, uniqueKeys }: TableDescription, { id, changed }: WrittenRow): KeySearch[] {
  if (!changed) return [];
  const { names, cells } = changed;
  return uniqueKeys
    .filter((key) => key.names.some((name) => names.includes(name)))
    .map((key) => {
      const values: unknown[] = [];
      const parameter = (value: unknown): string => `$${values.push(value)}`;
      const conditions = key.names.map((name) => {
        const at = names.indexOf(name);
        if (at >= 0) return `${quote(name)} = ${parameter(cells[at])}`;
        return `${quote(name)} = (SELECT ${quote(name)} FROM ${quote(table)} WHERE "id" = ${parameter(id)})`;
      });
      if (id !== undefined) conditions.push(`"id" <> ${parameter(id)}`);
      const text = `SELECT 1 FROM ${quote(table)} WHERE ${conditions.join(' AND ')} LIMIT 1`;
      return { properties: key.properties, text, values };
    });
}
