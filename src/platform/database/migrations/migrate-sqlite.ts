import type { DataSource } from 'typeorm';
import { sqliteConnection } from '../sqlite/sqlite.js';
import { withExactIntegers } from './runners/exact-integers.js';
import { FaithfulRunner } from './runners/faithful-runner.js';
import { mendStoredForms } from './mend-stored-forms.js';
import { NewOrphans } from './new-orphans.js';
import {
  type Confirm,
  type Mark,
  type MigrationChecks,
  type OnOwnConnection,
  runMigrations,
  undoMigration,
} from './run-migrations.js';

/** Brings the schema up to date, and returns the migrations that ran. */
export function migrateSqlite(dataSource: DataSource, mark?: Mark): Promise<readonly string[]> {
  return runMigrations(dataSource, connecting(dataSource), checksOf(dataSource), mark);
}

/** Undoes the last migration, and returns its name. */
export function undoOnSqlite(dataSource: DataSource, confirm: Confirm): Promise<string> {
  return undoMigration(dataSource, connecting(dataSource), confirm, checksOf(dataSource));
}

function checksOf(dataSource: DataSource): MigrationChecks {
  const orphans = new NewOrphans(dataSource);
  return {
    begin: (migrations) => orphans.begin(migrations.some(({ instance }) => instance?.transaction === false)),
    check: (migration, isLast) => {
      if (isLast) mendStoredForms(dataSource);
      orphans.refuse(migration);
    },
    end: () => orphans.end(),
  };
}

/** The DataSource has one connection, which is closed and opened again after each use. */
function connecting(dataSource: DataSource): OnOwnConnection {
  return async (work) => {
    const connection = sqliteConnection(dataSource);
    // With foreign keys, a table that TypeORM drops and creates again would take the rows that refer to it along. SQLite
    // ignores this pragma in a transaction.
    connection.pragma('foreign_keys = OFF');
    const result = await withExactIntegers(connection, () => work(new FaithfulRunner(dataSource, connection)));
    await dataSource.driver.disconnect();
    await dataSource.driver.connect();
    return result;
  };
}
