import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../support/built-service.js';

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

it('npm builds nothing before a command reads its arguments', () => {
  const own = Object.entries(scripts).filter(([, script]) => SCRIPTS.some((file) => script.endsWith(file)));
  expect(own.map(([name]) => `pre${name}`).filter((name) => name in scripts)).toEqual([]);
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

it.each<readonly string[]>([
  ['test/run.mjs --engine=mysql', '--engine must be sqlite or postgres, not "mysql".'],
  ['test/faults/run.mjs no-such-fault', 'No fault matches no-such-fault.'],
  ['test/faults/run.mjs (', 'Unterminated group.'],
  ['test/node/run.mjs', 'Name a release of Node: npm run test:node -- 24, for example.'],
  ['test/node/run.mjs new', 'The release must be a number such as 24 or 24.11.0, not "new".'],
  ['test/node/run.mjs 24 --example unit', 'With --example, npm run test:node takes no other argument.'],
  ['test/scale/run.mjs --minutes soon', '--minutes must be a positive number, not "soon".'],
  ['test/scale/run.mjs constructor', 'Unknown item "constructor"; choose from '],
  ['test/scale/run.mjs --minutes Infinity', '--minutes must be a positive number, not "Infinity".'],
  ['test/scale/run.mjs outage --minutes 5', '--minutes requires the item mixed-load.'],
  ['test/scale/run.mjs outage outage', 'The item outage is named twice; name it once.'],
  ['test/scale/run.mjs ', 'An argument is empty; give it a value, or omit it.'],
  ['test/scale/cluster/trial.mjs --rounds 0', '--rounds must be a whole number from 1 to 1000000, not "0".'],
  ['bench/run.mjs --pets -5', "Option '--pets' argument is ambiguous: npm run bench -- --help lists the options."],
  ['bench/run.mjs --rounds 1 --rounds 2', 'The option --rounds is given twice; give it once.'],
  ['bench/run.mjs --rounds 1.5', '--rounds must be a whole number from 1 to 1000000, not "1.5".'],
  ['bench/run.mjs --rounds 01 --quick', '--rounds must be a whole number from 1 to 1000000, not "01".'],
  ['bench/run.mjs --seconds 86401', '--seconds must be a whole number from 1 to 86400, not "86401".'],
  ['bench/run.mjs --connections 8,,64', '--connections must be a whole number from 1 to 65535, not "".'],
  ['bench/run.mjs --connections 64,64', '--connections names "64" twice; name it once.'],
  ['bench/run.mjs --baseline=', 'The option --baseline is empty; give it a value, or omit it.'],
  ['bench/run.mjs --json=', 'The option --json is empty; give it a value, or omit it.'],
  ['bench/run.mjs --json bench', '--json must be - or a file that can be written, not "bench".'],
  ['bench/run.mjs --json none/a.json', '--json must be - or a file that can be written, not "none/a.json".'],
  ['bench/run.mjs --json README.md/a.json', '--json must be - or a file that can be written, not "README.md/a.json".'],
  ['bench/run.mjs --pets 5000', '--pets requires --growth.'],
  ['bench/run.mjs --growth --pets 500', '--pets must be a whole number from 1001 to 1000000000, not "500".'],
  ['bench/run.mjs --growth --pets 1000', '--pets must be a whole number from 1001 to 1000000000, not "1000".'],
  ...['--peers ours', '--against new=dist/main.js', '--variant new=LOG_LEVEL=warn'].map((chosen) => [
    `bench/run.mjs --growth ${chosen}`,
    '--growth measures the service only: omit --peers, --against and --variant.',
  ]),
  ['bench/run.mjs --generator ab', '--generator must be wrk or autocannon, not "ab".'],
  ['bench/run.mjs --growth --quick', '--growth and --quick are mutually exclusive.'],
  ['bench/run.mjs --quick --rounds 1', '--quick requires at least 2 --rounds: one round does not show the noise.'],
  ['bench/run.mjs --peers mine', 'Unknown peers on sqlite: mine; choose from '],
  ['bench/run.mjs --peers bare,bare', '--peers names "bare" twice; name it once.'],
  ['bench/run.mjs --peers bare,', 'Unknown peers on sqlite: ""; choose from '],
  ['bench/run.mjs --against mine', '--against must be NAME=FILE, not "mine".'],
  ...['none.js', 'src', 'README.md', 'bench/modes/quick.mjs'].map((file) => [
    `bench/run.mjs --against mine=${file}`,
    `--against must name the dist/main.js of a checkout that is built, not "${file}".`,
  ]),
  ['bench/run.mjs --variant mine=FILE', '--variant must be NAME=VARIABLE=VALUE, not "mine=FILE".'],
  ['bench/run.mjs --variant ours=A=1', 'Two peers are named "ours"; give --against and --variant other names.'],
  [
    'bench/run.mjs --variant new=A=1 --variant new=B=1',
    'Two peers are named "new"; give --against and --variant other names.',
  ],
  [
    'bench/run.mjs --variant new=PORT=1',
    '--variant cannot change PORT, which the benchmark sets; choose another variable.',
  ],
  ['bench/transactions/transactions.mjs --rounds x', '--rounds must be a whole number from 1 to 1000000, not "x".'],
  ['bench/transactions/transactions.mjs --url mysql://a', '--url must be the address of a PostgreSQL database.'],
  ['tools/sbom/run.mjs --out=', 'The option --out is empty; give it a value, or omit it.'],
  ['tools/sbom/run.mjs --out src', '--out must be a file that can be written, not "src".'],
  ['tools/sbom/run.mjs --out README.md/a.json', '--out must be a file that can be written, not "README.md/a.json".'],
  ...['http://a?b', 'http://a#b', 'http://a:b@c'].map((url) => [
    `tools/verify/run.mjs --url ${url} --key d`,
    '--url must be an address without a user, query or fragment.',
  ]),
  ['tools/verify/run.mjs --url http://a --key ключ', '--key and --read-key must be of visible ASCII characters.'],
  ['tools/verify/run.mjs --url http://a --key b --read-key b', '--read-key must be another key than --key: '],
])('%s is rejected with 2 and what to do', (command = '', sentence = '') => {
  const [file = '', ...args] = command.split(' ');
  expect(refusalOf(file, ...args)).toContain(sentence);
});

const UNWRITABLE: [string, string][] = [
  ['on a full disk', 'exec "$0" "$@" >/dev/full'],
  ['without a reader', 'mkfifo "$OUT"; true <"$OUT" & exec >"$OUT"; wait; exec "$0" "$@"'],
];

describe.each(UNWRITABLE)('a command whose standard output is %s reports that in one sentence', (_, script) => {
  it.each(['tools/sbom/run.mjs --out sbom.json', 'tools/sbom/run.mjs --help', 'test/run.mjs --help'])(
    '%s',
    (command) => {
      const folder = temporaryDirectory();
      const args = command.split(' ').map((arg) => (arg === 'sbom.json' ? join(folder, arg) : arg));
      const env = { ...process.env, OUT: join(folder, 'out') };
      const shell = ['-c', script, process.execPath, '--no-warnings', ...args];
      const { status, stderr } = spawnSync('/bin/sh', shell, { cwd: ROOT, encoding: 'utf8', env });
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: 'Standard output cannot be written; use another one.\n',
      });
    },
  );
});

it('npm run bench rejects --generator wrk where wrk is not installed', () => {
  const PATH = temporaryDirectory();
  symlinkSync('/bin/sh', join(PATH, 'sh'));
  const options = { cwd: ROOT, encoding: 'utf8', env: { PATH } } as const;
  const { status, stderr } = spawnSync(process.execPath, ['bench/run.mjs', '--generator', 'wrk'], options);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: '\nwrk is not installed: install it, or use --generator autocannon.\n',
  });
});
