import { expect, it } from '@jest/globals';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryDirectory } from '../../support/built-service.js';

interface Copy {
  readonly directory: string;
}

const importOf = (file: string): Promise<unknown> => import(new URL(`../../faults/${file}`, import.meta.url).href);
const { runTests } = (await importOf('run-tests.mjs')) as {
  readonly runTests: (copy: Copy, engine: string, files: string[], names: string[], limit: number) => Promise<unknown>;
};
const { uncaughtWithoutFault } = (await importOf('outcome.mjs')) as {
  readonly uncaughtWithoutFault: (faults: readonly object[], copy: Copy) => Promise<string[]>;
};

/** A copy of a repository with this program instead of that of the tests. */
function copyWith(program: string): Copy {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'test'));
  writeFileSync(join(directory, 'test/run.mjs'), program);
  return { directory };
}

// As a worker of Jest. It ends at last, also if this test fails.
const ENDLESS_WORKER = `
  import { fork } from 'node:child_process';
  import { appendFileSync } from 'node:fs';
  if (process.send) for (const end = Date.now() + 30_000; Date.now() < end;) appendFileSync('beat', '.');
  else fork(process.argv[1], { stdio: 'ignore' });
`;

it('a run of npm run test:faults that takes too long ends with its workers', async () => {
  const copy = copyWith(ENDLESS_WORKER);
  const beat = (): string => readFileSync(join(copy.directory, 'beat'), 'utf8');
  expect(await runTests(copy, 'sqlite', ['unit/a'], [], 5_000)).toEqual([
    { name: 'the test run', isRun: true, isFailed: true, isTimeout: true, message: 'It took longer than 5 s.' },
  ]);
  const last = beat();
  await delay(500);
  expect(beat()).toBe(last);
});

it('npm run test:faults says why the tests without a fault have no results', async () => {
  const copy = copyWith('process.stderr.write("Jest cannot read its configuration."); process.exitCode = 1;');
  const faults = ['a', 'b'].map((promise) => ({ area: 'pets', mistake: 'none', tests: 'unit/a', promise }));
  expect(await uncaughtWithoutFault(faults, copy)).toEqual([
    'The run of the tests on sqlite without a fault has no results: Jest cannot read its configuration.',
  ]);
});
