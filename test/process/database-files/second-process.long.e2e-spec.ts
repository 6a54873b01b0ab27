import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { linkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  errorMessageOf,
  runCommand,
  runInShell,
  runService,
  startService,
  stopService,
  temporaryDirectory,
} from '../../support/built-service.js';
import { startApp } from '../../support/start-app.js';
import { newDatabaseFile, TIME } from '../starts.js';

const refusal = (file: string): string =>
  `Another process serves the database ${file}; stop that process first, or set another DATABASE_URL.`;

// A container may not mount anything.
const mayMount = spawnSync('unshare', ['--mount', 'mount', '--bind', '/tmp', '/tmp']).status === 0;
const itWithMounts = mayMount ? it : it.skip;

describe('a file that a process serves', () => {
  it(
    'is refused to another process, also by another path, until the first one has ended in any way',
    async () => {
      const file = newDatabaseFile();
      const link = join(temporaryDirectory(), 'linked.sqlite');
      const first = await startService(file);
      symlinkSync(file, link);
      expect(errorMessageOf(await runService(file))).toBe(refusal(file));
      expect(errorMessageOf(await runService(link))).toBe(refusal(link));
      expect((await first.api.get('/v1/pets')).status).toBe(200);
      first.kill('SIGKILL');
      await first.exit;
      const second = await startService(file);
      await stopService(second);
      await stopService(await startService(link));
    },
    TIME,
  );

  itWithMounts(
    'is refused where it is mounted alone',
    async () => {
      const file = newDatabaseFile();
      const mounted = join(temporaryDirectory(), 'pets of shop.sqlite');
      writeFileSync(mounted, '');
      await stopService(await startService(file));
      const script = `unshare --mount sh -c 'mount --bind "$0" "$1" && shift && exec "$@"' '${file}' '${mounted}' "$0" "$@"`;
      expect(errorMessageOf(await runInShell(script, mounted, ['src/commands/keys.js', 'list']))).toBe(
        `The database ${mounted} is mounted alone, so that another process could change it unnoticed, and its log would stay behind; mount its folder instead.`,
      );
    },
    TIME,
  );

  itWithMounts(
    'is accepted where the system does not report what is mounted',
    async () => {
      const file = newDatabaseFile();
      await stopService(await startService(file));
      const hide = 'mount -t tmpfs none /proc && mkdir -p /proc/self/mountinfo';
      const script = `unshare --mount sh -c '${hide} && exec "$0" "$@"' "$0" "$@"`;
      expect(await runInShell(script, file, ['src/commands/keys.js', 'list'])).toMatchObject({ code: 0, stderr: '' });
    },
    TIME,
  );

  it(
    'is refused by another name of its own, which has another write-ahead log, until that name is deleted',
    async () => {
      const file = newDatabaseFile();
      const name = join(temporaryDirectory(), 'linked.sqlite');
      await stopService(await startService(file));
      linkSync(file, name);
      // As `cp -al` does. It may stay.
      linkSync(`${file}-lock`, `${name}-lock`);
      for (const path of [file, name]) {
        expect(errorMessageOf(await runService(path))).toBe(
          `The database ${path} has a second name, a hard link, by which another process could change it unnoticed; delete that name ("find DIRECTORY -samefile ${path}" finds it).`,
        );
      }
      rmSync(name);
      const service = await startService(file);
      expect((await service.api.get('/ready')).status).toBe(200);
      await stopService(service);
    },
    TIME,
  );

  it(
    'is open to every command',
    async () => {
      const file = newDatabaseFile();
      const service = await startService(file);
      const copy = ['src/commands/db-copy.js', '--from', `sqlite:${file}`, '--to', `sqlite:${newDatabaseFile()}`];
      for (const command of [
        ['src/commands/migrate.js'],
        ['src/commands/keys.js', 'create', 'shop'],
        ['src/commands/seed.js', '--pets', '3'],
        copy,
      ]) {
        expect(await runCommand(file, command)).toMatchObject({ code: 0 });
      }
      expect((await service.api.get('/v1/pets')).json).toHaveLength(3);
      await stopService(service);
    },
    TIME,
  );

  it('is refused to another service of the same process, and free again when the first one has closed', async () => {
    const first = await startApp({}, { engine: 'sqlite' });
    const { databaseUrl } = first;
    await expect(startApp({ databaseUrl })).rejects.toThrow(refusal(databaseUrl.replace('sqlite:', '')));
    expect((await first.api.get('/ready')).status).toBe(200);
    await first.app.close();
    const second = await startApp({ databaseUrl });
    expect((await second.api.get('/ready')).status).toBe(200);
    await second.close();
    await first.close();
  });
});
