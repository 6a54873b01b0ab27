import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** The scripts of package.json that run a file of this repository, not one that the build writes. */
const SCRIPTS = Object.values(scripts).flatMap(
  (script) => /^node (?:--\S+ )*(?!dist\/)(\S+\.mjs)$/.exec(script)?.[1] ?? [],
);
const MEASUREMENTS = ['bench/transactions/transactions.mjs', 'bench/commit-pages.mjs', 'bench/contract-checks.mjs'];

function run(file: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', file, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function refusalOf(file: string, ...args: readonly string[]): string {
  const { stderr, ...rest } = run(file, ...args);
  expect(rest).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^[^\n]+\.\n$/);
  return stderr.trimEnd();
}

it('covers the commands of package.json', () => {
  expect(SCRIPTS).toEqual(expect.arrayContaining(['bench/run.mjs', 'test/run.mjs', 'tools/contract-diff/run.mjs']));
});

describe.each([...new Set(SCRIPTS), ...MEASUREMENTS])('%s', (file) => {
  it('prints its help and exits with 0', () => {
    expect(run(file, '--help')).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Usage: (npm|node) .*\n\n/),
      stderr: '',
    });
  });

  // Jest reports unknown options itself.
  if (file !== 'test/run.mjs') {
    it('rejects an unknown option with one sentence and 2', () => {
      expect(refusalOf(file, '--nonsense')).toMatch(/^Unknown option '--nonsense': .* --help lists the options\.$/);
    });
  }
});

it.each([
  ['test/run.mjs --engine=mysql', '--engine must be sqlite or postgres, not "mysql".'],
  ['test/faults/run.mjs no-such-fault', 'No fault matches no-such-fault.'],
  ['test/faults/run.mjs (', 'Unterminated group.'],
  ['test/node/run.mjs', 'Name a release of Node: npm run test:node -- 24, for example.'],
  ['test/node/run.mjs new', 'The release must be a number such as 24 or 24.11.0, not "new".'],
  ['test/node/run.mjs 24 --example unit', 'With --example, npm run test:node takes no other argument.'],
  ['test/scale/run.mjs --minutes soon', '--minutes must be a positive number, not "soon".'],
  ['test/scale/run.mjs constructor', 'Unknown item "constructor"; choose from '],
  ['test/scale/cluster/trial.mjs --rounds 0', '--rounds must be a whole number of at least 1, not "0".'],
  ['bench/run.mjs --pets -5', "Option '--pets' argument is ambiguous: npm run bench -- --help lists the options."],
  ['bench/run.mjs --rounds 1 --rounds 2', 'The option --rounds is given twice; give it once.'],
  ['bench/run.mjs --rounds 1.5', '--rounds must be a whole number of at least 1, not "1.5".'],
  ['bench/run.mjs --generator ab', '--generator must be wrk or autocannon, not "ab".'],
  ['bench/run.mjs --growth --quick', '--growth and --quick are mutually exclusive.'],
  ['bench/run.mjs --quick --rounds 1', '--quick requires at least 2 --rounds: one round does not show the noise.'],
  ['bench/run.mjs --peers mine', 'Unknown peers on sqlite: mine; choose from '],
  ['bench/run.mjs --against mine', '--against must be NAME=FILE, not "mine".'],
  ['bench/run.mjs --variant mine=FILE', '--variant must be NAME=VARIABLE=VALUE, not "mine=FILE".'],
  ['bench/transactions/transactions.mjs --rounds x', '--rounds must be a whole number of at least 1, not "x".'],
  ['bench/transactions/transactions.mjs --url mysql://a', '--url must be the address of a PostgreSQL database.'],
])('%s is rejected with 2 and what to do', (command, sentence) => {
  const [file = '', ...args] = command.split(' ');
  expect(refusalOf(file, ...args)).toContain(sentence);
});
