import { beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type BuiltService,
  type End,
  errorMessageOf,
  runCommand,
  startService,
  stopService,
  temporaryDirectory,
} from '../../support/built-service.js';
import { operationsSection } from '../../support/operations-page.js';
import { addPet, addPets, numbered, type Pet, walk } from '../../support/pets.js';

const CLIENTS = 8;
/** So many that the backup takes longer than several commits. */
const SEEDED = 5_000;
/** Milliseconds for several processes and possibly the build. */
const TIME = 300_000;

/** The commands of docs/operations.md that put a backup in place. */
function restoreCommands(): string {
  const commands = [...operationsSection('SQLite').matchAll(/^\$ ((?:rm|cp) .*)$/gm)].map(([, command]) => command!);
  expect(commands).toHaveLength(2);
  return commands.join('\n');
}

function backUp(database: string, ...args: string[]): Promise<End> {
  return runCommand(database, ['commands/backup.js', ...args]);
}

/** Creates pets until the service is killed. */
async function createUntilKilled({ api }: BuiltService, acknowledged: Pet[]): Promise<void> {
  try {
    for (;;) acknowledged.push(await addPet(api));
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
      for (const folder of ['data', 'backups']) mkdirSync(join(home, folder));
      const file = join(home, 'data/pets.sqlite');
      expect((await runCommand(file, ['commands/seed.js', '--pets', String(SEEDED)])).code).toBe(0);
      expect((await runCommand(file, ['commands/keys.js', 'create', 'shop'])).code).toBe(0);
      const service = await startService(file);
      const acknowledged: Pet[] = [];
      const clients = Array.from({ length: CLIENTS }, () => createUntilKilled(service, acknowledged));
      while (acknowledged.length < 100) await delay(10);

      const before = [...acknowledged];
      const { code, stderr, stdout } = await backUp(file, '--to', join(home, 'backups/pets.sqlite'));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^Backed up \S+ to \S+ in [\d.]+ s: [\d,]+ bytes, checked\.\n$/);
      // Otherwise nothing was created meanwhile, and the test would prove too little.
      expect(acknowledged.length).toBeGreaterThan(before.length);
      expect(readdirSync(join(home, 'backups'))).toEqual(['pets.sqlite']);
      service.kill('SIGKILL');
      await Promise.all(clients);
      await service.exit;
      for (const suffix of ['', '-wal', '-shm']) writeFileSync(`${file}${suffix}`, 'destroyed');

      execFileSync('sh', ['-ec', restoreCommands()], { cwd: home });
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
    }, TIME);

    it.each<[string, string, string[], RegExp]>([
      ['an existing file', 'pets.sqlite', ['--to', 'existing'], /^The file \S+ exists; choose another --to\.$/],
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
      ['another kind of file', 'existing', ['--to', 'copy'], /^The database \S+ cannot be backed up: .*\.$/],
      ['a missing option', 'pets.sqlite', [], /^Usage: npm run backup -- --to FILE \[--json\]\.$/],
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
