import { describe, expect, it } from '@jest/globals';
import { createDataSource } from '../../../src/data-source.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { creating, stepOf } from '../../database/migrations/migrated-database.js';
import { createDatabase, onServer } from '../../support/databases/databases.js';
import { patientConfig } from '../../support/databases/time-limits.js';

const LIMITS = ['statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout'];

/** An administrator may set them. Each ends a long statement or transaction, and the lock that a migration holds by one. */
const IN_FORCE = `SELECT "name", "setting" FROM "pg_settings" WHERE "name" IN (${LIMITS.map((limit) => `'${limit}'`).join()})`;

describe('a limit of the server', () => {
  it.each([
    ['a migration', true],
    ['a copy', false],
  ])('does not apply to %s', async (_, migrates) => {
    const database = await createDatabase();
    // Servers before release 17 lack one.
    const limits = await onServer<{ name: string }>(IN_FORCE);
    for (const { name } of limits) {
      await onServer(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET ${name} = '1h'`);
    }
    const config = { ...patientConfig(database.url), ...(!migrates && { databaseStatementTimeout: 0 }) };
    let found: unknown;
    const step = stepOf(0, async (runner) => void (found = await runner.query(IN_FORCE)));
    const create = migrates ? creating([], [step]) : createDataSource;
    const dataSource = await openDatabase(create, config, { migrate: true });
    if (!migrates) found = await dataSource.query(IN_FORCE);
    await dataSource.destroy();
    await database.drop();
    expect(limits.length).toBeGreaterThan(1);
    expect(found).toEqual(limits.map(({ name }) => ({ name, setting: '0' })));
  });
});
