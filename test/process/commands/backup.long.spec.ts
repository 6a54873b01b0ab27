import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createDataSource } from '../../../src/data-source.js';
import { backUpSqlite } from '../../../src/platform/copy/backup-sqlite.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import {
  build,
  type BuiltService,
  type End,
  type Environment,
  errorMessageOf,
  runCommand,
  spawnProcess,
  startService,
  stopService,
  temporaryDirectory,
} from '../../support/built-service.js';
import { patientConfig } from '../../support/databases/time-limits.js';
import { operationsSection } from '../../support/operations-page.js';
import { addPet, addPets, numbered, type Pet, walk } from '../../support/pets.js';

const CLIENTS = 8;
/** So many that the backup takes longer than several commits. */
const SEEDED = 5_000;
/** Milliseconds for several processes and possibly the build. */
const TIME = 300_000;

/** The console sessions of docs/operations.md: the backup, and the restore up to the start of the service. */
function printedCommands(): { backup: string; restore: string } {
  const sessions = [...operationsSection('SQLite').matchAll(/```console\n(.*?)```/gs)];
  const [backup, restore] = sessions.map(([, session]) => session!.replaceAll(/^\$ /gm, ''));
  expect(restore).toMatch(/\nnpm run start:prod\n$/);
  return { backup: backup!, restore: restore!.replace('npm run start:prod\n', '') };
}

/** Runs printed commands as a shell of an operator does, with the compiled command instead of an npm script. */
async function runPrinted(script: string, cwd: string, env: Environment = {}): Promise<End> {
  const command = join(await build(), 'dist/commands/backup.js');
  const npm = `npm() { [ "$1 $2 $3" = 'run backup --' ]; shift 3; '${process.execPath}' '${command}' "$@"; }`;
  const shell = spawnProcess('sh', ['-euc', `umask 022\n${npm}\n${script}`], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
  });
  return { ...(await shell.exit), ...shell.output };
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

function backUp(database: string, ...args: string[]): Promise<End> {
  return runCommand(database, ['commands/backup.js', ...args]);
}

/** Sends nothing to a service that is dead: another test may get its port meanwhile. */
async function createUntil(killed: AbortSignal, { api }: BuiltService, acknowledged: Pet[]): Promise<void> {
  try {
    while (!killed.aborted) acknowledged.push(await addPet(api));
  } catch (error) {
    const { code, cause } = error as { code?: string; cause?: { code?: string } };
    expect(['ECONNRESET', 'ECONNREFUSED', 'EPIPE']).toContain(code ?? cause?.code);
  }
}

describe('npm run backup', () => {
  it(
    'restores every pet and key from before it started, and ids continue',
    async () => {
      const home = temporaryDirectory();
      const { backup, restore } = printedCommands();
      const file = join(home, 'data/pets.sqlite');
      expect((await runCommand(file, ['commands/seed.js', '--pets', String(SEEDED)])).code).toBe(0);
      expect((await runCommand(file, ['commands/keys.js', 'create', 'shop'])).code).toBe(0);
      const service = await startService(file);
      const acknowledged: Pet[] = [];
      const killed = new AbortController();
      const clients = Array.from({ length: CLIENTS }, () => createUntil(killed.signal, service, acknowledged));
      while (acknowledged.length < 100) await delay(10);

      const before = [...acknowledged];
      const { code, stderr, stdout } = await runPrinted(backup, home);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^Backed up \S+ to \S+ in [\d.]+ s: [\d,]+ bytes, checked\.\n$/);
      // Otherwise nothing was created meanwhile, and the test would prove too little.
      expect(acknowledged.length).toBeGreaterThan(before.length);
      const backups = readdirSync(join(home, 'backups'));
      expect(backups).toEqual([expect.stringMatching(/^pets-[\dT-]+Z\.sqlite$/)]);
      const [copy] = backups.map((name) => join(home, 'backups', name));
      expect([modeOf(join(home, 'backups')), modeOf(copy!)]).toEqual(['700', '600']);
      killed.abort();
      service.kill('SIGKILL');
      await Promise.all(clients);
      await service.exit;
      for (const suffix of ['', '-wal', '-shm']) writeFileSync(`${file}${suffix}`, 'destroyed');

      expect(await runPrinted(restore, home, { BACKUP: copy })).toEqual({
        code: 0,
        signal: null,
        stdout: '',
        stderr: '',
      });
      expect(modeOf(file)).toBe('600');
      const restored = await startService(file);
      const pets = await walk(restored.api, '/v1/pets?limit=100');
      const byId = new Map(pets.map((pet) => [pet.id, pet]));
      expect(before.filter((pet) => byId.get(pet.id)?.name !== pet.name)).toEqual([]);
      expect(pets.length).toBeGreaterThanOrEqual(SEEDED + before.length);
      expect((await addPet(restored.api)).id).toBe(Number(pets.at(-1)!.id) + 1);
      await stopService(restored);
      expect((await runCommand(file, ['commands/keys.js', 'list'])).stdout).toMatch(/^shop  created /);
    },
    TIME,
  );

  it(
    'restores a key that was revoked since, which can be revoked again before the service starts',
    async () => {
      const home = temporaryDirectory();
      const { backup, restore } = printedCommands();
      const file = join(home, 'data/pets.sqlite');
      const key = (await runCommand(file, ['commands/keys.js', 'create', 'leaked'])).stdout.trim();
      expect((await runPrinted(backup, home)).code).toBe(0);
      expect((await runCommand(file, ['commands/keys.js', 'revoke', 'leaked'])).code).toBe(0);

      const [copy] = readdirSync(join(home, 'backups'));
      expect((await runPrinted(restore, home, { BACKUP: join(home, 'backups', copy!) })).code).toBe(0);
      const list = await runCommand(file, ['commands/keys.js', 'list']);
      expect(list.stdout).toMatch(/^leaked  created \S+\n$/);
      expect((await runCommand(file, ['commands/keys.js', 'revoke', 'leaked'])).code).toBe(0);
      const restored = await startService(file);
      expect((await restored.api.get('/v1/pets', { key })).status).toBe(401);
      await stopService(restored);
    },
    TIME,
  );

  it(
    'creates a file that its owner can read and write, whatever the umask is',
    async () => {
      const home = temporaryDirectory();
      const file = join(home, 'pets.sqlite');
      await stopService(await startService(file));
      const { code, stderr } = await runPrinted('umask 0777\nnpm run backup -- --to copy', home, {
        DATABASE_URL: `sqlite:${file}`,
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(modeOf(join(home, 'copy'))).toBe('600');
    },
    TIME,
  );

  describe('that is not alone', () => {
    let file: string;
    let folder: string;

    beforeAll(async () => {
      file = join(temporaryDirectory(), 'pets.sqlite');
      expect((await runCommand(file, ['commands/seed.js', '--pets', '300'])).code).toBe(0);
    }, TIME);

    beforeEach(() => {
      folder = temporaryDirectory();
    });

    function expectComplete(path: string): void {
      const copy = new Database(path, { readonly: true });
      expect(copy.prepare('SELECT count(*) FROM "pets"').pluck().get()).toBe(300);
      copy.close();
      expect(modeOf(path)).toBe('600');
      expect(readdirSync(folder)).toEqual(['copy']);
    }

    it(
      'is refused when another one to the same file was faster, and does not harm it',
      async () => {
        const to = join(folder, 'copy');
        // Each one looks for the file before the first one is complete.
        const ends = await Promise.allSettled(Array.from({ length: 5 }, () => backUpSqlite(file, to)));
        const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [(end.reason as Error).message] : []));
        expect(reasons).toEqual(Array.from({ length: 4 }, () => `The file ${to} exists; choose another --to.`));
        expectComplete(to);
      },
      TIME,
    );

    it(
      'succeeds once when two processes run it at the same time',
      async () => {
        const to = join(folder, 'copy');
        const ends = await Promise.all([backUp(file, '--to', to), backUp(file, '--to', to)]);
        const [done, refused] = ends.toSorted((one, other) => Number(one.code) - Number(other.code));
        expect(done?.stdout).toMatch(/: \d\d[\d,]+ bytes, checked\.\n$/);
        expect(errorMessageOf(refused!)).toBe(`The file ${to} exists; choose another --to.`);
        expectComplete(to);
      },
      TIME,
    );

    it(
      'is refused when its unfinished file is deleted',
      async () => {
        const backup = backUpSqlite(file, join(folder, 'copy'));
        const [unfinished] = readdirSync(folder);
        rmSync(join(folder, unfinished!));
        await expect(backup).rejects.toThrow(
          `The file ${join(folder, unfinished!)} was deleted by another process before it was complete; run the backup again.`,
        );
        expect(readdirSync(folder)).toEqual([]);
      },
      TIME,
    );
  });

  describe('reports in one sentence, and leaves no file behind, for', () => {
    let home: string;
    let file: string;

    beforeAll(async () => {
      home = temporaryDirectory();
      file = join(home, 'pets.sqlite');
      const service = await startService(file);
      await addPets(service.api, numbered(300));
      await stopService(service);
      writeFileSync(join(home, 'existing'), 'precious');
      const bytes = readFileSync(file);
      writeFileSync(join(home, 'damaged.sqlite'), bytes.fill(7, 8_192, 20_480));
      writeFileSync(join(home, 'empty.sqlite'), '');
      change('foreign.sqlite', 'CREATE TABLE "pets" ("x")');
      change('undone.sqlite', 'CREATE TABLE "migrations" ("id" integer PRIMARY KEY AUTOINCREMENT)');
      const copy = { migrate: true, copyFrom: 'old.sqlite' };
      const config = patientConfig(`sqlite:${join(home, 'copy.sqlite')}`);
      await (await openDatabase(createDataSource, config, copy)).destroy();
    }, TIME);

    function change(name: string, statement: string): void {
      const connection = new Database(join(home, name));
      connection.exec(statement);
      connection.close();
    }

    it.each<[string, string, string[], RegExp]>([
      ['an existing file', 'pets.sqlite', ['--to', 'existing'], /^The file \S+ exists; choose another --to\.$/],
      [
        'a folder that cannot have files',
        'pets.sqlite',
        ['--to', 'existing/copy'],
        /^The file \S+ cannot be created \(ENOTDIR\); choose another --to\.$/,
      ],
      ['a missing folder', 'pets.sqlite', ['--to', 'none/copy'], /^The folder \S+ does not exist; create it\.$/],
      [
        'a missing database',
        'none.sqlite',
        ['--to', 'copy'],
        /^The database \S+ does not exist; correct DATABASE_URL\.$/,
      ],
      [
        'a damaged database',
        'damaged.sqlite',
        ['--to', 'copy'],
        /^The database is damaged \(.*\); keep your earlier backups\.$/,
      ],
      [
        'an empty file',
        'empty.sqlite',
        ['--to', 'copy'],
        /^The database \S+\/empty\.sqlite is empty; restore it from a backup, or correct DATABASE_URL\.$/,
      ],
      [
        'a database without a table of the service',
        'undone.sqlite',
        ['--to', 'copy'],
        /^The database \S+\/undone\.sqlite is empty; restore it from a backup, or correct DATABASE_URL\.$/,
      ],
      [
        'a database of another application',
        'foreign.sqlite',
        ['--to', 'copy'],
        /^The database \S+\/foreign\.sqlite belongs to another application; choose another DATABASE_URL\.$/,
      ],
      [
        'an unfinished copy',
        'copy.sqlite',
        ['--to', 'copy'],
        /^The database \S+\/copy\.sqlite holds an unfinished copy of old\.sqlite; run the same "npm run db:copy" again to finish it\.$/,
      ],
      ['another kind of file', 'existing', ['--to', 'copy'], /^The database \S+ cannot be backed up: .*\.$/],
      ['a missing option', 'pets.sqlite', [], /^Give the file of the copy: npm run backup -- --to FILE\.$/],
      [
        'an option twice',
        'pets.sqlite',
        ['--to', 'copy', '--to', 'other'],
        /^The option --to is given twice; give it once\.$/,
      ],
    ])('%s', async (_, database, args, message) => {
      const at = args.map((arg) => (arg.startsWith('--') ? arg : join(home, arg)));
      const names = readdirSync(home);
      expect(errorMessageOf(await backUp(join(home, database), ...at))).toMatch(message);
      expect(readdirSync(home).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(
        names.filter((name) => !/-(wal|shm)$/.test(name)),
      );
      expect(readFileSync(join(home, 'existing'), 'utf8')).toBe('precious');
    });

    it('PostgreSQL, which has its own tools', async () => {
      const end = await backUp('postgres://pets:secret@127.0.0.1:1/pets', '--to', join(home, 'copy'));
      expect(errorMessageOf(end)).toBe(
        'The database postgres://127.0.0.1:1/pets is not a file; back it up with pg_dump (docs/operations.md).',
      );
    });

    it('nothing else: a database that no service uses is backed up, as JSON for programs', async () => {
      const to = join(home, 'idle');
      const { code, stdout } = await backUp(file, '--to', to, '--json');
      expect({ code, output: JSON.parse(stdout) as unknown }).toMatchObject({
        code: 0,
        output: { database: file, to },
      });
      const copy = new Database(to, { readonly: true });
      expect(copy.prepare('SELECT count(*) AS "count" FROM "pets"').get()).toEqual({ count: 300 });
      copy.close();
    });
  });
});
