import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Migration } from 'typeorm/migration/Migration.js';

/** Does the work of a migration in a transaction, unless the migration has none. */
export async function inItsTransaction(
  { instance }: Migration,
  runner: QueryRunner,
  work: (instance: MigrationInterface) => Promise<void>,
): Promise<void> {
  const its = instance!; // TypeORM sets it for the migrations of a release.
  if (its.transaction === false) return work(its);
  await runner.startTransaction();
  try {
    await work(its);
    await runner.commitTransaction();
  } catch (error) {
    // SQLite ends the transaction itself after some errors, and a lost connection cannot end it.
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}
