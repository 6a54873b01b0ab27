import { afterEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/data-source.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import {
  type Environment,
  errorMessageOf,
  runCommand,
  runService,
  spawnService,
  startService,
  stopService,
} from '../../support/built-service.js';
import { buildWithMigrations } from '../../support/build-with.js';
import { drift, expectAllDone, undoAll } from '../../support/migrated.js';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../support/databases/databases.js';
import { serviceMigrations } from '../../support/databases/service-migrations.js';
import { statements } from '../copy/stored-rows.js';
import { patientConfig } from '../../support/databases/time-limits.js';

/** Milliseconds for several processes, and possibly a build. */
const TIME = 240_000;
/** Services that start together. */
const SERVICES = 6;
/** Passwords of the tests, right and wrong. */
const SECRETS = /correct-horse|battery-staple/;

const opened: DataSource[] = [];

async function open({ url }: TestDatabase, migrate = true): Promise<DataSource> {
  const dataSource = await openDatabase(createDataSource, patientConfig(url), { migrate });
  opened.push(dataSource);
  return dataSource;
}

/** The database's name in messages. */
function nameOf({ url }: TestDatabase): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

afterEach(async () => {
  for (const dataSource of opened.splice(0)) await dataSource.destroy();
});

/** It runs until it is stopped, unlike a command. */
const SERVICE = ['main.js'];
/** The advisory lock of a process that migrates. */
const LOCK = 1_795_132_800;

describe('a migration that waits for another process', () => {
  it.each<[string, readonly string[], Environment]>([
    ['a command', ['src/commands/migrate.js'], {}],
    ['a service', SERVICE, { MIGRATE_ON_START: 'true', LOG_LEVEL: 'warn' }],
  ])(
    'is reported after some seconds by %s, which then continues',
    async (_, command, settings) => {
      const database = await createEmptyDatabase();
      const migrating = new Client({ connectionString: database.url });
      await migrating.connect();
      await migrating.query(`SELECT pg_advisory_lock(${LOCK})`);
      const { child, output, exit } = await spawnService(database.url, settings, command);
      for (const end = Date.now() + 60_000; output.stderr === '' && Date.now() < end;) await delay(50);
      expect(output.stderr).toContain('Waiting for another process that migrates the database; end it if it hangs.');
      await migrating.end();
      while (output.stdout === '') await delay(50);
      if (command === SERVICE) child.kill('SIGTERM');
      expect(await exit).toEqual({ code: 0, signal: null });
      await database.drop();
    },
    TIME,
  );

  // The first process of a container ignores a signal that it does not handle: only an exit code shows that it does.
  it.each<[NodeJS.Signals, number, string, readonly string[], Environment]>([
    ['SIGTERM', 143, 'a command', ['src/commands/migrate.js'], {}],
    ['SIGINT', 130, 'a command', ['src/commands/migrate.js'], {}],
    ['SIGTERM', 143, 'a service', SERVICE, { MIGRATE_ON_START: 'true', LOG_LEVEL: 'warn' }],
  ])(
    'handles %s with the exit code %i: %s',
    async (signal, code, _, command, settings) => {
      const database = await createEmptyDatabase();
      const migrating = new Client({ connectionString: database.url });
      await migrating.connect();
      await migrating.query(`SELECT pg_advisory_lock(${LOCK})`);
      const { child, output, exit } = await spawnService(database.url, settings, command);
      while (output.stderr === '' && child.exitCode === null) await delay(50);
      child.kill(signal);
      expect(await exit).toEqual({ code, signal: null });
      await migrating.end();
      await database.drop();
    },
    TIME,
  );
});

describe('migrations on PostgreSQL', () => {
  it('create the schema that the entities declare', async () => {
    expect(await drift(await open(await createEmptyDatabase()))).toEqual([]);
  });

  it('differ from the entities when a column is missing', async () => {
    const dataSource = await open(await createDatabase());
    await dataSource.query('ALTER TABLE "pets" DROP COLUMN "name"');
    expect(await drift(dataSource)).not.toEqual([]);
  });

  it('run once', async () => {
    const database = await createEmptyDatabase();
    await open(database);
    await expectAllDone(await open(database));
  });

  it('run once when many processes start them concurrently', async () => {
    const database = await createEmptyDatabase();
    const dataSources = await Promise.all(Array.from({ length: 8 }, () => open(database)));
    await expectAllDone(dataSources[0]!);
  });

  it('can be undone to an empty database', async () => {
    const database = await createDatabase();
    const dataSource = await open(database);
    await undoAll(database.url);
    const tables = await dataSource.query(`SELECT "tablename" FROM "pg_tables" WHERE "schemaname" = 'public'`);
    expect(tables).toEqual([{ tablename: 'migrations' }]);
    await expect(undoAll(database.url)).rejects.toThrow(
      'No migration has run on the database, so there is none to undo.',
    );
  });
});

describe('npm run migrate', () => {
  it(
    'creates the schema and names the migrations, and changes nothing the next time',
    async () => {
      const database = await createEmptyDatabase();
      const end = { code: 0, signal: null, stderr: '' };
      const name = nameOf(database);
      const migrate = (...args: string[]) => runCommand(database.url, ['commands/migrate.js', ...args]);
      const migrations = await serviceMigrations(patientConfig(database.url));
      const names = migrations.map(({ name: each }) => each).join(', ');
      const done = `Ran ${names}; the database ${name} is up to date.\n`;
      expect(await migrate()).toEqual({ ...end, stdout: done });
      expect(await migrate()).toEqual({ ...end, stdout: `The database ${name} was up to date; no migration ran.\n` });
      const json = await migrate('--json');
      expect(JSON.parse(json.stdout)).toEqual({ database: name, migrations: [] });
      expect(await drift(await open(database, false))).toEqual([]);
    },
    TIME,
  );
});

const STORE_TIME = `
class StoreTime1999999999001 {
  name = 'StoreTime1999999999001';
  async up(runner) {
    const time = new Date('2026-11-25T15:00:00.007Z');
    await runner.query('CREATE TABLE "times" ("written" timestamp(3), "read" text)');
    await runner.query('INSERT INTO "times" VALUES ($1)', [time]);
    const [{ written }] = await runner.query('SELECT "written" FROM "times"');
    await runner.query('UPDATE "times" SET "read" = $1', [written.toISOString()]);
  }
}
`;

describe('npm run migrate in another time zone', () => {
  it(
    'writes and reads a Date in UTC, as tables do',
    async () => {
      const database = await createDatabase();
      const build = await buildWithMigrations(['StoreTime1999999999001'], STORE_TIME);
      const end = await runCommand(database.url, [join(build, 'dist/src/commands/migrate.js')], { TZ: 'Asia/Tokyo' });
      expect(end).toMatchObject({ code: 0, stderr: '' });
      expect(await statements(database.url, 'SELECT "written"::text, "read" FROM "times"')).toEqual([
        [{ written: '2026-11-25 15:00:00.007', read: '2026-11-25T15:00:00.007Z' }],
      ]);
    },
    TIME,
  );
});

describe('a start on PostgreSQL', () => {
  it(
    'creates the schema once when many services start with MIGRATE_ON_START',
    async () => {
      const database = await createEmptyDatabase();
      const services = await Promise.all(
        Array.from({ length: SERVICES }, () => startService(database.url, { MIGRATE_ON_START: 'true' })),
      );
      for (const { api } of services) expect((await api.get('/v1/pets')).json).toEqual([]);
      await expectAllDone(await open(database, false));
      await Promise.all(services.map(stopService));
    },
    TIME,
  );

  it(
    'prints the address without the user and the password',
    async () => {
      const database = await createDatabase();
      const service = await startService(database.url, { LOG_LEVEL: 'trace' });
      await stopService(service);
      expect(service.output.stdout).toContain(`Database   ${nameOf(database)}\n`);
      expect(service.output.stdout + service.output.stderr).not.toMatch(SECRETS);
    },
    TIME,
  );

  it(
    'creates no key, because each of many services would create one',
    async () => {
      const database = await createDatabase();
      const service = await startService(database.url, { API_KEYS: undefined });
      await stopService(service);
      expect(service.output.stdout).not.toContain('API key');
      expect(await (await open(database)).query('SELECT "name" FROM "api_keys"')).toEqual([]);
    },
    TIME,
  );

  it(
    'fails when the schema is older, and names the command to run',
    async () => {
      const database = await createEmptyDatabase();
      const message = `The schema of ${nameOf(database)} is older than this release; run "npm run migrate" first, or set MIGRATE_ON_START=true.`;
      expect(errorMessageOf(await runService(database.url))).toBe(message);
      await expect(open(database, false)).rejects.toThrow(message);
    },
    TIME,
  );

  it('fails when the schema is newer, with and without permission to migrate', async () => {
    const database = await createDatabase();
    const dataSource = await open(database);
    await dataSource.query(`INSERT INTO "migrations" ("timestamp", "name") VALUES (1, 'Newer1')`);
    const message = `The database ${nameOf(database)} was migrated by a newer release (it has Newer1); start that release.`;
    await expect(open(database, false)).rejects.toThrow(message);
    await expect(open(database, true)).rejects.toThrow(message);
  });
});

describe('a start on an unusable PostgreSQL', () => {
  const change = (database: TestDatabase, how: (url: URL) => void): TestDatabase => {
    const url = new URL(database.url);
    how(url);
    return { ...database, url: url.href };
  };

  it.each<[string, (url: URL) => void, RegExp]>([
    ['nothing listens', (url) => (url.port = '1'), /ECONNREFUSED.*; start its server, or correct its address\.$/],
    [
      'the host is unknown',
      (url) => (url.hostname = 'nowhere.invalid'),
      /nowhere\.invalid; start its server, or correct its address\.$/,
    ],
    [
      'the password is wrong',
      (url) => (url.password = 'battery-staple'),
      /password authentication failed.*; correct the user or password in its address\.$/,
    ],
    [
      'the database does not exist',
      (url) => (url.pathname = '/nothing'),
      /"nothing" does not exist; create it, or correct its address\.$/,
    ],
    ['the server does not support TLS', (url) => (url.search = '?sslmode=verify-full'), /does not support SSL/],
    [
      'the CA certificate is missing',
      (url) => (url.search = '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'),
      /ENOENT.*\/nowhere\/ca\.pem/,
    ],
  ])('fails with one sentence when %s', async (_, how, reason) => {
    const database = change(await createDatabase(), how);
    for (const migrate of [false, true]) {
      const error = await open(database, migrate).catch((caught: unknown) => caught as Error);
      expect(error).toBeInstanceOf(Error);
      const { message } = error as Error;
      expect(message).toMatch(reason);
      expect(message.startsWith(`The database ${nameOf(database)} cannot be opened: `)).toBe(true);
      expect(message).not.toMatch(SECRETS);
      expect(message).not.toContain('\n');
    }
  });
});
