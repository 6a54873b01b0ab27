import { type NamingStrategyInterface, type Table, TableUnique } from 'typeorm';

/** Names keys of the table that TypeORM creates again as its runner of PostgreSQL does. */
export function nameKeys(changed: Table, table: Table, naming: NamingStrategyInterface): void {
  for (const { name, isUnique } of changed.columns) {
    const isKey = changed.uniques.some(({ columnNames }) => columnNames.length === 1 && columnNames[0] === name);
    // TypeORM would name it by the table under its name for the moment.
    if (isUnique && !isKey)
      changed.uniques.push(new TableUnique({ name: naming.uniqueConstraintName(table, [name]), columnNames: [name] }));
  }
  // A new name of the table or of a column changes the number of indexes as little as their order.
  if (changed.indices.length !== table.indices.length) return;
  for (const [index, key] of changed.indices.entries()) {
    // PostgreSQL has the condition in other words, so that TypeORM does not take the name for its own.
    if (key.where) key.name = table.indices[index]!.name;
  }
}
