import { beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { chmodSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorMessageOf, runCommand, runInShell, startService, stopService } from '../../support/built-service.js';
import { newDatabaseFile, TIME } from '../starts.js';

const NOBODY = 65_534;
/** Without these rights, root can open only what the modes of files allow, like any other user. */
const AS_OTHERS = process.getuid?.() === 0 ? 'setpriv --bounding-set=-dac_override,-dac_read_search' : '';
/** Only root can give a file to another user. */
const itAsRoot = process.getuid?.() === 0 ? it : it.skip;

let file: string;

beforeEach(async () => {
  file = newDatabaseFile();
  expect(await runCommand(file, ['src/commands/migrate.js'])).toMatchObject({ code: 0 });
}, TIME);

describe('the lock of a database', () => {
  itAsRoot(
    'belongs to the owner of the database when root starts the service',
    async () => {
      for (const path of [file, dirname(file)]) chownSync(path, NOBODY, NOBODY);
      const service = await startService(file);
      const owners = ['', '-wal', '-shm', '-lock', '-lock-journal'].map((suffix) => {
        const { uid, gid } = statSync(`${file}${suffix}`);
        return { suffix, uid, gid };
      });
      expect(owners.filter(({ uid, gid }) => uid !== NOBODY || gid !== NOBODY)).toEqual([]);
      await stopService(service);
    },
    TIME,
  );
});

describe('a start is refused in one sentence that says what to do', () => {
  const startAsOther = () => runInShell(`exec ${AS_OTHERS} "$0" "$@"`, file, ['main.js']);

  it.each(['-lock', '-lock-journal'])(
    'when another user owns pets.sqlite%s',
    async (suffix) => {
      writeFileSync(`${file}-lock`, '');
      writeFileSync(`${file}${suffix}`, '');
      chmodSync(`${file}${suffix}`, 0);
      expect(errorMessageOf(await startAsOther())).toBe(
        `The lock file ${file}-lock cannot be opened (SQLITE_CANTOPEN); give it, and ${file}-lock-journal if it exists, the owner of the database with chown.`,
      );
    },
    TIME,
  );

  it(
    'when the folder of a restored database takes no lock',
    async () => {
      const restored = new Database(file);
      restored.pragma('journal_mode = DELETE');
      restored.close();
      chmodSync(dirname(file), 0o500);
      const end = await startAsOther();
      chmodSync(dirname(file), 0o700);
      expect(errorMessageOf(end)).toBe(
        `The lock file ${file}-lock cannot be created (EACCES); let the user of the service write to its folder.`,
      );
    },
    TIME,
  );
});
