import { selectFaults, withoutTest } from './select-faults.mjs';
import { isWholeRun } from '../support/run/whole-run.js';

/** A run of all tests fails if a row of test/faults/faults names a test that its files do not contain. */
export default class PromisesReporter {
  #globalConfig;
  #error;

  constructor(globalConfig) {
    this.#globalConfig = globalConfig;
  }

  async onRunComplete(_, { testResults }) {
    // The daily suite lacks the long tests, which some rows name.
    if (process.env.TEST_EFFORT !== 'full' || !isWholeRun(this.#globalConfig)) return;
    const files = testResults.map(({ testFilePath, testResults: tests }) => ({
      path: testFilePath,
      names: tests.map(({ fullName }) => fullName),
    }));
    const problems = withoutTest(await selectFaults([]), files);
    if (problems.length === 0) return;
    this.#error = new Error(`Faults without a test:\n  ${problems.join('\n  ')}`);
    console.error(`\n${this.#error.message}`);
  }

  getLastError() {
    return this.#error;
  }
}
