import { expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Fault {
  readonly mistake: string;
  readonly tests: string;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { problemsOf, selectFaults } = (await import(
  new URL('../../faults/select-faults.mjs', import.meta.url).href
)) as {
  readonly selectFaults: (patterns: readonly string[]) => Promise<Fault[]>;
  readonly problemsOf: (faults: readonly Fault[], copy: { read(file: string): string }) => string[];
};

it('each fault of npm run test:faults fits the code', async () => {
  const read = (file: string): string => (existsSync(ROOT + file) ? readFileSync(ROOT + file, 'utf8') : '');
  expect(problemsOf(await selectFaults([]), { read })).toEqual([]);
});

it('no two faults have the same name', async () => {
  const names = (await selectFaults([])).map(({ mistake, tests }) => `${mistake}: ${tests}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
