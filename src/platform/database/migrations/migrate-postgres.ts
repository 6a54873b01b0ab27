import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import type { PostgresConfig } from '../postgres/postgres-config.js';
import { keepsPreparedStatements } from '../postgres/postgres.js';
import { FaithfulPostgresRunner } from './runners/faithful-postgres-runner.js';
import { LockWait, OTHER_MIGRATES, type ReportWait } from './lock-wait.js';
import {
  type Confirm,
  type Mark,
  type OnOwnConnection,
  type ReportMigration,
  runMigrations,
  undoMigration,
} from './run-migrations.js';

/** Key of the advisory lock: any number, as long as every release uses the same one. */
const LOCK_KEY = 1_795_132_800;
/** Milliseconds that a migration waits for a table lock; statements on that table queue behind it meanwhile. */
const LOCK_TIMEOUT = 300;
/** Milliseconds before the next attempt, so that those statements can run. */
const PAUSE = 700;
/** Milliseconds between two attempts to take the advisory lock. */
const POLL = 100;
/** About ten minutes, in which a backup finishes. */
const ATTEMPTS = 600;
/** SQLSTATE lock_not_available. */
const LOCK_NOT_AVAILABLE = '55P03';

const LOCKED =
  'Waiting for a transaction that has locked a table which a migration changes; end it, or the migration fails after ten minutes (pg_blocking_pids finds it).';

type Create = (limits: Partial<PostgresConfig>) => Promise<DataSource>;

/** Brings the schema up to date. If several processes start together, one migrates and the others wait for it. */
export function migratePostgres(
  create: Create,
  report: ReportMigration,
  mark?: Mark,
  waits?: ReportWait,
): Promise<void> {
  return alone(create, waits, (dataSource) =>
    untilUnlocked(waits, () => runMigrations(dataSource, connecting(dataSource), report, undefined, mark)),
  );
}

/** Undoes the last migration if that is confirmed, unless `refuse` throws for the database, and returns its name. */
export function undoOnPostgres(
  create: Create,
  confirm: Confirm,
  refuse: (dataSource: DataSource) => Promise<void>,
  waits?: ReportWait,
): Promise<string | undefined> {
  return alone(create, waits, async (dataSource) => {
    await refuse(dataSource);
    return untilUnlocked(waits, () => undoMigration(dataSource, connecting(dataSource), confirm));
  });
}

/** Does the work while no other process migrates. */
async function alone<Result>(
  create: Create,
  waits: ReportWait | undefined,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  // No statement timeout: a migration may take long. One connection holds the lock, the other one migrates.
  const dataSource = await create({ databaseStatementTimeout: 0, databasePoolSize: 2 });
  // A pooler refuses `lock_timeout` as a startup parameter.
  const limits = keepsPreparedStatements(dataSource) ? { lock_timeout: LOCK_TIMEOUT } : {};
  // The pool closes a connection instead of giving it to the next migration, with its settings.
  dataSource.setOptions({ extra: { ...(dataSource.options.extra as object), ...limits, maxUses: 1 } });
  await dataSource.initialize();
  try {
    const runner = dataSource.createQueryRunner();
    await lock(runner, new LockWait(waits));
    const result = await work(dataSource);
    await runner.commitTransaction();
    await runner.release();
    return result;
  } finally {
    await dataSource.destroy();
  }
}

function connecting(dataSource: DataSource): OnOwnConnection {
  return async (work) => {
    const runner = new FaithfulPostgresRunner(dataSource);
    try {
      // Stored times are in UTC, and so must CURRENT_TIMESTAMP be. PgBouncer keeps this setting from its other clients.
      await runner.query(`SET TimeZone TO 'UTC'`);
      return await work(runner);
    } finally {
      await runner.release();
    }
  };
}

/**
 * Takes the lock for a transaction, because behind a pooler a session is shared. CREATE INDEX CONCURRENTLY waits for every
 * running statement, and for the snapshot that a statement with parameters leaves in its transaction. So the waiting
 * processes poll instead of blocking in a statement, and the statement has no parameters.
 */
async function lock(runner: QueryRunner, wait: LockWait): Promise<void> {
  for (;;) {
    await runner.startTransaction();
    const rows = (await runner.query(`SELECT pg_try_advisory_xact_lock(${LOCK_KEY}) AS "isOurs"`)) as {
      isOurs: boolean;
    }[];
    if (rows[0]?.isOurs) return;
    await runner.rollbackTransaction();
    wait.reportIfDue(OTHER_MIGRATES);
    await delay(POLL);
  }
}

/** Repeats the work while others keep tables locked. */
async function untilUnlocked<Result>(waits: ReportWait | undefined, work: () => Promise<Result>): Promise<Result> {
  const wait = new LockWait(waits);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const { code, cause } = error as { code?: string; cause?: { code?: string } };
      // A migration that fails is named, and the error of the server is the cause.
      if ((cause?.code ?? code) !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error;
    }
    wait.reportIfDue(LOCKED);
    await delay(PAUSE);
  }
}
