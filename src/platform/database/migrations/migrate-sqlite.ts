import type { DataSource } from 'typeorm';
import { sqliteConnection } from '../sqlite/sqlite.js';
import { withExactIntegers } from './exact-integers.js';
import { FaithfulRunner } from './faithful-runner.js';
import { mendStoredForms } from './mend-stored-forms.js';
import { NewOrphans } from './new-orphans.js';
import { type Mark, type MigrationChecks, runMigrations } from './run-migrations.js';

/** Brings the schema up to date, and returns the migrations that ran. */
export function migrateSqlite(dataSource: DataSource, mark?: Mark): Promise<readonly string[]> {
  const connection = sqliteConnection(dataSource);
  const orphans = new NewOrphans(connection);
  const checks: MigrationChecks = {
    begin: (missing) => orphans.begin(hasWithoutTransaction(dataSource, missing)),
    check: (migration, isLast) => {
      if (isLast) mendStoredForms(dataSource);
      orphans.refuse(migration);
    },
    end: () => orphans.end(),
  };
  const runner = new FaithfulRunner(dataSource, connection);
  return withExactIntegers(connection, () => runMigrations(dataSource, runner, checks, mark));
}

function hasWithoutTransaction({ migrations }: DataSource, missing: readonly string[]): boolean {
  const found = migrations.filter(({ name, constructor }) => missing.includes(name ?? constructor.name));
  return found.some(({ transaction }) => transaction === false);
}
