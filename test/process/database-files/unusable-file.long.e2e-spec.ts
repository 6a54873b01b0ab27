import { describe, expect, it } from '@jest/globals';
import { join, resolve } from 'node:path';
import {
  build,
  type End,
  errorMessageOf,
  runCommand,
  spawnProcess,
  temporaryDirectory,
} from '../../support/built-service.js';

/** Milliseconds for a few processes and possibly the build. */
const TIME = 240_000;

/** Runs a command by a script for the shell, which gets it in $0 and $@. */
async function inShell(script: string, file: string, ...args: string[]): Promise<End> {
  const { output, exit } = spawnProcess('sh', ['-c', script, process.execPath, ...args], {
    cwd: resolve(await build(), 'dist/src/commands'),
    env: { PATH: process.env.PATH, DATABASE_URL: `sqlite:${file}` },
  });
  return { ...(await exit), ...output };
}

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
    'a disk that takes no more, and a report that cannot be printed',
    async () => {
      const file = join(temporaryDirectory(), 'pets.sqlite');
      const seed = await inShell('exec "$0" "$@" >/dev/full', file, 'seed.js', '--pets', '3');
      expect({ code: seed.code, message: seed.stderr.trimEnd().split('\n').at(-1) }).toEqual({
        code: 1,
        message: 'The command has done its work, but standard output cannot be written; do not run it again.',
      });
      const migrate = await inShell('exec "$0" "$@" >/dev/full', file, 'migrate.js');
      expect(errorMessageOf(migrate)).toMatch(/^The command has done its work, /);
      const help = await inShell('exec "$0" "$@" >/dev/full', file, 'migrate.js', '--help');
      expect(errorMessageOf(help)).toBe('Standard output cannot be written; use another one.');
      // No file may grow.
      const full = await inShell('ulimit -f 0; exec "$0" "$@"', file, 'keys.js', 'revoke', 'shop');
      expect(errorMessageOf(full)).toMatch(
        /^The database \S+ cannot be written \(SQLITE_IOERR\w*\); free space on its disk, or repair the disk\.$/,
      );
    },
    TIME,
  );
});
