import { expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Fault {
  readonly area: string;
  readonly mistake: string;
  readonly tests: string;
  readonly promise: string;
}

interface TestFile {
  readonly path: string;
  readonly names: readonly string[];
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { problemsOf, selectFaults, withoutTest } = (await import(
  new URL('../../faults/select-faults.mjs', import.meta.url).href
)) as {
  readonly selectFaults: (patterns: readonly string[]) => Promise<Fault[]>;
  readonly problemsOf: (faults: readonly Fault[], copy: { read(file: string): string }) => string[];
  readonly withoutTest: (faults: readonly Fault[], ran: readonly TestFile[], leftOut: readonly string[]) => string[];
};

it('each fault of npm run test:faults fits the code', async () => {
  const read = (file: string): string => (existsSync(ROOT + file) ? readFileSync(ROOT + file, 'utf8') : '');
  expect(problemsOf(await selectFaults([]), { read })).toEqual([]);
});

it('each fault of npm run test:faults names test files that exist', async () => {
  const files = ['test', 'client/test'].flatMap((folder) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const missing = (await selectFaults([])).filter(({ tests }) => !files.some((file) => file.includes(tests)));
  expect(missing.map(({ mistake, tests }) => `${mistake}: ${tests}`)).toEqual([]);
});

it('no two faults have the same name', async () => {
  const names = (await selectFaults([])).map(({ mistake, tests }) => `${mistake}: ${tests}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it.each<[string, string, string[], string[]]>([
  [
    'fails for a promise that no test has',
    'GET / returns pets',
    [],
    ['pets: none: no test in api/list has the name "x"'],
  ],
  ['passes a promise that a test has', 'GET / returns x', [], []],
  // As those with long tests, which a daily run leaves out.
  [
    'passes a promise that may be in a file that did not run',
    'GET / returns pets',
    ['/test/api/list.long.e2e-spec.ts'],
    [],
  ],
])('a run of all tests %s', (_, name, leftOut, problems) => {
  const fault = { area: 'pets', mistake: 'none', tests: 'api/list', promise: 'x' };
  expect(withoutTest([fault], [{ path: '/test/api/list.e2e-spec.ts', names: [name] }], leftOut)).toEqual(problems);
});
