import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { errorMessageOf, runCommand, temporaryDirectory } from '../../support/built-service.js';
import { canMountDisk, SmallDisk } from '../../support/databases/small-disk.js';

const describeOnSmallDisk = canMountDisk() ? describe : describe.skip;

describeOnSmallDisk('a command whose SQLite file is on a full disk', () => {
  let disk: SmallDisk;
  let file: string;

  beforeAll(() => {
    disk = new SmallDisk(1);
    file = join(disk.directory, 'pets.sqlite');
  });

  afterAll(() => disk.remove());

  it('says to free space: seed', async () => {
    expect((await runCommand(file, ['commands/migrate.js'])).code).toBe(0);
    const end = await runCommand(file, ['commands/seed.js', '--pets', '50000']);
    expect(end.code).toBe(1);
    expect(end.stderr).toMatch(
      /^The database is unavailable; free space on its disk \(SQLITE_FULL: database or disk is full\)\.$/m,
    );
  }, 120_000);

  it('says to free space: backup', async () => {
    const from = join(temporaryDirectory(), 'pets.sqlite');
    expect((await runCommand(from, ['commands/migrate.js'])).code).toBe(0);
    disk.fill();
    const end = await runCommand(from, ['commands/backup.js', '--to', join(disk.directory, 'copy.sqlite')]);
    disk.free();
    expect(errorMessageOf(end)).toMatch(
      /^The database \S+ cannot be backed up: database or disk is full; free space in \S+\/disk-\w+\.$/,
    );
  }, 120_000);

  it.each([['commands/migrate.js'], ['main.js']])(
    'says to free space: %s',
    async (command) => {
      disk.fill();
      const end = await runCommand(join(disk.directory, `${command.length}.sqlite`), [command]);
      disk.free();
      expect(errorMessageOf(end)).toMatch(
        /^The database \S+ cannot be opened: SQLITE_FULL: database or disk is full; free space on its disk\.$/,
      );
    },
    120_000,
  );
});
