import { describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessageOf, runCommand, runInShell, temporaryDirectory } from '../../support/built-service.js';

/** Milliseconds for a few processes and possibly the build. */
const TIME = 240_000;

describe('a command reports its cause in one sentence:', () => {
  it(
    'a directory instead of a database',
    async () => {
      const folder = temporaryDirectory();
      expect(errorMessageOf(await runCommand(folder, ['src/commands/keys.js', 'create', 'shop']))).toBe(
        `The database ${folder} is a directory; name a file in DATABASE_URL.`,
      );
    },
    TIME,
  );

  it(
    'an empty file instead of a database whose migration is undone, and leaves it empty',
    async () => {
      const file = join(temporaryDirectory(), 'pets.sqlite');
      writeFileSync(file, '');
      expect(errorMessageOf(await runCommand(file, ['src/commands/migrate.js', '--undo']))).toBe(
        `The database ${file} is empty; restore it from a backup, or correct DATABASE_URL.`,
      );
      expect(readFileSync(file)).toHaveLength(0);
    },
    TIME,
  );

  it(
    'a disk that takes no more, and a report that cannot be printed',
    async () => {
      const file = join(temporaryDirectory(), 'pets.sqlite');
      const seed = await runInShell('exec "$0" "$@" >/dev/full', file, ['src/commands/seed.js', '--pets', '3']);
      expect({ code: seed.code, message: seed.stderr.trimEnd().split('\n').at(-1) }).toEqual({
        code: 1,
        message: 'The command has done its work, but standard output cannot be written; do not run it again.',
      });
      const migrate = await runInShell('exec "$0" "$@" >/dev/full', file, ['src/commands/migrate.js']);
      expect(errorMessageOf(migrate)).toMatch(/^The command has done its work, /);
      const help = await runInShell('exec "$0" "$@" >/dev/full', file, ['src/commands/migrate.js', '--help']);
      expect(errorMessageOf(help)).toBe('Standard output cannot be written; use another one.');
      // No file may grow.
      const full = await runInShell('ulimit -f 0; exec "$0" "$@"', file, ['src/commands/keys.js', 'revoke', 'shop']);
      expect(errorMessageOf(full)).toMatch(
        /^The database \S+ cannot be written \(SQLITE_IOERR\w*\); free space on its disk, or repair the disk\.$/,
      );
    },
    TIME,
  );
});
