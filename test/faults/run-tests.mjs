import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What Jest and our own helpers report when a test waits in vain. */
const TIMEOUT = /Exceeded timeout of|The test killed this process after|the service does not listen/;

/** Milliseconds after which tests count as hanging. */
const LIMIT = 600_000;

/**
 * Runs test files of the working copy, or only the tests whose full name contains one of the texts. Returns each test
 * that ran: its full name, whether it failed, and whether it did so by waiting in vain.
 */
export async function runTests(copy, engine, files, names = []) {
  const args = [`--engine=${engine}`, ...files];
  if (names.length > 0) args.push(`--testNamePattern=${names.map(escaped).join('|')}`);
  const { testResults, log } = await run(copy, args);
  if (!testResults) return [{ name: 'the test run', isFailed: true, isTimeout: true, message: log.slice(-2000) }];
  return testResults.flatMap(testsOf);
}

/** The results of Jest, by file, unless it failed or took too long, and what it logged. */
async function run({ directory }, selection) {
  const output = join(directory, 'test-results.json');
  rmSync(output, { force: true });
  // A cache of its own, which is removed with the copy.
  const cache = `--cacheDirectory=${join(directory, 'jest-cache')}`;
  const args = ['test/run.mjs', ...selection, '--json', `--outputFile=${output}`, cache];
  const flags = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules'];
  const child = spawn(process.execPath, [...flags, ...args], { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
  const timer = setTimeout(() => child.kill(), LIMIT);
  await once(child, 'close');
  clearTimeout(timer);
  return { testResults: existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')).testResults : undefined, log };
}

function testsOf({ status, message, assertionResults }) {
  const ran = assertionResults
    .filter((test) => ['passed', 'failed'].includes(test.status))
    .map((test) => outcome(test.fullName, test.status, test.failureMessages.join('\n')));
  // A file that cannot be loaded has no tests.
  return ran.length === 0 && status === 'failed' ? [outcome('the test file', status, message)] : ran;
}

function outcome(name, status, message) {
  return { name, isFailed: status === 'failed', isTimeout: TIMEOUT.test(message), message };
}

function escaped(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
