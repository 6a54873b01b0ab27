import type { DataSource } from 'typeorm';

/** A DataSource, or a QueryRunner, whose transaction it sees. */
export interface Queries {
  query(text: string): Promise<unknown>;
}

export interface MigrationState {
  /** Whether no migration has run, of any release. */
  readonly isNew: boolean;
  /** Migrations of this release that have not run. */
  readonly missing: readonly string[];
  /** Migrations that have run but are not in this release. */
  readonly unknown: readonly string[];
}

/** A missing table: PostgreSQL's SQLSTATE, and SQLite's message, because its code covers other errors as well. */
const UNDEFINED_TABLE = /^42P01$|^no such table/;

/** The names of all migrations of this release, as TypeORM records them: a property comes before the name of the class. */
export function migrationNames(dataSource: DataSource): string[] {
  const classes = dataSource.options.migrations as (new () => { readonly name?: string })[];
  return classes.map((type) => new type().name ?? type.name);
}

/** Only reads, whereas TypeORM's `showMigrations` creates the table of migrations. */
export async function readMigrationState(
  dataSource: DataSource,
  runner: Queries = dataSource,
): Promise<MigrationState> {
  const known = migrationNames(dataSource);
  const done = await doneMigrations(runner);
  return {
    isNew: done.length === 0,
    missing: known.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !known.includes(name)),
  };
}

async function doneMigrations(runner: Queries): Promise<string[]> {
  try {
    const rows = (await runner.query('SELECT "name" FROM "migrations"')) as { name: string }[];
    return rows.map(({ name }) => name);
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}

/** Whether a statement failed because its table is missing. */
export function isMissingTable(error: unknown): boolean {
  const { code = '', driverError = error } = error as { code?: string; driverError?: unknown };
  return UNDEFINED_TABLE.test(code) || UNDEFINED_TABLE.test((driverError as Error).message);
}
