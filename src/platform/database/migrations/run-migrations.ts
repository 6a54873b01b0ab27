import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import type { Migration } from 'typeorm/migration/Migration.js';
import { LastIds } from './last-ids.js';
import { readMigrationState } from './migration-state.js';
import { raiseSequences } from './raise-sequences.js';

/** What an engine checks itself, because its database does not. */
export interface MigrationChecks {
  /** Before any of the missing migrations runs. */
  begin(missing: readonly string[]): void;
  /** Throws a StartError for what a migration leaves; `isLast` when the schema is that of this release. */
  check(migration: string, isLast: boolean): void;
  /** When all of them have run. */
  end(): void;
}

/** Marks a new database as an unfinished copy, in the transaction of a migration. */
export type Mark = (runner: QueryRunner) => Promise<void>;

/**
 * Runs the missing migrations, each in a transaction of its own, and returns their names. A failing check undoes its
 * migration. One without a transaction stays, but is not recorded, so that the next attempt runs and checks it again. With
 * `mark`, a new database is never without the mark of a copy: its first tables are committed together with it.
 */
export async function runMigrations(
  dataSource: DataSource,
  runner: QueryRunner,
  checks?: MigrationChecks,
  mark?: Mark,
): Promise<readonly string[]> {
  const { missing, isNew } = await readMigrationState(dataSource, runner);
  if (missing.length === 0) return [];
  await raiseSequences(dataSource, runner);
  const lastIds = new LastIds(dataSource, runner);
  await lastIds.note();
  checks?.begin(missing);
  const left = new Set(missing);
  const executor = new CheckingExecutor(dataSource, runner, async (name) => {
    left.delete(name);
    if (isNew && mark !== undefined) await mark(runner);
    await lastIds.keep();
    await raiseSequences(dataSource, runner);
    checks?.check(name, left.size === 0);
  });
  executor.transaction = 'each';
  await executor.executePendingMigrations();
  checks?.end();
  return missing;
}

/** Checks each migration before it is recorded. */
class CheckingExecutor extends MigrationExecutor {
  constructor(
    dataSource: DataSource,
    runner: QueryRunner,
    private readonly check: (migration: string) => Promise<void>,
  ) {
    super(dataSource, runner);
  }

  protected override async insertExecutedMigration(runner: QueryRunner, migration: Migration): Promise<void> {
    await this.check(migration.name);
    await super.insertExecutedMigration(runner, migration);
  }
}
