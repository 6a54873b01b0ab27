import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { readMigrationState } from './migration-state.js';
import { raiseSequences } from './raise-sequences.js';

/** Checks what a migration leaves; `isLast` when the schema is that of this release. */
type Check = (name: string, isLast: boolean) => Promise<void>;

/**
 * Runs the missing migrations, each in a transaction of its own, and returns their names. A failing check undoes its
 * migration. One without a transaction is checked afterwards, and is missing again if that fails.
 */
export async function runMigrations(
  dataSource: DataSource,
  runner: QueryRunner,
  check: Check = async () => {},
): Promise<readonly string[]> {
  const { missing } = await readMigrationState(dataSource, runner);
  if (missing.length === 0) return [];
  let left = missing;
  const checkLast = async (undo?: (name: string) => Promise<void>): Promise<void> => {
    const state = await readMigrationState(dataSource, runner);
    // None, when a migration commits a transaction of its own.
    const name = left.findLast((each) => !state.missing.includes(each));
    left = state.missing;
    if (name === undefined) return;
    try {
      await raiseSequences(dataSource, runner);
      await check(name, left.length === 0);
    } catch (error) {
      await undo?.(name);
      throw error;
    }
  };
  const commit = runner.commitTransaction.bind(runner);
  runner.commitTransaction = async () => {
    await checkLast();
    await commit();
  };
  try {
    await raiseSequences(dataSource, runner);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'each';
    await executor.executePendingMigrations();
    await checkLast(async (name) => void (await runner.query(`DELETE FROM "migrations" WHERE "name" = '${name}'`)));
  } finally {
    // The method of the class is back.
    Reflect.deleteProperty(runner, 'commitTransaction');
  }
  return missing;
}
