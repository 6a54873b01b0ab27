import { createDataSource } from '../../ormconfig.js';
import type { DatabaseConfig } from '../config.js';

/** Any number, as long as every release takes the same one. */
const LOCK = 1_795_132_800;

/** Brings the schema up to date. Of those who ask at the same time one does it; the others wait, and find it done. */
export async function migratePostgres(config: DatabaseConfig): Promise<void> {
  // A migration takes as long as it takes; one connection holds the lock, another one works.
  const dataSource = createDataSource({ ...config, databaseStatementTimeout: 0, databasePoolSize: 2 });
  await dataSource.initialize();
  try {
    const runner = dataSource.createQueryRunner();
    // Of a transaction, not of a session: behind a pooler, a session belongs to nobody.
    await runner.startTransaction();
    await runner.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await dataSource.runMigrations();
    await runner.commitTransaction();
    await runner.release();
  } finally {
    await dataSource.destroy();
  }
}
