import type { MigrationRunner } from './migration-runner.js';

/** Otherwise an error would leave a table without its rows or its indexes, or with a key that is refused. */
export async function inOneTransaction(runner: MigrationRunner, work: () => Promise<void>): Promise<void> {
  if (await runner.isInTransaction()) return work();
  await runner.startTransaction();
  try {
    await work();
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}
