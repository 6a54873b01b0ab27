import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { createDataSource } from '../../../src/data-source.js';
import { SqliteLock } from '../../../src/platform/database/sqlite/files/sqlite-lock.js';
import { sqliteFile } from '../../../src/platform/database/sqlite/sqlite.js';
import { runCommand, spawnService, startService, stopService } from '../../support/built-service.js';
import { lastMigrations, undoAll } from '../../support/migrated.js';
import { patientConfig } from '../../support/databases/time-limits.js';
import { newDatabaseFile, TIME } from '../starts.js';

const MIGRATE = ['commands/migrate.js'];
const PROCESSES = 6;
// On a slow machine, a process waits longer than the seconds after which it says so.
const END = { code: 0, signal: null, stderr: expect.stringMatching(/^(Waiting for [^\n]+\n)*$/) };

const WAITING = 'Waiting for another process that migrates the database; end it if it hangs.\n';

/** Waits for something on standard error, or for a minute. */
async function untilWritten(output: { readonly stderr: string }): Promise<void> {
  for (const end = Date.now() + 60_000; output.stderr === '' && Date.now() < end;) await delay(50);
}

describe('npm run migrate of several processes', () => {
  it(
    'creates a new database once, and the others wait',
    async () => {
      const names = (await lastMigrations('sqlite:unused')).toReversed().join(', ');
      for (let round = 0; round < 3; round += 1) {
        const file = newDatabaseFile();
        const path = sqliteFile(file);
        const ends = await Promise.all(Array.from({ length: PROCESSES }, () => runCommand(file, MIGRATE)));
        expect(ends.toSorted((a, b) => a.stdout.localeCompare(b.stdout))).toEqual([
          { ...END, stdout: `Ran ${names}; the database ${path} is up to date.\n` },
          ...Array.from({ length: PROCESSES - 1 }, () => ({
            ...END,
            stdout: `The database ${path} was up to date; no migration ran.\n`,
          })),
        ]);
        await stopService(await startService(file));
      }
    },
    TIME,
  );

  it(
    'lets npm run keys wait for a database that another process creates',
    async () => {
      const file = newDatabaseFile();
      await runCommand(file, MIGRATE);
      await undoAll(`sqlite:${file}`, (await lastMigrations(`sqlite:${file}`))[0]);
      // As between two of its migrations.
      const lock = SqliteLock.takeToMigrate(sqliteFile(file));
      const { output, exit } = await spawnService(file, {}, ['commands/keys.js', 'create', 'app']);
      await untilWritten(output);
      expect(output.stderr).toBe(WAITING);
      const dataSource = await createDataSource(patientConfig(`sqlite:${file}`));
      await dataSource.initialize();
      await dataSource.runMigrations();
      await dataSource.destroy();
      lock?.release();
      expect(await exit).toEqual({ code: 0, signal: null });
      expect(output.stdout).toMatch(/^pets_\w+\n$/);
    },
    TIME,
  );

  it(
    'reports after some seconds that it waits, and then continues',
    async () => {
      const file = newDatabaseFile();
      await runCommand(file, MIGRATE);
      const [last] = await lastMigrations(`sqlite:${file}`);
      await runCommand(file, [...MIGRATE, '--undo', last!]); // The service has several.
      const lock = SqliteLock.takeToMigrate(sqliteFile(file));
      const { output, exit } = await spawnService(file, {}, ['src/commands/migrate.js']);
      await untilWritten(output);
      lock?.release();
      expect(await exit).toEqual({ code: 0, signal: null });
      expect(output).toEqual({
        stderr: WAITING,
        stdout: `Ran ${last}; the database ${sqliteFile(file)} is up to date.\n`,
      });
    },
    TIME,
  );
});
