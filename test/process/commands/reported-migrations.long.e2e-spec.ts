import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { databaseName } from '../../../src/platform/database/open-database.js';
import { buildWithMigrations } from '../../support/build-with.js';
import { type End, runCommand, startService, stopService } from '../../support/built-service.js';
import { createEmptyDatabase, ENGINE, type TestDatabase } from '../../support/databases/databases.js';

/** Milliseconds for several processes, and possibly a build. */
const TIME = 240_000;

const OWNERS = 'AddOwners1999999999001';
const FAILS = 'Fails1999999999002';
const UNAWAITED = 'ForgetsAwait1999999999002';
const REFUSED = 'RenameStatus1999999999002';
const CODE = `
class ${OWNERS} {
  name = '${OWNERS}';
  up(runner) { return runner.query('CREATE TABLE "owners" ("id" bigint)'); }
}
class ${FAILS} {
  name = '${FAILS}';
  up(runner) { return runner.query('SELECT nothing'); }
}
class ${UNAWAITED} {
  name = '${UNAWAITED}';
  async up(runner) {
    [1, 2].forEach(async () => { await runner.query('SELECT nothing'); });
    await new Promise((resolve) => process.once('unhandledRejection', resolve));
  }
}
class ${REFUSED} {
  name = '${REFUSED}';
  up(runner) { return runner.query('ALTER TABLE "pets" RENAME COLUMN "status" TO "state"'); }
}`;

const REASON =
  ENGINE === 'postgres' ? '42703: column "nothing" does not exist' : 'SQLITE_ERROR: near "nothing": syntax error';
const FAILURE = `${FAILS} failed and was undone: ${REASON}; correct it, or the rows that it changes.`;
const REFUSAL = (name: string) =>
  `The database ${name} lacks the column "status" of the table "pets" of PetEntity; name the migration that adds it in src/data-source.ts, then run "npm run migrate".`;

/** The directories of releases with one migration, with another one that fails, and with one whose schema is refused. */
let good: string;
let failing: string;
let refused: string;
let database: TestDatabase;

beforeAll(async () => {
  good = await buildWithMigrations([OWNERS], CODE);
  failing = await buildWithMigrations([OWNERS, FAILS], CODE);
  refused = await buildWithMigrations([OWNERS, REFUSED], CODE);
}, TIME);

afterEach(() => database.drop());

/** A database that this release has migrated. */
async function existing(): Promise<string> {
  database = await createEmptyDatabase();
  expect(await runCommand(database.url, ['commands/migrate.js'])).toMatchObject({ code: 0, stderr: '' });
  return databaseName(database.url);
}

const migrate = (release: string, ...args: string[]): Promise<End> =>
  runCommand(database.url, [join(release, 'dist/src/commands/migrate.js'), ...args]);

describe('npm run migrate', () => {
  it(
    'prints what it ran before a migration fails, and nothing when it ran none',
    async () => {
      const name = await existing();
      const end = { code: 1, signal: null, stderr: `${FAILURE}\n` };
      expect(await migrate(failing)).toEqual({ ...end, stdout: `Ran ${OWNERS} on the database ${name}.\n` });
      expect(await migrate(failing)).toEqual({ ...end, stdout: '' });
    },
    TIME,
  );

  it(
    'reports a statement that fails and is not awaited, without a stack',
    async () => {
      const name = await existing();
      const forgetful = await buildWithMigrations([OWNERS, UNAWAITED], CODE);
      const { stderr, ...end } = await migrate(forgetful);
      expect(end).toEqual({ code: 1, signal: null, stdout: `Ran ${OWNERS} on the database ${name}.\n` });
      const failure = `${UNAWAITED} failed and was undone: it does not await a promise that failed`;
      expect(stderr).toBe(`${failure} (${REASON}); await each statement.\n`);
    },
    TIME,
  );

  it(
    'prints as JSON what it ran before it refuses the database',
    async () => {
      const name = await existing();
      const { stdout, ...end } = await migrate(refused, '--json');
      expect(end).toEqual({ code: 1, signal: null, stderr: `${REFUSAL(name)}\n` });
      expect(JSON.parse(stdout)).toEqual({ database: name, migrations: [OWNERS, REFUSED] });
    },
    TIME,
  );
});

describe('a start that migrates', () => {
  const ENVIRONMENT = { MIGRATE_ON_START: 'true', LOG_LEVEL: 'info' };
  const service = (release: string) => [join(release, 'dist/src/main.js')];
  /** What it logged about the database. */
  const logged = (stderr: string): string[] =>
    stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { context: string; msg: string })
      .filter(({ context }) => context === 'Database')
      .map(({ msg }) => msg);

  it(
    'logs the migrations in one line, and no later start does',
    async () => {
      const name = await existing();
      for (const lines of [[`Ran ${OWNERS} on the database ${name}.`], []]) {
        const started = await startService(database.url, ENVIRONMENT, service(good));
        await stopService(started);
        expect(logged(started.output.stderr)).toEqual(lines);
      }
    },
    TIME,
  );

  it(
    'logs them when a later one stops the start',
    async () => {
      const name = await existing();
      const { stderr } = await runCommand(database.url, service(failing), ENVIRONMENT);
      expect(logged(stderr)).toEqual([`Ran ${OWNERS} on the database ${name}.`]);
      const sentences = stderr.split('\n').filter((line) => !line.startsWith('{'));
      expect(sentences).toEqual([FAILURE, '']);
    },
    TIME,
  );

  it(
    'logs a new database instead of its migrations',
    async () => {
      database = await createEmptyDatabase();
      const started = await startService(database.url, ENVIRONMENT, service(good));
      await stopService(started);
      expect(logged(started.output.stderr)).toEqual([
        `The database ${databaseName(database.url)} was missing or empty, so a new one was created.`,
      ]);
    },
    TIME,
  );

  it.each<[string, () => string, (name: string) => string]>([
    ['a later migration', () => failing, () => FAILURE],
    ['a check of the tables', () => refused, REFUSAL],
  ])(
    'logs a new database also when %s stops the start',
    async (_, release, message) => {
      database = await createEmptyDatabase();
      const name = databaseName(database.url);
      const { code, stderr } = await runCommand(database.url, service(release()), ENVIRONMENT);
      expect(logged(stderr)).toEqual([`The database ${name} was missing or empty, so a new one was created.`]);
      expect(stderr.split('\n').filter((line) => !line.startsWith('{'))).toEqual([message(name), '']);
      expect(code).toBe(1);
    },
    TIME,
  );
});
