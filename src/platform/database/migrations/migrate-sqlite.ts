import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { brokenKeys, refuseBrokenKeys } from '../schema/broken-keys.js';
import { SqliteLock } from '../sqlite/files/sqlite-lock.js';
import { sqliteConnection } from '../sqlite/sqlite.js';
import { withExactIntegers } from './runners/exact-integers.js';
import { FaithfulRunner } from './runners/faithful-runner.js';
import { LockWait, OTHER_MIGRATES, type ReportWait } from './lock-wait.js';
import { mendStoredForms } from './mend-stored-forms.js';
import { NewOrphans } from './new-orphans.js';
import {
  type Confirm,
  type Mark,
  type MigrationChecks,
  type OnOwnConnection,
  type ReportMigration,
  runMigrations,
  undoMigration,
} from './run-migrations.js';
import { waitToWrite } from './wait-to-write.js';

/** Milliseconds between two attempts to take the lock. */
const POLL = 100;

/** Brings the schema up to date. If several processes start together, one migrates and the others wait for it. */
export function migrateSqlite(
  dataSource: DataSource,
  file: string,
  report: ReportMigration,
  mark?: Mark,
  waits?: ReportWait,
): Promise<void> {
  return aloneOnSqlite(file, waits, () =>
    runMigrations(dataSource, connecting(dataSource, waits), report, checksOf(dataSource), mark),
  );
}

/** Undoes the last migration if that is confirmed, and returns its name. */
export function undoOnSqlite(
  dataSource: DataSource,
  file: string,
  confirm: Confirm,
  waits?: ReportWait,
): Promise<string | undefined> {
  return aloneOnSqlite(file, waits, () =>
    undoMigration(dataSource, connecting(dataSource, waits), confirm, checksOf(dataSource)),
  );
}

/** Does the work while no other process migrates. */
export async function aloneOnSqlite<Result>(
  file: string,
  waits: ReportWait | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const wait = new LockWait(waits);
  let lock: SqliteLock | undefined;
  while ((lock = SqliteLock.takeToMigrate(file)) === undefined) {
    wait.reportIfDue(OTHER_MIGRATES);
    await delay(POLL);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function checksOf(dataSource: DataSource): MigrationChecks {
  const orphans = new NewOrphans(dataSource);
  let broken: readonly string[] = [];
  return {
    begin: (migrations) => {
      broken = brokenKeys(sqliteConnection(dataSource));
      return orphans.begin(migrations.some(({ instance }) => instance?.transaction === false));
    },
    check: (migration, isLast) => {
      if (isLast) refuseBrokenKeys(sqliteConnection(dataSource), broken);
      if (isLast) mendStoredForms(dataSource);
      orphans.refuse(migration);
    },
    end: () => orphans.end(),
  };
}

/** The DataSource has one connection, which is closed and opened again after each use. */
function connecting(dataSource: DataSource, waits?: ReportWait): OnOwnConnection {
  return async (work) => {
    const connection = sqliteConnection(dataSource);
    // With foreign keys, a table that TypeORM drops and creates again would take the rows that refer to it along. SQLite
    // ignores this pragma in a transaction.
    connection.pragma('foreign_keys = OFF');
    const runner = new FaithfulRunner(dataSource, connection, (statement) => waitToWrite(waits, statement));
    const result = await withExactIntegers(connection, () => work(runner));
    await dataSource.driver.disconnect();
    await dataSource.driver.connect();
    return result;
  };
}
