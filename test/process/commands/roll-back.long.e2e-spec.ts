import { afterAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { databaseName } from '../../../src/platform/database/open-database.js';
import { buildWithMigrations } from '../../support/build-with.js';
import { errorMessageOf, runCommand, runService, startService, stopService } from '../../support/built-service.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/databases/databases.js';
import { operationsSection } from '../../support/operations-page.js';
import { lastMigrations } from '../../support/migrated.js';
import { addPet, walk } from '../../support/pets.js';

/** Milliseconds for several starts of the service, and possibly a build. */
const TIME = 240_000;

const MIGRATION = 'AddOwners1999999999999';
const CODE = `
class ${MIGRATION} {
  name = '${MIGRATION}';
  up(runner) { return runner.query('CREATE TABLE "owners" ("id" bigint)'); }
  down(runner) { return runner.query('DROP TABLE "owners"'); }
}`;

let database: TestDatabase;

afterAll(() => database.drop());

const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};

/** The command lines that name the last migration and undo one, without the compiler, which npm runs before them. */
function undoCommands(): readonly string[] {
  const lines = [...operationsSection('Roll back a release').matchAll(/^\$ npm run (\S+) -- (.*)$/gm)];
  return lines.map(([, script, options]) => `${scripts[script!]} ${options}`);
}

it(
  'a release is rolled back as docs/operations.md says, which names what was undone, no pet is lost, and keys can be revoked',
  async () => {
    database = await createEmptyDatabase();
    const { url } = database;
    expect(await runCommand(url, ['commands/migrate.js'])).toMatchObject({ code: 0 });
    const replica = await startService(url);
    const added = [await addPet(replica.api)];

    const cwd = await buildWithMigrations([MIGRATION], CODE);
    const run = async ([file, ...args]: readonly string[]) =>
      promisify(execFile)(file!, args, { cwd, env: { PATH: process.env.PATH, DATABASE_URL: url } });
    await run(['node', 'dist/src/commands/migrate.js']);
    added.push(await addPet(replica.api));
    const keys = async (...args: string[]) => runCommand(url, ['commands/keys.js', ...args]);
    expect(await keys('create', 'caller')).toMatchObject({ code: 0 });
    expect(await keys('revoke', 'caller')).toEqual({
      code: 0,
      signal: null,
      stdout: 'Revoked "caller"; running services reject it within a second.\n',
      stderr: '',
    });
    await stopService(replica);
    expect(errorMessageOf(await runService(url))).toContain(MIGRATION);

    await expect(run(['sh', '-c', 'npx typeorm migration:revert -d dist/ormconfig.js'])).rejects.toMatchObject({
      stderr: expect.stringContaining('"npm run migrate -- --undo NAME"'),
    });
    const undoInImage = (...options: string[]) => runCommand(url, ['commands/migrate.js', '--undo', ...options]);
    const ofRelease = `This release does not have ${MIGRATION}, the last migration of the database; undo it with the release that has it.`;
    expect(errorMessageOf(await undoInImage(MIGRATION))).toBe(ofRelease);
    const [ask, undo] = undoCommands();
    expect(await run(['sh', '-c', ask!])).toEqual({
      stdout: `${MIGRATION} is the last migration of ${databaseName(url)}; run "npm run migrate -- --undo ${MIGRATION}" to undo it and to lose what it stored.\n`,
      stderr: '',
    });
    const answer = await run(['sh', '-c', `${ask!} --json`]);
    expect(JSON.parse(answer.stdout)).toEqual({ database: databaseName(url), last: MIGRATION });
    expect(answer.stderr).toBe('');
    const { stdout } = await run(['sh', '-c', undo!]);
    expect(stdout).toBe(`Undid ${MIGRATION} of ${databaseName(url)}.\n`);
    // A script, or a person, may try again.
    const [last] = await lastMigrations(url);
    await expect(run(['sh', '-c', undo!])).rejects.toMatchObject({
      code: 1,
      stderr: `Nothing was undone: the last migration of ${databaseName(url)} is ${last}, not ${MIGRATION}; to undo ${last}, run "npm run migrate -- --undo ${last}".\n`,
    });
    const previous = await startService(url);
    added.push(await addPet(previous.api));
    expect(await walk(previous.api, '/v1/pets')).toEqual(added);
    await stopService(previous);
    const { stdout: json } = await undoInImage(last!, '--json');
    expect(JSON.parse(json)).toEqual({ database: databaseName(url), undone: last });
  },
  TIME,
);
