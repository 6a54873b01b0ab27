import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';
import { openTable } from '../../../src/platform/database/open-table.js';
import { StartError } from '../../../src/platform/process/start-error.js';
import { undoLastMigration } from '../../../src/platform/database/undo-migration.js';
import { ENGINE } from '../../support/databases/databases.js';
import { patientConfig } from '../../support/databases/time-limits.js';
import { creating, MigratedDatabase, nameOfStep, stepOf, type Up } from './migrated-database.js';
import { CREATE_SHELVES, fillShelves, ShelfEntity, SHELVES } from './shelves.js';

const isPostgres = ENGINE === 'postgres';
const database = new MigratedDatabase();
const NAME = nameOfStep(1);
const END = '; correct it, or the rows that it changes.';

const CHANGE = 'UPDATE "shelves" SET "boards" = 7 WHERE "id" = 1';
const isThere = isPostgres ? '23505: duplicate key value violates unique constraint' : 'UNIQUE constraint failed';
const fail: Up = async (runner) => {
  await runner.query(CHANGE);
  await runner.query('INSERT INTO "shelves" ("id", "boards") VALUES (2, 2)');
};

const messageOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(StartError);
  return (error as StartError).message;
};

const boardsOfFirst = async (): Promise<number | undefined> => {
  const shelves = openTable<ShelfEntity>(await database.open(SHELVES, [CREATE_SHELVES]), ShelfEntity);
  return (await shelves.find(1n))?.boards;
};

/** Opens a database with two shelves and this migration. Returns the message of the failure, and the boards of the first shelf. */
async function failed(up: Up, transaction = true): Promise<{ message: string; boards: number | undefined }> {
  await fillShelves(await database.open(SHELVES, [CREATE_SHELVES]));
  const step = stepOf(1, up, { transaction });
  const message = await messageOf(database.open(SHELVES, [CREATE_SHELVES, step]));
  return { message, boards: await boardsOfFirst() };
}

describe('a migration that fails', () => {
  it('is named, with the reason, and was undone', async () => {
    const { message, boards } = await failed(fail);
    expect(message.startsWith(`${NAME} failed and was undone: `)).toBe(true);
    expect(message).toContain(isThere);
    expect(message.endsWith(END)).toBe(true);
    expect(boards).toBe(1);
  });

  it('is named when its code fails', async () => {
    const nothing = undefined as unknown as object[]; // As a query that finds nothing in JavaScript.
    const { message } = await failed(async () => nothing[0]);
    expect(message).toBe(`${NAME} failed and was undone: Cannot read properties of undefined (reading '0')${END}`);
  });

  it('is said to be half done without a transaction', async () => {
    const { message, boards } = await failed(fail, false);
    expect(message.startsWith(`${NAME} failed and may be half done, because it has no transaction: `)).toBe(true);
    expect(boards).toBe(7);
  });

  it.each(['COMMIT', 'ROLLBACK'])('is refused when it ends its transaction by %s', async (statement) => {
    const { message, boards } = await failed(async (runner) => {
      await runner.query(CHANGE);
      await runner.query(statement);
    });
    expect(message).toBe(
      `${NAME} ends its transaction by a statement, and may be half done; remove that statement, or set transaction = false.`,
    );
    expect(boards).toBe(statement === 'COMMIT' ? 7 : 1);
  });

  it.each<[how: string, begin: Up]>([
    ['a statement', (runner) => runner.query('BEGIN')],
    ['TypeORM', (runner) => runner.startTransaction()],
  ])('is refused when it does not end the transaction that it begins by %s', async (_, begin) => {
    const beginAndChange: Up = async (runner) => {
      await begin(runner);
      await runner.query(CHANGE);
    };
    expect(await failed(beginAndChange, false)).toEqual({
      message: `${NAME} begins a transaction that it does not end, so that nothing of it stays; commit it.`,
      boards: 1,
    });
  });

  it('may end the transaction that it begins', async () => {
    await fillShelves(await database.open(SHELVES, [CREATE_SHELVES]));
    const commit: Up = async (runner) => {
      await runner.query('BEGIN');
      await runner.query(CHANGE);
      await runner.query('COMMIT');
    };
    const step = stepOf(1, commit, { transaction: false });
    const shelves = openTable<ShelfEntity>(await database.open(SHELVES, [CREATE_SHELVES, step]), ShelfEntity);
    expect((await shelves.find(1n))?.boards).toBe(7);
  });

  it('is named with file and line where the sources are', async () => {
    class LimitApiKeys1795305600000 implements MigrationInterface {
      readonly name = NAME;

      async up(runner: QueryRunner): Promise<void> {
        await runner.query('SELECT nothing');
      }

      async down(): Promise<void> {}
    }
    const message = await messageOf(database.open(SHELVES, [CREATE_SHELVES, LimitApiKeys1795305600000]));
    expect(message).toMatch(
      /^src\/migrations\/1795305600000-limit-api-keys\.ts:\d+ Step1999999999001 failed and was undone: /,
    );
  });

  it.each([
    [true, 'could not be undone, and stays as it was'],
    [false, 'could not be undone, and may be half undone, because it has no transaction'],
  ])('is named when it cannot be undone: transaction = %s', async (transaction, outcome) => {
    const steps = [CREATE_SHELVES, stepOf(1, 'SELECT 1', { transaction, down: 'SELECT nothing' })];
    await database.open(SHELVES, steps);
    const undone = undoLastMigration(creating(SHELVES, steps), patientConfig(database.url), () => true);
    const message = await messageOf(undone);
    expect(message.startsWith(`${NAME} ${outcome}: `)).toBe(true);
    await database.open(SHELVES, steps);
  });

  if (isPostgres) {
    it('is tried again when a table was locked', async () => {
      let attempts = 0;
      const locked: Up = async (runner) => {
        attempts += 1;
        await runner.query(CHANGE);
        if (attempts === 1) await runner.query(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '55P03'; END $$`);
      };
      const dataSource = await database.open(SHELVES, [CREATE_SHELVES]);
      await fillShelves(dataSource);
      const migrated = await database.open(SHELVES, [CREATE_SHELVES, stepOf(1, locked)]);
      expect(attempts).toBe(2);
      expect(await openTable<ShelfEntity>(migrated, ShelfEntity).find(1n)).toMatchObject({ boards: 7 });
    });

    it('is named when its transaction cannot be committed', async () => {
      const { message, boards } = await failed(async (runner) => {
        await runner.query(CHANGE);
        await runner.query(`ALTER TABLE "lamps" ALTER CONSTRAINT "lamps_shelfId_fkey" DEFERRABLE INITIALLY DEFERRED`);
        await runner.query('INSERT INTO "lamps" ("id", "shelfId") VALUES (9, 9)');
      });
      expect(message.startsWith(`${NAME} failed at the end of its transaction: 23503: `)).toBe(true);
      expect(boards).toBe(1);
    });
  }
});

describe('a migration that does not await a statement', () => {
  const unawaited = (statement: string) => `it does not await a statement (${statement}); await each statement.`;
  /** The words of `CHANGE` before its first value. */
  const CHANGED = 'UPDATE "shelves" SET "boards"';

  it.each<[how: string, up: Up, statement: string]>([
    ['at its end', async (runner) => void runner.query(CHANGE), CHANGED],
    ['whose text starts with a line of its own', async (runner) => void runner.query(`\n  ${CHANGE}`), CHANGED],
    ['without words', async (runner) => void runner.query('/* none */ SELECT 1'), 'query'],
    [
      'in a callback, which goes on after it has ended',
      async (runner) =>
        void [1, 2].map(async (id) => {
          await runner.query('SELECT 1');
          await runner.query(`UPDATE "shelves" SET "boards" = 7 WHERE "id" = ${id}`);
        }),
      'SELECT',
    ],
    [
      'of a method',
      async (runner) => {
        await runner.query(CHANGE);
        void runner.addColumn('shelves', new TableColumn({ name: 'note', type: 'text', isNullable: true }));
      },
      'addColumn',
    ],
    ['of the manager', async (runner) => void runner.manager.query(CHANGE), CHANGED],
    [
      'that another promise delays',
      async (runner) => {
        await runner.query(CHANGE);
        void Promise.resolve().then(async () => {
          for (let ticks = 0; ticks < 100; ticks += 1) await Promise.resolve();
          await runner.query('INSERT INTO "shelves" ("id", "boards") VALUES (9, 9)');
        });
      },
      'INSERT INTO "shelves"',
    ],
  ])('fails and is undone: %s', async (_, up, statement) => {
    expect(await failed(up)).toEqual({ message: `${NAME} failed and was undone: ${unawaited(statement)}`, boards: 1 });
  });

  it('fails, and is said to be half done, without a transaction', async () => {
    const { message } = await failed(async (runner) => void runner.query(CHANGE), false);
    expect(message).toBe(`${NAME} failed and may be half done, because it has no transaction: ${unawaited(CHANGED)}`);
  });

  it('fails with its own error, and is undone after the statement', async () => {
    const { message, boards } = await failed(async (runner) => {
      void runner.query(CHANGE);
      throw new Error('as it is');
    });
    expect(message).toBe(`${NAME} failed and was undone: as it is${END}`);
    expect(boards).toBe(1);
  });

  it('is not blamed for a statement beside it that fails', async () => {
    const { message, boards } = await failed(async (runner) => {
      const change = async (value: string) => {
        await runner.query(CHANGE);
        await runner.query(`UPDATE "shelves" SET "boards" = ${value}`);
        await runner.query(CHANGE);
        await runner.query(CHANGE);
      };
      await Promise.all(['1', 'nothing', '2'].map(change));
    });
    expect(message).toMatch(/ failed and was undone: .*nothing.*; correct it, or the rows that it changes\.$/);
    expect(boards).toBe(1);
  });

  it('is not undone', async () => {
    const steps = [CREATE_SHELVES, stepOf(1, CHANGE, { down: async (runner) => void runner.query(CHANGE) })];
    await database.open(SHELVES, steps);
    const undone = undoLastMigration(creating(SHELVES, steps), patientConfig(database.url), () => true);
    expect(await messageOf(undone)).toBe(`${NAME} could not be undone, and stays as it was: ${unawaited(CHANGED)}`);
    await database.open(SHELVES, steps);
  });

  it('is named in the log when the statement starts after its transaction, and does not run', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    try {
      await fillShelves(await database.open(SHELVES, [CREATE_SHELVES]));
      let kept: QueryRunner | undefined;
      const keep: Up = async (runner) => {
        kept = runner;
      };
      await database.open(SHELVES, [CREATE_SHELVES, stepOf(1, keep)]);
      void kept!.query(CHANGE); // set by the migration
      expect(logged.mock.calls).toEqual([
        [
          `${NAME} started a statement (${CHANGED}) after it had ended, which therefore did not run; await each statement, and correct the database.`,
        ],
      ]);
    } finally {
      logged.mockRestore();
    }
  });
});
