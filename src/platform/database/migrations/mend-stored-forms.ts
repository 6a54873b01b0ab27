import type Database from 'better-sqlite3';
import type { DataSource, EntityMetadata } from 'typeorm';
import { storedFormOf } from '../schema/stored-forms.js';
import { sqliteConnection } from '../sqlite/sqlite.js';
import { entityError, nameOf } from '../tables/columns/entity-error.js';
import { wholeEntity } from '../tables/columns/shared-tables.js';
import { quote } from '../tables/columns/table-columns.js';

/**
 * Brings the values that migrations stored into the form in which tables compare them: otherwise conditions and pages would
 * miss their rows. Throws a StartError for a value that PostgreSQL would have refused.
 */
export function mendStoredForms(dataSource: DataSource): void {
  const connection = sqliteConnection(dataSource);
  for (const metadata of dataSource.entityMetadatas) {
    if (metadata === wholeEntity(metadata)) mendTable(dataSource, connection, metadata);
  }
}

function mendTable(dataSource: DataSource, connection: Database.Database, metadata: EntityMetadata): void {
  // A missing column is refused later. To SQLite, its quoted name would be a text.
  const existing = connection.prepare('SELECT "name" FROM pragma_table_info(?)').pluck().all(metadata.tableName);
  const columns = metadata.columns
    .filter(({ databaseName }) => existing.includes(databaseName))
    .map((column) => {
      const cell = quote(column.databaseName);
      const type = dataSource.driver.normalizeType(column);
      const { length, precision, scale } = column;
      return { column, cell, form: storedFormOf(cell, { type, length, precision, scale }) };
    });
  if (columns.length === 0) return;
  const table = quote(metadata.tableName);
  const wrong = columns.map(({ cell, form }) => `(${cell} IS NOT NULL AND (${form.condition}) IS NOT TRUE)`);
  const cases = wrong.map((condition, index) => `WHEN ${condition} THEN ${index}`);
  const id = existing.includes('id') ? `'row ' || "id"` : `'a row'`;
  const found = connection
    .prepare(`SELECT ${id}, CASE ${cases.join(' ')} END FROM ${table} WHERE ${wrong.join(' OR ')} LIMIT 1`)
    .raw()
    .get() as [string, bigint] | undefined;
  if (found) {
    const [row, index] = found;
    const { column, cell, form } = columns[Number(index)]!; // A case for each column.
    throw entityError(
      metadata,
      column.propertyName,
      `${nameOf(column)} is ${form.name}, but ${row} of ${table} has another value in ${cell}; correct such values, in the last migration or before it.`,
    );
  }
  const mended = columns.flatMap(({ cell, form }) => (form.mended === undefined ? [] : [[cell, form.mended] as const]));
  if (mended.length === 0) return;
  const sets = mended.map(([cell, value]) => `${cell} = ${value}`);
  const others = mended.map(([cell, value]) => `${cell} <> ${value}`);
  connection.prepare(`UPDATE ${table} SET ${sets.join(', ')} WHERE ${others.join(' OR ')}`).run();
}
