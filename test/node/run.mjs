import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, refuseArgument } from '../../tools/read-arguments.mjs';
import { runCommand } from '../example/commands.mjs';
import { copyRepository, createDirectory } from '../faults/working-copy.mjs';
import { environmentOf, otherPrograms } from './environment.mjs';
import { installRelease } from './release.mjs';

const HELP = `Usage: npm run test:node -- RELEASE [--example | arguments of \`npm test\`]

Runs the tests on another release of Node: in a copy of the repository, with packages that are installed and compiled on that
release. Installing takes some minutes. The exit code is that of the tests.

  RELEASE    24 for the newest release of that line, or for example 24.11.0; it comes from npm's packages node-PLATFORM-ARCH
  --example  run \`npm run test:example\` instead, whose last command runs the daily tests with one more operation group
  --help     print this help; \`npm test -- --help\` lists the arguments of the tests
`;
const RELEASE = /^\d+(\.\d+){0,2}$/;

const args = process.argv.slice(2);
readArguments(HELP, { args: args.includes('--help') ? ['--help'] : args.slice(0, 1), allowPositionals: true });
const [wanted, ...forTests] = args;
if (wanted === undefined) refuseArgument('Name a release of Node: npm run test:node -- 24, for example.');
if (!RELEASE.test(wanted)) refuseArgument(`The release must be a number such as 24 or 24.11.0, not "${wanted}".`);
const isExample = forTests.includes('--example');
if (isExample && forTests.length > 1) refuseArgument('With --example, npm run test:node takes no other argument.');

const directory = createDirectory();
// As root, tests start PostgreSQL as another user, from packages of the copy.
chmodSync(directory, 0o755);
const cwd = join(directory, 'copy');
// npm and compilers leave files there; tests do not, and addresses of sockets must be short.
const TMPDIR = tmpdir();
process.env.TMPDIR = join(directory, 'tmp');
for (const folder of [cwd, process.env.TMPDIR]) mkdirSync(folder);

report(`Installing Node ${wanted} …`);
const node = await installRelease(wanted, join(directory, 'node')).catch((error) => fail(error.message));
if (!node) refuseArgument(`npm has no release ${wanted} of Node for ${process.platform} on ${process.arch}.`);
const env = environmentOf(node);
const others = await otherPrograms(node.version, { cwd, env });
if (others.length > 0) fail(`Not all programs run on Node ${node.version}: ${others.join(', ')}.`);

report(`Installing the packages on Node ${node.version}, compiling those without a binary …`);
copyRepository(cwd);
// The lock file names each package by its hash, so none that npm has stored can be outdated.
if ((await runCommand('npm ci --prefer-offline', { cwd, env })) !== 0) fail('npm could not install the packages.');

// The command of the example lists the files with git.
if (isExample) execFileSync('git', ['init', '--quiet'], { cwd });
process.exitCode = await runCommand(isExample ? 'npm run test:example' : 'npm test -- "$@"', {
  cwd,
  env: { ...env, TMPDIR },
  args: forTests,
});
report(`The tests ${process.exitCode === 0 ? 'passed' : 'failed'} on Node ${node.version}.`);

function report(line) {
  process.stdout.write(`${line}\n`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
