import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The files that `test/run.mjs` selects, without duplicates for the second database. */
async function selected(...args: readonly string[]): Promise<string[]> {
  const flags = ['--experimental-vm-modules', '--no-warnings', 'test/run.mjs', '--listTests', ...args];
  // Keep the selection of this run away from the run under test.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TEST_')));
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: ROOT, env });
  return stdout
    .split('\n')
    .filter((line) => line.startsWith(ROOT))
    .map((line) => line.slice(ROOT.length))
    .toSorted();
}

describe('test/run.mjs', () => {
  it('skips long files when no pattern is given', async () => {
    const files = await selected();
    expect(files).toContain('test/process/migrations.e2e-spec.ts');
    expect(files.filter((file) => file.includes('.long.'))).toEqual([]);
  });

  it.each<[string, string[], string[]]>([
    ['a pattern selects a long file', ['copy/db-copy-memory'], ['test/postgres/copy/db-copy-memory.long.e2e-spec.ts']],
    [
      "Jest's own option for a pattern selects a long file",
      ['--testPathPatterns=crash.long'],
      ['test/process/crash.long.e2e-spec.ts'],
    ],
    ['--all selects a long file', ['--all', 'project/image'], ['test/project/image.long.spec.ts']],
    ['--engine passes a pattern on to Jest', ['--engine=sqlite', 'unit/progress'], ['test/unit/progress.spec.ts']],
    ['--engine skips files of the other database', ['--engine=sqlite', 'postgres/plans'], []],
  ])('%s: %j', async (_, args, files) => {
    expect(await selected(...args)).toEqual(files);
  });

  it('leaves out on PostgreSQL only tests of one engine, of the repository, and those that use no database', async () => {
    const onPostgres = new Set(await selected('--all', '--engine=postgres'));
    const left = (await selected('--all', '--engine=sqlite')).filter(
      (file) => file.endsWith('.e2e-spec.ts') && !onPostgres.has(file) && !/^test\/(process|project)\//.test(file),
    );
    expect(left.length).toBeGreaterThan(20);
    const uses = /database|repository|transaction|\/pets\b|listPets|createPet|getPet/i;
    const using = left.filter((file) => uses.test(readFileSync(ROOT + file, 'utf8')));
    expect(using).toEqual([]);
  });
});
