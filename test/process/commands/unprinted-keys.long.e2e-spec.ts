import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiKeys, type ApiKeyStatus } from '../../../src/auth/api-keys.js';
import { createDataSource } from '../../../src/data-source.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { errorMessageOf, runCommand, runInShell, temporaryDirectory } from '../../support/built-service.js';
import { createDatabase } from '../../support/databases/databases.js';
import { rejectWrites } from '../../support/outages.js';
import { patientConfig } from '../../support/databases/time-limits.js';

/** Milliseconds for a few processes and possibly the build. */
const TIME = 240_000;
const COMMAND = 'src/commands/keys.js';

const FULL_DISK = 'exec "$0" "$@" >/dev/full';
const NO_READER = 'mkfifo out; true <out & exec >out; wait; exec "$0" "$@"';
const NO_ERROR_READER = 'mkfifo out; true <out & exec 2>out; wait; exec "$0" "$@"';
/** Takes ten bytes of a line; blocks of `ulimit` have 512 bytes. The database stays below that size. */
const ALMOST_FULL = 'truncate -s 51199990 out; ulimit -f 100000; exec "$0" "$@" >>out';

async function errorInShell(script: string, database: string, ...args: string[]): Promise<string> {
  return errorMessageOf(await runInShell(script, database, [COMMAND, ...args]));
}

async function withKeys<T>(databaseUrl: string, work: (keys: ApiKeys) => Promise<T>): Promise<T> {
  const dataSource = await openDatabase(createDataSource, patientConfig(databaseUrl), { migrate: false });
  try {
    return await work(new ApiKeys(dataSource));
  } finally {
    await dataSource.destroy();
  }
}

const listed = (databaseUrl: string): Promise<ApiKeyStatus[]> => withKeys(databaseUrl, (keys) => keys.list());

describe('npm run keys without a standard error', () => {
  it(
    'prints the new key, and succeeds',
    async () => {
      const { url } = await createDatabase();
      const { code, stdout } = await runInShell(NO_ERROR_READER, url, [COMMAND, 'create', 'bob']);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^pets_\w+\n$/)]);
      expect(await listed(url)).toEqual([expect.objectContaining({ name: 'bob' })]);
    },
    TIME,
  );
});

describe('npm run keys without a standard output', () => {
  let database: string;

  beforeAll(async () => {
    ({ url: database } = await createDatabase());
    await withKeys(database, (keys) => keys.create('app'));
  }, TIME);

  it.each([
    ['a full disk', FULL_DISK],
    ['a pipe without a reader', NO_READER],
  ])(
    'removes the key that it could not print on %s, so that its name is free',
    async (_, script) => {
      for (const json of [[], ['--json']]) {
        expect(await errorInShell(script, database, 'create', 'bob', ...json)).toBe(
          'Standard output cannot be written, so the new key "bob" was removed; create it again with another standard output.',
        );
      }
      expect(await listed(database)).toEqual([expect.objectContaining({ name: 'app' })]);
    },
    TIME,
  );

  it(
    'removes a key that the disk took only in part',
    async () => {
      const folder = temporaryDirectory();
      expect(errorMessageOf(await runInShell(ALMOST_FULL, database, [COMMAND, 'create', 'bob'], folder))).toMatch(
        /^Standard output cannot be written, so the new key "bob" was removed; /,
      );
      expect(readFileSync(join(folder, 'out')).subarray(-10).toString()).toMatch(/^pets_\w{5}$/);
      expect(await listed(database)).toEqual([expect.objectContaining({ name: 'app' })]);
    },
    TIME,
  );

  it(
    'says that a rotated key is lost, and keeps it, so that it can be rotated again',
    async () => {
      const { url } = await createDatabase();
      await withKeys(url, (keys) => keys.create('app'));
      expect(await errorInShell(FULL_DISK, url, 'rotate', 'app', '--grace', '0')).toBe(
        'Standard output cannot be written, so the new key "app" is lost, and the previous ones end all the same; rotate it again with another standard output.',
      );
      const [, lost] = await listed(url);
      expect(lost).toEqual({ name: 'app', createdAt: expect.any(Date) });
      expect((await runCommand(url, [COMMAND, 'rotate', 'app', '--grace', '0'])).stdout).toMatch(/^pets_\w+\n$/);
    },
    TIME,
  );

  it(
    'says how to free the name of a key that it can neither print nor remove',
    async () => {
      const { url } = await createDatabase();
      const dataSource = await openDatabase(createDataSource, patientConfig(url), { migrate: false });
      await rejectWrites(dataSource, 'DELETE', 'api_keys');
      await dataSource.destroy();
      const { code, stderr } = await runInShell(FULL_DISK, url, [COMMAND, 'create', 'bob']);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^Standard output cannot be written, and the new key "bob" could not be removed \(.*\bno\); revoke it, and create it again with another standard output\.\n$/,
      );
    },
    TIME,
  );

  it(
    'says what it did when it could not print that',
    async () => {
      const { url } = await createDatabase();
      await withKeys(url, (keys) => keys.create('app'));
      expect(await errorInShell(FULL_DISK, url, 'list')).toBe('Standard output cannot be written; choose another one.');
      expect(await errorInShell(FULL_DISK, url, 'revoke', 'app')).toBe(
        'Standard output cannot be written, but "app" is revoked; running services reject it within a second.',
      );
      expect(await listed(url)).toEqual([expect.objectContaining({ name: 'app', revokedAt: expect.any(Date) })]);
    },
    TIME,
  );
});
