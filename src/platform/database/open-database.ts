import type { DataSource, QueryRunner } from 'typeorm';
import type { CreateDataSource, DatabaseConfig } from './database-config.js';
import { reasonOf } from '../errors/reason-of.js';
import { remedyOf } from '../errors/remedy-of.js';
import { StartError } from '../process/start-error.js';
import { checkSqliteFile, checkUsedFile } from './sqlite/files/check-sqlite-file.js';
import { migratePostgres } from './migrations/migrate-postgres.js';
import type { ReportWait } from './migrations/lock-wait.js';
import { aloneOnSqlite, migrateSqlite } from './migrations/migrate-sqlite.js';
import { migrationNames, type MigrationState, readMigrationState } from './migrations/migration-state.js';
import { misdeclared } from './schema/misdeclared.js';
import { isPostgres, postgresName, postgresPool } from './postgres/postgres.js';
import { evictIdleAfterTimeout } from './postgres/evict-after-timeout.js';
import { sqliteFile } from './sqlite/sqlite.js';
import { describeTable } from './tables/columns/table-columns.js';
import { refuseDeclarations } from './tables/columns/declared-entities.js';
import { refuseSubscribers } from './tables/columns/unsupported-columns.js';
import { refuseOtherSettings } from './postgres/required-settings.js';
import { refuseOtherTables } from './schema/refuse-other-tables.js';
import { markNewCopy, refuseUnfinishedCopy } from './unfinished-copy.js';

interface OpenOptions {
  /** Whether to migrate a PostgreSQL. An SQLite file is always migrated, except with `keepsSchema`. */
  readonly migrate: boolean;
  /** Whether to create a missing schema only, with `migrate`: the schema of another release stays, and is refused. */
  readonly keepsSchema?: boolean;
  /** Whether an SQLite file must have been in use: a missing or empty one is refused. */
  readonly mustExist?: boolean;
  /** Whether a newer release may have migrated it as well: the tables that a command uses stay as this release knows them. */
  readonly acceptsNewer?: boolean;
  /** Only for the command that copies this database: a new schema gets the mark of the copy, and an interrupted one is accepted. */
  readonly copyFrom?: string;
  /** Called with an SQLite file before it is opened. Throws a StartError when it must not be. */
  readonly claim?: (file: string) => void;
  /**
   * Called with the names of the migrations that this process ran, if any, also when a later one or a check fails. `isNew` when
   * the database had no tables before: for the next attempt, it has.
   */
  readonly report?: (migrations: readonly string[], isNew: boolean) => void;
  /** Called while a migration waits for another process or transaction. */
  readonly waits?: ReportWait;
}

/** The database's name in messages: the file, or the address without its password. */
export function databaseName(databaseUrl: string): string {
  return isPostgres(databaseUrl) ? postgresName(databaseUrl) : sqliteFile(databaseUrl);
}

/** Which migrations a process ran, in one sentence that stays true when something fails afterwards. */
export function migrationReport(database: string, migrations: readonly string[]): string {
  return `Ran ${migrations.join(', ')} on the database ${database}.`;
}

/** Opens the database and ensures that its schema is that of this release. Throws a StartError. */
export async function openDatabase(
  createDataSource: CreateDataSource,
  config: DatabaseConfig,
  options: OpenOptions,
): Promise<DataSource> {
  const dataSource = await createDataSource(config);
  await openDataSource(dataSource, createDataSource, config, options);
  return dataSource;
}

/** The same for a DataSource that exists. If it fails, it can be repeated. */
export async function openDataSource(
  dataSource: DataSource,
  createDataSource: CreateDataSource,
  config: DatabaseConfig,
  options: OpenOptions,
): Promise<void> {
  const { databaseUrl } = config;
  const { copyFrom, acceptsNewer = false, mustExist = false } = options;
  const mark = copyFrom === undefined ? undefined : (runner: QueryRunner) => markNewCopy(runner, copyFrom);
  refuseDeclarations(dataSource);
  if (!isPostgres(databaseUrl)) {
    const check = mustExist ? checkUsedFile : checkSqliteFile;
    check(sqliteFile(databaseUrl), acceptsNewer ? undefined : migrationNames(dataSource));
  }
  try {
    if (!isPostgres(databaseUrl)) options.claim?.(sqliteFile(databaseUrl));
    await dataSource.initialize();
    refuseSubscribers(dataSource);
    // Otherwise an unsupported entity that only transactions use would be refused at the first request for it.
    for (const { target } of dataSource.entityMetadatas) describeTable(dataSource, target);
    if (isPostgres(databaseUrl)) {
      evictIdleAfterTimeout(postgresPool(dataSource));
      await refuseOtherSettings(dataSource, config.databasePooler);
    }
    const before = await stateBefore(dataSource, databaseUrl, options.waits);
    if (mayMigrate(config, options, before)) {
      const migrations: string[] = [];
      const report = (migration: string) => void migrations.push(migration);
      try {
        await (isPostgres(databaseUrl)
          ? migratePostgres((limits) => createDataSource({ ...config, ...limits }), report, mark, options.waits)
          : migrateSqlite(dataSource, sqliteFile(databaseUrl), report, mark, options.waits));
      } finally {
        if (migrations.length > 0) options.report?.(migrations, before.isNew);
      }
    }
    const { unknown } = await checkSchema(dataSource, databaseUrl, options);
    // A newer release may have added to the tables of all entities.
    if (unknown.length === 0) await refuseOtherTables(dataSource, databaseName(databaseUrl));
    if (options.copyFrom === undefined) await refuseUnfinishedCopy(dataSource, databaseName(databaseUrl));
  } catch (error) {
    await disconnect(dataSource);
    throw openingError(databaseUrl, error);
  }
}

/** Why a database cannot be opened, in one sentence. */
export function openingError(databaseUrl: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  const fault = misdeclared(error as Error);
  if (fault) return fault;
  const remedy = remedyOf(error);
  const reason = reasonOf(error) + (remedy === undefined ? '' : `; ${remedy}`);
  return new StartError(`The database ${databaseName(databaseUrl)} cannot be opened: ${reason}.`, { cause: error });
}

/** Also ends a pool that TypeORM opened before it failed to connect. */
async function disconnect(dataSource: DataSource): Promise<void> {
  if (dataSource.isInitialized) await dataSource.destroy();
  else if (dataSource.options.type === 'postgres' && postgresPool(dataSource)) await dataSource.driver.disconnect();
}

function mayMigrate(
  { databaseUrl }: DatabaseConfig,
  { migrate, keepsSchema = false }: OpenOptions,
  { isNew, missing, unknown }: MigrationState,
): boolean {
  if (missing.length === 0 || unknown.length > 0) return false;
  return keepsSchema ? migrate && isNew : migrate || !isPostgres(databaseUrl);
}

/** The state of the migrations. If another process is creating the SQLite file, waits until it is done. */
async function stateBefore(
  dataSource: DataSource,
  databaseUrl: string,
  waits: ReportWait | undefined,
): Promise<MigrationState> {
  const state = await readMigrationState(dataSource);
  if (isPostgres(databaseUrl) || state.isNew || state.missing.length === 0) return state;
  return aloneOnSqlite(sqliteFile(databaseUrl), waits, () => readMigrationState(dataSource));
}

/** The schema must be neither older than this release nor, unless that is accepted, newer. */
async function checkSchema(
  dataSource: DataSource,
  databaseUrl: string,
  { acceptsNewer = false, keepsSchema = false }: OpenOptions,
): Promise<MigrationState> {
  const state = await readMigrationState(dataSource);
  const { missing, unknown } = state;
  if (unknown.length > 0 && (!acceptsNewer || missing.length > 0)) {
    throw new StartError(
      `The database ${databaseName(databaseUrl)} was migrated by a newer release (it has ${unknown[0]}); start that release.`,
    );
  }
  if (missing.length > 0) {
    throw new StartError(
      `The schema of ${databaseName(databaseUrl)} is older than this release; run "npm run migrate" first, or ${keepsSchema ? 'use the release that serves it' : 'set MIGRATE_ON_START=true'}.`,
    );
  }
  return state;
}
