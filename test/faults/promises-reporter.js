import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { selectFaults, withoutTest } from './select-faults.mjs';
import { isWholeRun } from '../support/run/whole-run.js';

const isTestFile = (name) => /\.(e2e-)?spec\.ts$/.test(name);

/** A run fails if a row of test/faults/faults names a test that its files do not contain. */
export default class PromisesReporter {
  #globalConfig;
  #error;

  constructor(globalConfig) {
    this.#globalConfig = globalConfig;
  }

  async onRunComplete(_, { testResults }) {
    if (!isWholeRun(this.#globalConfig)) return;
    const ran = testResults.map(({ testFilePath, testResults: tests }) => ({
      path: testFilePath,
      names: tests.map(({ fullName }) => fullName),
    }));
    const paths = new Set(ran.map(({ path }) => path));
    const { rootDir } = this.#globalConfig;
    const leftOut = ['test', 'client/test']
      .flatMap((folder) =>
        readdirSync(join(rootDir, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
          join(rootDir, folder, name),
        ),
      )
      .filter((path) => isTestFile(path) && !paths.has(path));
    const problems = withoutTest(await selectFaults([]), ran, leftOut);
    if (problems.length === 0) return;
    this.#error = new Error(`Faults without a test:\n  ${problems.join('\n  ')}`);
    console.error(`\n${this.#error.message}`);
  }

  getLastError() {
    return this.#error;
  }
}
