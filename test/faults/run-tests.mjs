import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What Jest and our own helpers report when a test waits in vain. */
const TIMEOUT = /Exceeded timeout of|The test killed this process after|the service does not listen/;

/** Milliseconds after which the tests of one file count as hanging, and what each further file adds. */
const LIMIT = 600_000;
const LIMIT_PER_FILE = 60_000;

/**
 * Runs test files of the working copy, or only the tests whose full name contains one of the texts. Returns each test
 * that ran: its full name, whether it failed, and whether it did so by waiting in vain. A run without results, because it took
 * longer than `limit` or Jest failed, is one failure with `isRun`.
 */
export async function runTests(copy, engine, files, names = [], limit = LIMIT + LIMIT_PER_FILE * (files.length - 1)) {
  const args = [`--engine=${engine}`, ...files];
  if (names.length > 0) args.push(`--testNamePattern=${names.map(escaped).join('|')}`);
  const { testResults, isTimeout, log } = await run(copy, args, limit);
  if (!testResults) {
    const message = isTimeout ? `It took longer than ${limit / 1000} s.` : log.slice(-2000);
    return [{ name: 'the test run', isRun: true, isFailed: true, isTimeout, message }];
  }
  return testResults.flatMap(testsOf);
}

/** The results of Jest, by file, unless it failed or took too long, and what it logged. */
async function run({ directory }, selection, limit) {
  const output = join(directory, 'test-results.json');
  rmSync(output, { force: true });
  // A cache of its own, which is removed with the copy.
  const cache = `--cacheDirectory=${join(directory, 'jest-cache')}`;
  const args = ['test/run.mjs', ...selection, '--json', `--outputFile=${output}`, cache];
  const flags = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules'];
  // A group of its own: a worker in an endless loop would survive the end of Jest.
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  // Ctrl-C reaches no other group. Before the directory is removed, in which the tests write.
  process.prependListener('exit', end);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
  let isTimeout = false;
  const timer = setTimeout(() => {
    isTimeout = true;
    end();
  }, limit);
  await once(child, 'close');
  clearTimeout(timer);
  process.removeListener('exit', end);
  const testResults =
    existsSync(output) && !isTimeout ? JSON.parse(readFileSync(output, 'utf8')).testResults : undefined;
  return { testResults, isTimeout, log };
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
