import { type Cells, quote, type TableDescription } from './columns/table-columns.js';

/** A statement that stored nothing because of other rows. A feature maps it to its own error; otherwise it is a 500. */
export abstract class Conflict extends Error {}

/**
 * Another row has the same values in columns that a unique index or constraint covers: the first one, in the order in which
 * the entity declares its columns, that has such a row.
 */
export class UniqueConflict extends Conflict {
  override readonly name = 'UniqueConflict';

  /** `columns` are properties of the entity; empty for an index of expressions. */
  constructor(
    readonly columns: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`Another row has the same ${columns.join(', ') || 'values'}`, options);
  }
}

/** The row refers to a row that does not exist, or others refer to the row that should be deleted. */
export class ForeignKeyConflict extends Conflict {
  override readonly name = 'ForeignKeyConflict';

  constructor(options?: ErrorOptions) {
    super('A foreign key would refer to no row', options);
  }
}

/** A statement that finds another row with the same values. */
interface KeySearch {
  readonly properties: readonly string[];
  readonly text: string;
  readonly values: unknown[];
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
 * A search for each unique key with one of the columns `names`, whose new values are `cells`: those of the row with the id,
 * or of a new row. A row may conflict in several keys, of which each database reports another one.
 */
export function keySearches(
  { name: table, uniqueKeys }: TableDescription,
  names: readonly string[],
  cells: Cells,
  id?: bigint,
): KeySearch[] {
  const changed = uniqueKeys.filter((key) => key.names.some((name) => names.includes(name)));
  return changed.map((key) => {
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
