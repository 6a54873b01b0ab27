import type Database from 'better-sqlite3';
import type { Table } from 'typeorm';
import { quote } from '../../tables/columns/table-columns.js';

/** PostgreSQL drops checks, and indexes of some rows, together with a column that they name. */
export function dropWithColumns(connection: Database.Database, changed: Table): void {
  const names = changed.columns.map(({ name }) => quote(name)).join(', ');
  const isValid = (condition: string): boolean => {
    try {
      // SQLite checks the names as it prepares the statement, which never runs.
      connection.prepare(`CREATE TEMP TABLE "never_created" (${names}, CHECK (${condition}))`);
      return true;
    } catch (error) {
      if (/no such column/.test((error as Error).message)) return false;
      throw error;
    }
  };
  changed.checks = changed.checks.filter(({ expression }) => isValid(expression!)); // read from a statement
  changed.indices = changed.indices.filter(({ where }) => !where || isValid(where));
}
