import type { Table } from 'typeorm';

/** Throws an error where `table`, as a caller passes it, lacks what a statement such as ALTER TABLE has added since. */
export function refuseOutdated(existing: Table, table: Table): void {
  const known = new Set(partsOf(table));
  const part = partsOf(existing).find((it) => !known.has(it));
  if (part === undefined) return;
  throw new Error(
    `This change would create the table "${table.name}" again without ${part}, which the migration added or changed after it read the table; call getTable again, or pass the name of the table`,
  );
}

/** What creating the table again would lose or change back, in words. */
function partsOf({ columns, indices, uniques, foreignKeys }: Table): string[] {
  return [
    // SQLite reads the columns of a key as nullable where the statement says nothing.
    ...columns.map(
      ({ name, isNullable, isPrimary }) => `the column "${name}"${isNullable || isPrimary ? '' : ' NOT NULL'}`,
    ),
    ...indices.map(({ name }) => `the index "${name}"`),
    ...uniques.map(({ columnNames }) => `the unique key of "${columnNames.join('", "')}"`),
    ...foreignKeys.map(({ columnNames }) => `the foreign key of "${columnNames.join('", "')}"`),
  ];
}
