import { describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWithPackage } from '../../support/build-with.js';
import { errorMessageOf, runCommand } from '../../support/built-service.js';
import { checkPgVersion } from '../../../src/platform/database/postgres/check-pg-version.js';

/** Milliseconds for a process, and possibly a build, on a busy machine. */
const TIME = 240_000;

const errorFor = (version: string): string =>
  `This release requires pg >=8.23 <9, but pg ${version} is installed; run "npm ci".`;

/** The path of a command in a copy of the build with another version of `pg`. */
async function migrateWithPg(version: string): Promise<string> {
  const copy = await buildWithPackage('pg', (pg) => {
    const manifest = join(pg, 'package.json');
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), version }));
  });
  return join(copy, 'dist/src/commands/migrate.js');
}

describe('the version of pg', () => {
  it.each(['8.23.0', '8.23.1', '8.100.0'])('may be %s', (version) => {
    expect(() => checkPgVersion(version)).not.toThrow();
  });

  it.each(['7.18.2', '8.0.3', '8.22.9', '9.0.0', '9.23.1', '80.23.1'])('must not be %s', (version) => {
    expect(() => checkPgVersion(version)).toThrow(errorFor(version));
  });

  it('is supported when installed as package.json declares', () => {
    expect(() => checkPgVersion()).not.toThrow();
  });

  it(
    'prevents the start on PostgreSQL when it is not supported, but not the start on SQLite',
    async () => {
      const migrate = await migrateWithPg('9.0.0');
      expect(errorMessageOf(await runCommand(process.env.TEST_POSTGRES_URL!, [migrate]))).toBe(errorFor('9.0.0'));
      expect(await runCommand('pets.sqlite', [migrate])).toMatchObject({ code: 0, stderr: '' });
    },
    TIME,
  );
});
