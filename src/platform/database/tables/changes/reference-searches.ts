import type { ForeignKey, ReferringKey } from '../columns/foreign-keys.js';
import { quote, type TableDescription } from '../columns/table-columns.js';
import type { Search, WrittenRow } from './key-searches.js';

/** Finds a row when the foreign key forbids the change. */
interface ReferenceSearch extends Search {
  readonly key: ForeignKey;
}

/**
 * A search for each foreign key that may forbid a change: those of the row itself, in the order in which its entity declares
 * the columns, and then those of rows that refer to it.
 */
export function referenceSearches(table: TableDescription, row: WrittenRow): ReferenceSearch[] {
  const { id, changed } = row;
  if (!changed) return table.deletionKeys.map((path) => ({ key: path.key, ...searchForReferring(path, table, id) }));
  const { names, cells } = changed;
  const own = table.foreignKeys.filter((key) => key.names.some((name) => names.includes(name)));
  const referred = table.updateKeys.filter(({ key }) => key.targetNames.some((name) => names.includes(name)));
  return [
    ...own
      .filter((key) => key.names.every((name) => !names.includes(name) || cells[names.indexOf(name)] !== null))
      .map((key) => ({ key, ...searchForMissing(table, key, row) })),
    // No row refers to a new one.
    ...(id === undefined ? [] : referred).map((path) => ({
      key: path.key,
      ...searchForReferring(path, table, id, changed),
    })),
  ];
}

/** Finds a row when the one to which `key` refers is missing. */
function searchForMissing({ name: table }: TableDescription, key: ForeignKey, { id, changed }: WrittenRow): Search {
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const at = key.names.map((name) => changed?.names.indexOf(name) ?? -1);
  const stored = (name: string) => `(SELECT ${quote(name)} FROM ${quote(table)} WHERE "id" = ${parameter(id)})`;
  const equal = key.names.map((name, index) => {
    const place = at[index]!; // One for each name.
    return `${quote(key.targetNames[index]!)} = ${place < 0 ? stored(name) : parameter(changed?.cells[place])}`; // As many as names.
  });
  const conditions = [
    `NOT EXISTS (SELECT 1 FROM ${quote(key.target)} WHERE ${equal.join(' AND ')})`,
    // A foreign key with a null refers to nothing.
    ...key.names.filter((_, index) => at[index]! < 0).map((name) => `${stored(name)} IS NOT NULL`), // One for each name.
  ];
  return { text: `SELECT 1 WHERE ${conditions.join(' AND ')}`, values };
}

/** Finds a row that refers to the one with the id, or to one that is deleted with it. */
function searchForReferring(
  { key, through }: ReferringKey,
  { name }: TableDescription,
  id: unknown,
  changed?: Required<WrittenRow>['changed'],
): Search {
  const values: unknown[] = [id];
  const conditions = ['"id" = $1'];
  if (changed) {
    // The others keep what rows refer to.
    const others = key.targetNames
      .filter((each) => changed.names.includes(each))
      .map((each) => `${quote(each)} IS DISTINCT FROM $${values.push(changed.cells[changed.names.indexOf(each)])}`);
    conditions.push(`(${others.join(' OR ')})`);
  }
  const rows = [...through, key].reduce(
    (where, { names, target, targetNames }) =>
      `(${listOf(names)}) IN (SELECT ${listOf(targetNames)} FROM ${quote(target)} WHERE ${where})`,
    conditions.join(' AND '),
  );
  // A row may refer to itself.
  const others = key.table === name ? `${rows} AND "id" <> $1` : rows;
  return { text: `SELECT 1 FROM ${quote(key.table)} WHERE ${others} LIMIT 1`, values };
}

const listOf = (names: readonly string[]): string => names.map(quote).join(', ');
