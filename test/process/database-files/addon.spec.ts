import { describe, expect, it } from '@jest/globals';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkAddon } from '../../../src/platform/database/sqlite/check-addon.js';
import { buildWithPackage } from '../../support/build-with.js';
import { errorMessageOf, runCommand, temporaryDirectory } from '../../support/built-service.js';

/** Milliseconds for a process, and possibly a build, on a busy machine. */
const TIME = 240_000;
/** The name of a function that the headers since Node 24.19 make an addon call. */
const HOOK = '\0_ZN4node28RemoveEnvironmentCleanupHookEPN2v87IsolateEPFvPvES3_\0';
const ERROR =
  'The addon of better-sqlite3 was compiled with headers with which Node 24.21.0 may abort; run "npm_config_target=24.18.1 npm rebuild better-sqlite3".';

function addonWith(text: string): string {
  const file = join(temporaryDirectory(), 'addon.node');
  writeFileSync(file, text);
  return file;
}

describe('the addon of SQLite', () => {
  it('may have been compiled with any headers for another release than Node 24', () => {
    for (const version of ['20.20.2', '22.23.3', '26.10.0']) {
      expect(() => checkAddon(version, addonWith(HOOK))).not.toThrow();
    }
  });

  it('must have been compiled with older headers for Node 24', () => {
    expect(() => checkAddon('24.21.0', addonWith(''))).not.toThrow();
    expect(() => checkAddon('24.21.0', addonWith(HOOK))).toThrow(ERROR);
  });

  it('suits this release as it is installed here', () => {
    expect(() => checkAddon()).not.toThrow();
  });

  it(
    'prevents the start on SQLite when it would abort Node 24',
    async () => {
      // Bytes behind the end of the program do not change what it does.
      const copy = await buildWithPackage('better-sqlite3', (folder) =>
        appendFileSync(join(folder, 'build/Release/better_sqlite3.node'), HOOK),
      );
      const versions = `{ value: { ...process.versions, node: '24.21.0' } }`;
      const release = `data:text/javascript,Object.defineProperty(process, 'versions', ${versions})`;
      const env = { NODE_OPTIONS: `--import="${release}"` };
      const end = await runCommand('pets.sqlite', [join(copy, 'dist/main.js')], env);
      expect(errorMessageOf(end)).toBe(ERROR);
    },
    TIME,
  );
});
