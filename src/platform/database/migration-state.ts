import type { DataSource } from 'typeorm';

export interface MigrationState {
  /** Whether none has run, of this release or of any other. */
  readonly isNew: boolean;
  /** Migrations of this release that have not run. */
  readonly missing: readonly string[];
  /** Migrations that have run and that this release does not know. */
  readonly unknown: readonly string[];
}

/** What a table that is not there is called by PostgreSQL and by SQLite, which has no code for it alone. */
const UNDEFINED_TABLE = /^42P01$|^no such table/;

/** The names of all migrations that this release has. */
export function migrationNames(dataSource: DataSource): string[] {
  return (dataSource.options.migrations as { name: string }[]).map(({ name }) => name);
}

/** Only looks, where TypeORM's `showMigrations` would make the table. */
export async function readMigrationState(dataSource: DataSource): Promise<MigrationState> {
  const known = migrationNames(dataSource);
  const done = await doneMigrations(dataSource);
  return {
    isNew: done.length === 0,
    missing: known.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !known.includes(name)),
  };
}

async function doneMigrations(dataSource: DataSource): Promise<string[]> {
  try {
    const rows: { name: string }[] = await dataSource.query('SELECT "name" FROM "migrations"');
    return rows.map(({ name }) => name);
  } catch (error) {
    const { code, driverError } = error as { code?: string; driverError?: Error };
    if (UNDEFINED_TABLE.test(code ?? '') || UNDEFINED_TABLE.test(driverError?.message ?? '')) return [];
    throw error;
  }
}
