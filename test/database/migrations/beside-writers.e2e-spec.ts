import { describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { setTimeout as delay } from 'node:timers/promises';
import { openTable } from '../../../src/platform/database/open-table.js';
import { sqliteFile } from '../../../src/platform/database/sqlite/sqlite.js';
import { ENGINE } from '../../support/databases/databases.js';
import { MigratedDatabase, stepOf, type Up } from './migrated-database.js';
import { CREATE_SHELVES, fillShelves, ShelfEntity, SHELVES } from './shelves.js';

const database = new MigratedDatabase();

const WRITE = 'UPDATE "shelves" SET "boards" = "boards" + 10 WHERE "id" = 2';

/** As the service does, in another process. */
function connect(timeout: number): Database.Database {
  return new Database(sqliteFile(database.url), { timeout });
}

/** The boards of both shelves after this migration. */
async function migrate(up: Up, transaction = true): Promise<(number | undefined)[]> {
  const migrated = await database.open(SHELVES, [CREATE_SHELVES, stepOf(1, up, { transaction })]);
  const shelves = openTable<ShelfEntity>(migrated, ShelfEntity);
  return [(await shelves.find(1n))?.boards, (await shelves.find(2n))?.boards];
}

/** PostgreSQL locks rows and tables instead of the database: `failed-migrations` has its waits. */
const onSqlite = ENGINE === 'sqlite' ? describe : describe.skip;

onSqlite('a migration beside a process that writes', () => {
  it('sees no commits of others from its start, so that it may read before it writes', async () => {
    await fillShelves(await database.open(SHELVES, [CREATE_SHELVES]));
    const other = connect(0);
    let code: unknown;
    const boards = await migrate(async (runner) => {
      const [row] = (await runner.query('SELECT sum("boards") AS "sum" FROM "shelves"')) as { sum: number }[];
      try {
        other.exec(WRITE);
      } catch (error) {
        ({ code } = error as { code?: string });
      }
      await runner.query('UPDATE "shelves" SET "boards" = ? WHERE "id" = 1', [row?.sum]);
    });
    other.close();
    expect(code).toBe('SQLITE_BUSY');
    expect(boards).toEqual([3, 2]);
  });

  it('waits until another process has written', async () => {
    await fillShelves(await database.open(SHELVES, [CREATE_SHELVES]));
    const other = connect(5000);
    let committed: Promise<void> | undefined;
    const boards = await migrate(async (runner) => {
      other.exec('BEGIN IMMEDIATE');
      other.exec(WRITE);
      // The first attempt to write blocks this thread until it fails.
      committed = delay(50).then(() => void other.exec('COMMIT'));
      await runner.query('UPDATE "shelves" SET "boards" = 7 WHERE "id" = 1');
    }, false);
    await committed;
    other.close();
    expect(boards).toEqual([7, 12]);
  });
});
