import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashApiKey } from '../../src/auth/api-key.js';
import { ApiKeys } from '../../src/auth/api-keys.js';
import { createDataSource } from '../../src/data-source.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import {
  errorMessageOf,
  type End,
  runCommand,
  startService,
  stopService,
  temporaryDirectory,
} from '../support/built-service.js';
import { whileLocked } from '../support/outages.js';
import { createDatabase, ENGINE } from '../support/databases/databases.js';
import { patientConfig } from '../support/databases/time-limits.js';

/** Milliseconds for a few processes and possibly the build. */
const TIME = 240_000;
const HOUR = 3_600_000;
const KEY = /pets_[0-9A-Za-z]{38}/;
const TIMESTAMP = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
/** A database with a key named "app"; no test changes it. */
let withApp: string;

function keys(database: string, ...args: string[]): Promise<End> {
  return runCommand(database, ['src/commands/keys.js', ...args]);
}

async function outputOf(database: string, ...args: string[]): Promise<string> {
  const { stdout, stderr, ...end } = await keys(database, ...args);
  expect(end).toEqual({ code: 0, signal: null });
  const isNew = /^(create|rotate) [^]*(?<!--json)$/.test(args.join(' '));
  expect(stderr).toBe(
    isNew ? `The key "${args[1]}", shown only once; running services accept it within a second.\n` : '',
  );
  return stdout;
}

async function errorOf(database: string, ...args: string[]): Promise<string> {
  return errorMessageOf(await keys(database, ...args));
}

function open(databaseUrl: string): Promise<DataSource> {
  return openDatabase(createDataSource, patientConfig(databaseUrl), { migrate: false });
}

/** A database with a key named "app", and the key. */
async function create(): Promise<{ database: string; appKey: string }> {
  const { url: database } = await createDatabase();
  await (await open(database)).destroy();
  return { database, appKey: KEY.exec(await outputOf(database, 'create', 'app'))![0] };
}

beforeAll(async () => {
  ({ database: withApp } = await create());
}, TIME);

describe('npm run keys', () => {
  it(
    'prints only the new key on standard output, which the service accepts',
    async () => {
      const { database } = await create();
      const text = await outputOf(database, 'create', 'bob');
      expect(text.replace(KEY, '<key>')).toBe('<key>\n');
      const service = await startService(database);
      expect((await service.api.get('/v1/pets', { key: KEY.exec(text)![0] })).status).toBe(200);
      await stopService(service);
    },
    TIME,
  );

  it(
    'lists names and times, but no keys',
    async () => {
      const { database } = await create();
      expect(await outputOf(database, 'list')).toMatch(new RegExp(`^app  created ${TIMESTAMP}\n$`));
      expect(await outputOf(database, 'revoke', 'app')).toBe(
        'Revoked "app"; running services reject it within a second.\n',
      );
      expect(await outputOf(database, 'list')).toMatch(
        new RegExp(`^app  created ${TIMESTAMP}  revoked ${TIMESTAMP}\n$`),
      );
    },
    TIME,
  );

  it(
    'lists names of earlier releases in one line each, without control characters',
    async () => {
      const { database } = await create();
      const name = 'evil\n{"level":30}\u001b[31m\u009b\u{e0001}';
      const dataSource = await open(database);
      await new ApiKeys(dataSource).create(name);
      await dataSource.destroy();
      const shown = String.raw`evil\u000a{"level":30}\u001b[31m\u009b\udb40\udc01`;
      const [, line, ...rest] = (await outputOf(database, 'list')).split('\n');
      expect(line!.replace(new RegExp(TIMESTAMP), 'TIME')).toBe(`${shown}  created TIME`);
      expect(rest).toEqual(['']);
      const json = await outputOf(database, 'list', '--json');
      expect(json).toMatch(/^[ -~]+\n$/);
      expect(JSON.parse(json)).toEqual([expect.anything(), { name, createdAt: expect.stringMatching(TIMESTAMP) }]);
      expect(await outputOf(database, 'revoke', name)).toBe(
        `Revoked "${shown}"; running services reject it within a second.\n`,
      );
    },
    TIME,
  );

  it('names all that list prints in its help', async () => {
    expect(await outputOf(withApp, '--help')).toContain(
      '  list           prints the name, scope and last use of each key, and when it was created and ends\n',
    );
  });

  it(
    'rotates a key, and lists how long the previous one stays valid',
    async () => {
      const { database, appKey } = await create();
      expect(KEY.exec(await outputOf(database, 'rotate', 'app', '--grace', '1'))![0]).not.toBe(appKey);
      expect(await outputOf(database, 'list')).toMatch(
        new RegExp(`^app  created ${TIMESTAMP}  valid until ${TIMESTAMP}\napp  created ${TIMESTAMP}\n$`),
      );
    },
    TIME,
  );

  it(
    'keeps a previous key valid for a day unless told otherwise, and counts the hours of --expires',
    async () => {
      const { database } = await create();
      await outputOf(database, 'rotate', 'app', '--expires', '12h');
      const [, until, created, expires] = new RegExp(
        `^app  created ${TIMESTAMP}  valid until (${TIMESTAMP})\napp  created (${TIMESTAMP})  expires (${TIMESTAMP})\n$`,
      )
        .exec(await outputOf(database, 'list'))!
        .map((time) => Date.parse(time));
      // The grace begins once the new key is stored.
      expect([until, expires].map((time) => Math.floor((time! - created!) / HOUR))).toEqual([24, 12]);
    },
    TIME,
  );

  it(
    'lists the last use of a key',
    async () => {
      const { database, appKey } = await create();
      const dataSource = await open(database);
      await new ApiKeys(dataSource).recordUse([hashApiKey(appKey)], Date.now());
      await dataSource.destroy();
      expect(await outputOf(database, 'list')).toMatch(
        new RegExp(`^app  created ${TIMESTAMP}  last used ${TIMESTAMP}\n$`),
      );
      expect(JSON.parse(await outputOf(database, 'list', '--json'))).toEqual([
        {
          name: 'app',
          createdAt: expect.stringMatching(TIMESTAMP),
          lastUsedAt: expect.stringMatching(TIMESTAMP),
        },
      ]);
    },
    TIME,
  );

  it(
    'lists the limits of a key, which rotation keeps',
    async () => {
      const { database } = await create();
      await outputOf(database, 'create', 'shop', '--scope', 'read', '--expires', '90d');
      await outputOf(database, 'rotate', 'shop', '--grace', '0');
      const [, old, rotated] = (await outputOf(database, 'list')).split('\n');
      expect(old).toMatch(new RegExp(`^shop  created ${TIMESTAMP}  may only read  revoked ${TIMESTAMP}$`));
      expect(rotated).toMatch(new RegExp(`^shop  created ${TIMESTAMP}  may only read  expires ${TIMESTAMP}$`));
      const [, created, expires] = /created (\S+) .* expires (\S+)$/.exec(rotated!)!;
      expect(Date.parse(expires!) - Date.parse(created!)).toBe(90 * 86_400_000);
    },
    TIME,
  );

  it(
    'prints JSON with --json',
    async () => {
      const { database } = await create();
      expect(JSON.parse(await outputOf(database, 'rotate', 'app', '--grace', '0', '--json'))).toEqual({
        name: 'app',
        key: expect.stringMatching(KEY),
      });
      const created = { name: 'app', createdAt: expect.stringMatching(TIMESTAMP) };
      expect(JSON.parse(await outputOf(database, 'list', '--json'))).toEqual([
        { ...created, revokedAt: expect.stringMatching(TIMESTAMP) },
        created,
      ]);
      expect(JSON.parse(await outputOf(database, 'revoke', 'app', '--json'))).toEqual({ name: 'app', revoked: true });
    },
    TIME,
  );

  it.each<[string, string[], string]>([
    ['no command', [], 'Give a command: create, list, rotate or revoke; npm run keys -- --help explains them.'],
    [
      'an unknown command',
      ['delete', 'app'],
      'The command "delete" is unknown; choose create, list, rotate or revoke.',
    ],
    ['a missing name', ['create'], 'Give the name of the key: npm run keys -- create NAME.'],
    ['an extra name', ['revoke', 'app', 'bob'], 'The argument "bob" is one too many; remove it.'],
    ['a name to list', ['list', 'app'], 'The argument "app" is one too many; remove it.'],
    [
      'a grace period that is not a number of hours',
      ['rotate', 'app', '--grace', '1d'],
      'The option --grace must be a whole number of hours up to 99999, not "1d".',
    ],
    ['an unknown option', ['list', '--all'], "Unknown option '--all'; npm run keys -- --help lists the options."],
    [
      'an option twice',
      ['create', 'bob', '--scope', 'read', '--scope', 'write'],
      'The option --scope is given twice; give it once.',
    ],
    [
      'an option without its value',
      ['create', 'bob', '--scope'],
      "Option '--scope <value>' argument missing; npm run keys -- --help lists the options.",
    ],
    [
      'an option of another command',
      ['create', 'bob', '--grace', '1'],
      'The option --grace is not an option of create; npm run keys -- --help lists the options of each command.',
    ],
    [
      'an unknown scope',
      ['create', 'bob', '--scope', 'admin'],
      'The option --scope must be read or write, not "admin".',
    ],
    [
      'a lifetime without a unit',
      ['create', 'bob', '--expires', '90'],
      'The option --expires must be hours such as 12h or days such as 90d, not "90".',
    ],
    [
      'a lifetime before now',
      ['create', 'bob', '--expires', '-1d'],
      'The option --expires must be hours such as 12h or days such as 90d, not "-1d".',
    ],
    [
      'a grace before now',
      ['rotate', 'bob', '--grace', '-1'],
      'The option --grace must be a whole number of hours up to 99999, not "-1".',
    ],
    [
      'a lifetime of nothing',
      ['create', 'bob', '--expires', '0d'],
      'The option --expires must be hours such as 12h or days such as 90d, not "0d".',
    ],
    [
      'a name with control characters',
      ['create', 'evil\n{"level":30}\u001b[31m'],
      'The name is not valid; choose 1 to 64 letters, digits, punctuation marks, symbols and spaces, without a space at either end.',
    ],
    [
      'a name that the log gives to another key',
      ['create', 'API_KEYS 1'],
      'The name "API_KEYS 1" is reserved for the log, where it means a key of the variable API_KEYS; choose another name.',
    ],
    [
      'an unknown name with control characters',
      ['revoke', 'evil\n\u001b[31m'],
      'There is no valid key "evil\\u000a\\u001b[31m"; list the keys to see their names.',
    ],
    ['a name in use', ['create', 'app'], 'The key "app" is already in use; rotate it or choose another name.'],
    ['an unknown name to rotate', ['rotate', 'bob'], 'There is no valid key "bob"; create one.'],
    ['an unknown name to revoke', ['revoke', 'bob'], 'There is no valid key "bob"; list the keys to see their names.'],
  ])('rejects %s in one sentence', async (_, args, message) => {
    expect(await errorOf(withApp, ...args)).toBe(message);
  });

  it(
    'changes no key while another process writes to the database, and reports it in one sentence',
    async () => {
      const { database } = await create();
      const reason =
        ENGINE === 'sqlite' ? 'SQLITE_BUSY: database is locked' : '57014: canceling statement due to statement timeout';
      await whileLocked(database, async () => {
        for (const command of ['create bob', 'rotate app', 'revoke app']) {
          expect(await errorOf(database, ...command.split(' '))).toBe(
            `The database is unavailable; try again (${reason}).`,
          );
        }
      });
      expect(await outputOf(database, 'list')).toMatch(new RegExp(`^app  created ${TIMESTAMP}\\n$`));
    },
    TIME,
  );
});

it(
  'npm run keys works on after a newer release has added to the tables of other features',
  async () => {
    const { database } = await create();
    const dataSource = await open(database);
    await dataSource.query('CREATE TABLE "owners" ("id" bigint PRIMARY KEY)');
    await dataSource.query('ALTER TABLE "pets" ADD COLUMN "ownerId" bigint REFERENCES "owners" ("id")');
    await dataSource.query(`INSERT INTO "migrations" ("timestamp", "name") VALUES (1, 'AddOwners1999999999999')`);
    await dataSource.destroy();
    expect(await outputOf(database, 'create', 'new')).toMatch(KEY);
    expect(await outputOf(database, 'revoke', 'app')).toBe(
      'Revoked "app"; running services reject it within a second.\n',
    );
    expect(await outputOf(database, 'list')).toMatch(
      new RegExp(`^app  created ${TIMESTAMP}  revoked ${TIMESTAMP}$`, 'm'),
    );
  },
  TIME,
);

describe('npm run keys on an SQLite file', () => {
  it.each([['list'], ['rotate', 'app'], ['revoke', 'app']])(
    'refuses to %s in a file that does not exist or is empty, and creates no database',
    async (...args) => {
      const file = join(temporaryDirectory(), 'mistyped.sqlite');
      expect(await errorOf(file, ...args)).toBe(`The database ${file} does not exist; correct DATABASE_URL.`);
      expect(existsSync(file)).toBe(false);
      // As a full disk or a failed restore leaves it.
      writeFileSync(file, '');
      expect(await errorOf(file, ...args)).toBe(
        `The database ${file} is empty; restore it from a backup, or correct DATABASE_URL.`,
      );
      expect(statSync(file).size).toBe(0);
    },
    TIME,
  );

  it(
    'creates the first key in a new file, and reports the migrations that it ran',
    async () => {
      const file = join(temporaryDirectory(), 'pets.sqlite');
      const { stdout, ...end } = await keys(file, 'create', 'app');
      expect(stdout.replace(KEY, '<key>')).toBe('<key>\n');
      expect(end).toEqual({
        code: 0,
        signal: null,
        stderr: expect.stringMatching(
          /^Ran \w+(, \w+)+ on the database \S+\.\nThe key "app", shown only once; [^\n]+\.\n$/,
        ),
      });
      expect(await outputOf(file, 'list')).toMatch(/^app  created /);
    },
    TIME,
  );

  it(
    'leaves an older schema as it is, because the service of the previous release could not start again',
    async () => {
      const file = join(temporaryDirectory(), 'pets.sqlite');
      const dataSource = await open(`sqlite:${file}`);
      await dataSource.undoLastMigration();
      await dataSource.destroy();
      const refusal = `The schema of ${file} is older than this release; run "npm run migrate" first, or use the release that serves it.`;
      for (const args of [
        ['list', '--json'],
        ['create', 'app'],
      ])
        expect(await errorOf(file, ...args)).toBe(refusal);
    },
    TIME,
  );
});
