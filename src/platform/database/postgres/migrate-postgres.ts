import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import type { PostgresConfig } from './postgres-config.js';
import { keepsStatements } from './postgres.js';

/** Any number, as long as every release takes the same one. */
const LOCK = 1_795_132_800;
/** Milliseconds that a migration waits for a table. Whoever comes to the table meanwhile waits behind it. */
const LOCK_TIMEOUT = 300;
/** Milliseconds in which those behind it are served, before it tries again. */
const PAUSE = 700;
/** Milliseconds between two looks whether the one that migrates is done. */
const LOOK = 100;
/** Some ten minutes, in which a backup comes to its end. */
const ATTEMPTS = 600;
/** PostgreSQL's word for a table that others have held for too long. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Brings the schema up to date. Of those who ask at the same time one does it; the others wait, and find it done. */
export async function migratePostgres(
  createDataSource: (limits: Partial<PostgresConfig>) => Promise<DataSource>,
): Promise<void> {
  // A migration takes as long as it takes; one connection holds the lock, another one works.
  const dataSource = await createDataSource({ databaseStatementTimeout: 0, databasePoolSize: 2 });
  if (keepsStatements(dataSource)) {
    dataSource.setOptions({ extra: { ...(dataSource.options.extra as object), lock_timeout: LOCK_TIMEOUT } });
  }
  await dataSource.initialize();
  try {
    const runner = dataSource.createQueryRunner();
    await lock(runner);
    await runMigrations(dataSource);
    await runner.commitTransaction();
    await runner.release();
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Of a transaction, not of a session: behind a pooler, a session belongs to nobody. An index that is made CONCURRENTLY
 * waits for every statement that is under way, and for what a statement with parameters leaves in its transaction; so
 * nobody waits in a statement, and there are no parameters.
 */
async function lock(runner: QueryRunner): Promise<void> {
  for (;;) {
    await runner.startTransaction();
    const [answer] = (await runner.query(`SELECT pg_try_advisory_xact_lock(${LOCK}) AS "isOurs"`)) as {
      isOurs: boolean;
    }[];
    if (answer!.isOurs) return;
    await runner.rollbackTransaction();
    await delay(LOOK);
  }
}

async function runMigrations(dataSource: DataSource): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await dataSource.runMigrations();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error;
    }
    await delay(PAUSE);
  }
}
