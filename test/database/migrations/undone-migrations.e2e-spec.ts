import { describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { type MigrationInterface, TableColumn } from 'typeorm';
import { openTable } from '../../../src/platform/database/open-table.js';
import { SqliteLock } from '../../../src/platform/database/sqlite/files/sqlite-lock.js';
import { sqliteFile } from '../../../src/platform/database/sqlite/sqlite.js';
import { undoLastMigration } from '../../../src/platform/database/undo-migration.js';
import { createEmptyDatabase, ENGINE } from '../../support/databases/databases.js';
import { patientConfig } from '../../support/databases/time-limits.js';
import { creating, MigratedDatabase, nameOfStep, stepOf, type Up } from './migrated-database.js';
import { CREATE_SHELVES, fillShelves, keptShelves, ShelfEntity, SHELVES } from './shelves.js';

const isPostgres = ENGINE === 'postgres';
const database = new MigratedDatabase();
const ALL = [
  [1n, 2n],
  [1n, 2n],
];

const addNote: Up = (runner) =>
  runner.addColumn('shelves', new TableColumn({ name: 'note', type: 'text', isNullable: true }));
const dropNote: Up = (runner) => runner.dropColumn('shelves', 'note');

const open = (...steps: Type<MigrationInterface>[]) => database.open(SHELVES, [CREATE_SHELVES, ...steps]);
const undoIf = (confirm: (last: string) => boolean, ...steps: Type<MigrationInterface>[]) =>
  undoLastMigration(creating(SHELVES, [CREATE_SHELVES, ...steps]), patientConfig(database.url), confirm);
const undo = (...steps: Type<MigrationInterface>[]) => undoIf(() => true, ...steps);

describe('a migration that is undone', () => {
  it.each([true, false])('leaves the rows and checks that others need: transaction = %s', async (transaction) => {
    const step = stepOf(1, addNote, { transaction, down: dropNote });
    await fillShelves(await open(step));
    expect(await undo(step)).toBe(nameOfStep(1));
    const previous = await open();
    expect(await keptShelves(previous)).toEqual(ALL);
    const shelves = openTable<ShelfEntity>(previous, ShelfEntity);
    await expect(shelves.insert({ boards: 0 })).rejects.toMatchObject({
      message: expect.stringMatching(/^A row breaks the check .+ of ShelfEntity/),
    });
    expect(await shelves.insert({ boards: 1 })).toBe(3n);
    expect(await keptShelves(await open(step))).toEqual(ALL);
  });

  it('is the last one, of which one is undone after the other', async () => {
    const first = stepOf(1, addNote, { down: dropNote });
    const second = stepOf(2, 'SELECT 1');
    await open(first, second);
    expect(await undo(first, second)).toBe(nameOfStep(2));
    expect(await undo(first, second)).toBe(nameOfStep(1));
    expect(await openTable<ShelfEntity>(await open(), ShelfEntity).insert({ boards: 1 })).toBe(1n);
  });

  it('stays when the caller only asks which one it is', async () => {
    const step = stepOf(1, addNote, { down: dropNote });
    await fillShelves(await open(step));
    let last: string | undefined;
    const ask = (name: string) => {
      last = name;
      return false;
    };
    expect(await undoIf(ask, step)).toBeUndefined();
    expect(last).toBe(nameOfStep(1));
    expect(await undo(step)).toBe(nameOfStep(1));
  });

  it('is refused by a release that does not have it', async () => {
    await open(stepOf(1, 'SELECT 1'));
    await expect(undo()).rejects.toThrow(
      `This release does not have ${nameOfStep(1)}, the last migration of the database; undo it with the release that has it.`,
    );
  });

  it('is refused without a method for that', async () => {
    class Undoable {
      readonly name = nameOfStep(1);
      async up(): Promise<void> {}
    }
    const step = Undoable as unknown as Type<MigrationInterface>; // JavaScript does not require the method.
    await open(step);
    await expect(undo(step)).rejects.toThrow(`${nameOfStep(1)} has no method "down", which would undo it; write one.`);
    await open(step);
  });

  it.each([true, false])('stays when its "down" runs no statement: transaction = %s', async (transaction) => {
    class LimitApiKeys1795305600000 extends stepOf(1, addNote, { transaction, down: async () => undefined }) {}
    await open(LimitApiKeys1795305600000);
    await expect(undo(LimitApiKeys1795305600000)).rejects.toThrow(
      /^src\/migrations\/1795305600000-limit-api-keys\.ts:\d+ Step1999999999001 was not undone, because its method "down" runs no statement; let it undo "up", or run SELECT 1 if there is nothing to undo\.$/,
    );
    // Recorded, or it would add its column once more.
    await open(LimitApiKeys1795305600000);
    const step = stepOf(1, addNote, { down: dropNote });
    expect(await undo(step)).toBe(nameOfStep(1));
    await open(step);
  });

  it('may have nothing to undo, and says so by a statement', async () => {
    const step = stepOf(1, 'SELECT 1', { down: 'SELECT 1' });
    await open(step);
    expect(await undo(step)).toBe(nameOfStep(1));
  });

  it('may have nothing to undo on one of the databases', async () => {
    const step = stepOf(1, 'SELECT 1', {
      down: async ({ dataSource }) => {
        if (dataSource.options.type === 'mysql') throw new Error('not this one');
      },
    });
    await open(step);
    expect(await undo(step)).toBe(nameOfStep(1));
  });

  it('may be undone by the manager of its runner', async () => {
    const step = stepOf(1, addNote, {
      down: (runner) => runner.manager.query('ALTER TABLE "shelves" DROP COLUMN "note"'),
    });
    await open(step);
    expect(await undo(step)).toBe(nameOfStep(1));
    await open(step);
  });

  it('stays when it would leave a row without the row to which it refers', async () => {
    const step = stepOf(1, 'SELECT 1', { down: 'UPDATE "books" SET "shelfId" = 9 WHERE "id" = 1' });
    await fillShelves(await open(step));
    await expect(undo(step)).rejects.toThrow(
      isPostgres ? 'violates foreign key constraint' : `${nameOfStep(1)} leaves row 1 of "books"`,
    );
    expect(await keptShelves(await open(step))).toEqual(ALL);
  });

  if (isPostgres) {
    it('drops an index concurrently, without a transaction', async () => {
      const step = stepOf(1, 'CREATE INDEX CONCURRENTLY "by_boards" ON "shelves" ("boards")', {
        transaction: false,
        down: 'DROP INDEX CONCURRENTLY "by_boards"',
      });
      await open(step);
      await undo(step);
      const rows = await (await open()).query(`SELECT FROM "pg_indexes" WHERE "indexname" = 'by_boards'`);
      expect(rows).toEqual([]);
    });

    it('may take longer than a statement of the service, and waits only shortly for a lock', async () => {
      let limits: unknown;
      const step = stepOf(1, 'SELECT 1', {
        down: async (runner) => {
          [limits] = (await runner.query(
            `SELECT current_setting('statement_timeout') AS "statement", current_setting('lock_timeout') AS "lock"`,
          )) as object[];
        },
      });
      await open(step);
      await undo(step);
      expect(limits).toEqual({ statement: '0', lock: '300ms' });
    });
  } else {
    it('stays while a service serves the file', async () => {
      const step = stepOf(1, 'SELECT 1');
      await open(step);
      const lock = SqliteLock.take(sqliteFile(database.url));
      try {
        await expect(undo(step)).rejects.toThrow('Another process serves the database');
      } finally {
        lock.release();
      }
      expect(await undo(step)).toBe(nameOfStep(1));
    });

    it('is not looked for in a file that does not exist', async () => {
      const { url } = await createEmptyDatabase();
      await expect(undoLastMigration(creating(SHELVES, []), patientConfig(url), () => true)).rejects.toThrow(
        `The database ${sqliteFile(url)} does not exist; correct DATABASE_URL.`,
      );
    });
  }
});
