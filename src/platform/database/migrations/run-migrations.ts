import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import type { Migration } from 'typeorm/migration/Migration.js';
import { StartError } from '../../process/start-error.js';
import { LastIds } from './last-ids.js';
import { readMigrationState } from './migration-state.js';
import { inItsTransaction } from './one-migration.js';
import { raiseSequences } from './raise-sequences.js';
import type { MigrationRunner } from './runners/migration-runner.js';

/**
 * Calls `work` with a connection that nothing has used before and nothing will use afterwards: what a migration sets for its
 * session neither reaches the next migration nor the service.
 */
export type OnOwnConnection = <Result>(work: (runner: MigrationRunner) => Promise<Result>) => Promise<Result>;

/** What an engine checks itself, because its database does not. */
export interface MigrationChecks {
  /** Before any of these migrations runs. */
  begin(migrations: readonly Migration[]): void;
  /** Throws a StartError for what a migration leaves; `isLast` when the schema is that of this release. */
  check(migration: string, isLast: boolean): void;
  /** When all of them have run. */
  end(): void;
}

/** Marks a new database as an unfinished copy, in the transaction of a migration. */
export type Mark = (runner: QueryRunner) => Promise<void>;

/** Called with the name of each migration once it has run: it stays, even if a later one fails. */
export type ReportMigration = (migration: string) => void;

/**
 * Runs the missing migrations, each in a transaction of its own. A failing check undoes its migration. One without a
 * transaction stays, but is not recorded, so that the next attempt runs and checks it again. With `mark`, a new database is
 * never without the mark of a copy: its first tables are committed together with it.
 */
export async function runMigrations(
  dataSource: DataSource,
  onOwnConnection: OnOwnConnection,
  report: ReportMigration,
  checks?: MigrationChecks,
  mark?: Mark,
): Promise<void> {
  const { missing, isNew } = await readMigrationState(dataSource);
  if (missing.length === 0) return;
  const pending = await onOwnConnection(async (runner) => {
    const records = new MigrationRecords(dataSource, runner);
    await records.createTable(runner);
    await raiseSequences(dataSource, runner);
    return records.getPendingMigrations();
  });
  checks?.begin(pending);
  for (const migration of pending) {
    await onOwnConnection(async (runner) => {
      await inItsTransaction(migration, runner, 'up', async (run) => {
        await LastIds.keptBy(dataSource, runner, run);
        if (isNew && mark !== undefined) await mark(runner);
        await raiseSequences(dataSource, runner);
        // Before it is recorded: one without a transaction could not be checked again.
        checks?.check(migration.name, migration === pending.at(-1));
        await new MigrationRecords(dataSource, runner).insertMigration(migration);
      });
      report(migration.name);
    });
  }
  checks?.end();
}

/** Called with the name of the migration that would be undone. False leaves it as it is, and so does an error. */
export type Confirm = (migration: string) => boolean;

/** Undoes the migration that ran last if that is confirmed, and returns its name. Throws a StartError when it cannot. */
export async function undoMigration(
  dataSource: DataSource,
  onOwnConnection: OnOwnConnection,
  confirm: Confirm,
  checks?: MigrationChecks,
): Promise<string | undefined> {
  const migration = await onOwnConnection(async (runner) => {
    const records = new MigrationRecords(dataSource, runner);
    const found = await records.last();
    if (!confirm(found.name)) return undefined;
    await raiseSequences(dataSource, runner);
    return found;
  });
  if (migration === undefined) return undefined;
  checks?.begin([migration]);
  await onOwnConnection((runner) =>
    inItsTransaction(migration, runner, 'down', async (run) => {
      await LastIds.keptBy(dataSource, runner, run);
      await raiseSequences(dataSource, runner);
      checks?.check(migration.name, false);
      await new MigrationRecords(dataSource, runner).deleteMigration(migration);
    }),
  );
  checks?.end();
  return migration.name;
}

/** The migrations of this release, and TypeORM's table of those that have run. */
class MigrationRecords extends MigrationExecutor {
  createTable(runner: QueryRunner): Promise<void> {
    return this.createMigrationsTableIfNotExist(runner);
  }

  /** The migration that ran last. */
  async last(): Promise<Migration> {
    const [done] = await this.getExecutedMigrations();
    if (done === undefined) throw new StartError('No migration has run on the database, so there is none to undo.');
    const known = this.getMigrations().find(({ name }) => name === done.name);
    if (known === undefined)
      throw new StartError(
        `This release does not have ${done.name}, the last migration of the database; undo it with the release that has it.`,
      );
    if (typeof known.instance?.down !== 'function')
      throw new StartError(`${done.name} has no method "down", which would undo it; write one.`);
    return known;
  }
}
