import type { DataSource } from 'typeorm';
import { migrationNames } from './migration-names.js';

/**
 * Whether every migration has run; throws when their table is missing. Only looks, where TypeORM's `showMigrations`
 * would make the table.
 */
export async function isMigrated(dataSource: DataSource): Promise<boolean> {
  const rows: { name: string }[] = await dataSource.query('SELECT "name" FROM "migrations"');
  const done = new Set(rows.map(({ name }) => name));
  return migrationNames(dataSource).every((name) => done.has(name));
}
