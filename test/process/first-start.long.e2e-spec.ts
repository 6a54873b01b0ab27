import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createDataSource } from '../../src/data-source.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import {
  build,
  type BuiltService,
  KEY,
  runCommand,
  runService,
  spawnProcess,
  startService,
  stopService,
  temporaryDirectory,
} from '../support/built-service.js';
import { Client } from '../support/http/client.js';
import { rejectWrites } from '../support/outages.js';
import { newDatabaseFile, TIME, withOccupiedPort } from './starts.js';
import { patientConfig } from '../support/databases/time-limits.js';

const NO_KEYS = { API_KEYS: undefined };
const KEY_TEXT = /pets_[0-9A-Za-z]{38}/;

/** A module that lets chmod fail, as some file systems do: CIFS, FAT and some of FUSE. */
const NO_CHMOD = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  fs.chmodSync = fs.fchmodSync = () => {
    throw Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' });
  };
  syncBuiltinESMExports();
`)}`;

function keyIn(text: string): string | undefined {
  return KEY_TEXT.exec(text)?.[0];
}

function curlLine({ output }: BuiltService): string {
  return /^ *(curl .*)$/m.exec(output.stdout)?.[1] ?? 'exit 1';
}

/** Runs the printed command in a shell and returns its output. */
async function paste(line: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${line} --silent --show-error --fail --max-time 5`]);
  return JSON.parse(stdout);
}

/** Starts the service by a script for the shell, which gets the command in $0 and $1, and waits until it listens. */
async function startInShell(file: string, script: string) {
  const port = await withOccupiedPort(async (free) => free);
  const command = ['-c', script, process.execPath, resolve(await build(), 'dist/main.js')];
  const { child, output, exit } = spawnProcess('sh', command, {
    cwd: temporaryDirectory(),
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: `${port}`,
      DATABASE_URL: `sqlite:${file}`,
      LOG_REQUESTS: 'none',
    },
  });
  const api = new Client({ port, key: KEY });
  const isLive = () =>
    api.get('/live').then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isLive())) {
    if (child.exitCode !== null) throw new Error(`the service ended while starting: ${output.stderr}`);
    await delay(50);
  }
  const stop = async (): Promise<void> => {
    api.close();
    child.kill('SIGTERM');
    expect(await exit).toEqual({ code: 0, signal: null });
  };
  return { api, output, stop };
}

describe('the first start', () => {
  it(
    'prints the addresses and one key with a working curl command',
    async () => {
      const file = newDatabaseFile();
      const service = await startService(file, NO_KEYS);
      const { stdout } = service.output;
      const address = `http://127.0.0.1:${service.port}`;
      const key = keyIn(stdout)!;
      expect(stdout.split('\n').slice(0, 2)).toEqual([`Pet Store  ${address}/v1`, `Swagger UI ${address}/docs`]);
      expect(stdout).toMatch(/^Database .*pets\.sqlite$/m);
      expect(stdout).toMatch(/^API key +pets_\w+ /m);
      expect(new Set(stdout.match(new RegExp(KEY_TEXT, 'g')))).toEqual(new Set([key]));
      expect(await paste(curlLine(service))).toEqual([]);
      expect((await service.api.get('/v1/pets', { key })).status).toBe(200);
      await stopService(service);
    },
    TIME,
  );

  it.each<[string, (file: string) => void]>([
    ['is missing', () => undefined],
    ['is empty', (file) => writeFileSync(file, '')],
  ])(
    'logs that it creates the database when the file %s, and no later start does',
    async (_, prepare) => {
      const file = newDatabaseFile();
      prepare(file);
      const created = `"context":"Database","msg":"The database ${file} was missing or empty, so a new one was created."`;
      for (const times of [1, 0]) {
        const service = await startService(file, { LOG_LEVEL: 'info' });
        await stopService(service);
        expect(service.output.stderr.split(created)).toHaveLength(1 + times);
      }
    },
    TIME,
  );

  it(
    'creates files that only their owner can read',
    async () => {
      const file = newDatabaseFile();
      const service = await startService(file, NO_KEYS);
      const modes = ['', '-wal', '-shm'].map((suffix) => (statSync(`${file}${suffix}`).mode & 0o777).toString(8));
      expect(modes).toEqual(['600', '600', '600']);
      await stopService(service);
    },
    TIME,
  );

  it(
    'creates files that their owner can read and write, whatever the umask is',
    async () => {
      const file = join(dirname(newDatabaseFile()), 'data/pets.sqlite');
      const service = await startInShell(file, 'umask 0777; exec "$0" "$1"');
      const modes = ['', '-wal', '-shm', '-lock'].map((suffix) => statSync(`${file}${suffix}`).mode & 0o777);
      expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
      expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
      await service.stop();
    },
    TIME,
  );

  it(
    'works on a file system that refuses every change of a mode, with the usual umask',
    async () => {
      const file = join(dirname(newDatabaseFile()), 'data/pets.sqlite');
      const service = await startService(file, { ...NO_KEYS, NODE_OPTIONS: `--import=${NO_CHMOD}` });
      expect(['', '-lock'].map((suffix) => statSync(`${file}${suffix}`).mode & 0o777)).toEqual([0o600, 0o600]);
      expect(await paste(curlLine(service))).toEqual([]);
      await stopService(service);
    },
    TIME,
  );

  it.each([
    ['a full disk', 'exec "$0" "$1" >/dev/full'],
    ['a pipe without a reader', 'mkfifo out; true <out & exec >out; wait; exec "$0" "$1"'],
  ])(
    'serves without its greeting, and removes the key that was never shown, when standard output is %s',
    async (_, script) => {
      const file = newDatabaseFile();
      const first = await startInShell(file, script);
      expect((await first.api.get('/v1/pets')).status).toBe(401);
      await first.stop();
      const lines = first.output.stderr.split('\n').slice(0, -1);
      expect(
        lines.map((line) => JSON.parse(line) as { context?: string }).filter(({ context }) => context === 'Start'),
      ).toEqual([
        expect.objectContaining({
          level: 50,
          msg: 'Standard output cannot be written, so the greeting is lost, and its API key was removed: create one with "npm run keys -- create NAME", or restart the service with another standard output.',
        }),
      ]);
      const next = await startService(file, NO_KEYS);
      expect(await paste(curlLine(next))).toEqual([]);
      await stopService(next);
    },
    TIME,
  );

  it(
    'serves, and names the key to revoke, when it can neither print nor remove it',
    async () => {
      const file = newDatabaseFile();
      const config = patientConfig(`sqlite:${file}`);
      const dataSource = await openDatabase(createDataSource, config, { migrate: false });
      await rejectWrites(dataSource, 'DELETE', 'api_keys');
      await dataSource.destroy();
      const service = await startInShell(file, 'exec "$0" "$1" >/dev/full');
      while (!service.output.stderr.includes('could not be removed')) await delay(20);
      expect((await service.api.get('/v1/pets')).status).toBe(401);
      await service.stop();
      const lines = service.output.stderr.split('\n').slice(0, -1);
      expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
        expect.objectContaining({
          level: 50,
          context: 'Start',
          reason: expect.stringMatching(/\bno$/),
          msg: 'Standard output cannot be written, so the greeting is lost, and its API key could not be removed: run "npm run keys -- revoke first", then create one with "npm run keys -- create NAME".',
        }),
      );
      expect((await runCommand(file, ['src/commands/keys.js', 'revoke', 'first'])).code).toBe(0);
    },
    TIME,
  );

  it(
    'is the only start that prints a key, and the key stays valid',
    async () => {
      const file = newDatabaseFile();
      const first = await startService(file, NO_KEYS);
      const key = keyIn(first.output.stdout)!;
      await stopService(first);
      const second = await startService(file, NO_KEYS);
      expect(second.output.stdout).not.toMatch(/key|curl/i);
      expect((await second.api.get('/v1/pets', { key })).status).toBe(200);
      await stopService(second);
    },
    TIME,
  );

  it(
    'is the only start that creates a key, even after all keys have been revoked',
    async () => {
      const file = newDatabaseFile();
      const first = await startService(file, NO_KEYS);
      const key = keyIn(first.output.stdout)!;
      await stopService(first);
      expect((await runCommand(file, ['src/commands/keys.js', 'revoke', 'first'])).code).toBe(0);
      const second = await startService(file, NO_KEYS);
      expect(second.output.stdout).not.toMatch(/key|curl/i);
      expect((await second.api.get('/v1/pets', { key })).status).toBe(401);
      await stopService(second);
      const { stdout } = await runCommand(file, ['src/commands/keys.js', 'list', '--json']);
      expect(JSON.parse(stdout)).toEqual([
        { name: 'first', createdAt: expect.any(String), revokedAt: expect.any(String) },
      ]);
    },
    TIME,
  );

  it(
    'creates no key when keys are configured',
    async () => {
      const file = newDatabaseFile();
      const first = await startService(file);
      expect(first.output.stdout).not.toMatch(/key|curl/i);
      await stopService(first);
      const second = await startService(file, NO_KEYS);
      expect(keyIn(second.output.stdout)).toBeDefined();
      await stopService(second);
    },
    TIME,
  );

  it(
    'never writes the key to the log or to a file',
    async () => {
      const file = newDatabaseFile();
      const service = await startService(file, { ...NO_KEYS, LOG_LEVEL: 'trace' });
      const key = keyIn(service.output.stdout)!;
      await service.api.get('/v1/pets', { key });
      await service.api.post('/v1/pets', '{', { key });
      await service.api.get('/v1/pets', { key: `${key}x` });
      await service.api.get(`/v1/pets/${key}`, { key });
      const stored = (): string =>
        readdirSync(dirname(file))
          .map((name) => readFileSync(join(dirname(file), name), 'latin1'))
          .join('');
      expect(stored()).not.toContain(key);
      await stopService(service);
      expect(stored()).not.toContain(key);
      // The first part of the key must not leak either.
      expect(service.output.stderr).not.toContain(key.slice(0, 20));
    },
    TIME,
  );

  it(
    'creates no key when it cannot listen, so that the next start prints one',
    async () => {
      const file = newDatabaseFile();
      const { code, stdout } = await withOccupiedPort((port) => runService(file, { ...NO_KEYS, PORT: String(port) }));
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      const next = await startService(file, NO_KEYS);
      expect(keyIn(next.output.stdout)).toBeDefined();
      expect(await paste(curlLine(next))).toEqual([]);
      await stopService(next);
    },
    TIME,
  );

  const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === '::1'),
  );

  it.each(['localhost', ...(hasIpv6 ? ['::1'] : [])])(
    'prints a working curl command when HOST is %s',
    async (host) => {
      const service = await startService(newDatabaseFile(), { ...NO_KEYS, HOST: host });
      expect(await paste(curlLine(service))).toEqual([]);
      await stopService(service);
    },
    TIME,
  );
});
