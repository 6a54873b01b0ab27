import { buildArgv, run } from 'jest';
import { printHelp, refuseArgument } from '../tools/read-arguments.mjs';

const HELP = `Usage: npm test -- [--all | PATTERN...] [--engine=NAME] [options of Jest]

Runs the daily tests, or the test files whose path matches a pattern.

  PATTERN        a regular expression
  --all          every test, with the full number of random runs
  --engine=NAME  only on sqlite, or only on postgres
  --help         print this help; \`npx jest --help\` lists the options of Jest
`;
const ENGINES = ['sqlite', 'postgres'];

const all = '--all';
const engine = '--engine=';
const args = process.argv.slice(2);
const forJest = args.filter((arg) => arg !== all && !arg.startsWith(engine));
const engines = args.filter((arg) => arg.startsWith(engine)).map((arg) => arg.slice(engine.length));

if (args.includes('--help')) printHelp(HELP);
const unknown = engines.find((name) => !ENGINES.includes(name));
if (unknown !== undefined) refuseArgument(`--engine must be ${ENGINES.join(' or ')}, not "${unknown}".`);

const { _: patterns, testPathPatterns = [] } = await buildArgv(forJest);
if (args.includes(all)) process.env.TEST_EFFORT = 'full';
else if (patterns.length + testPathPatterns.length === 0) process.env.TEST_SELECTION = 'daily';
if (engines.length > 0) process.env.TEST_ENGINES = engines.join();
// Last, because --selectProjects consumes every following argument.
await run(engines.length > 0 ? [...forJest, '--selectProjects', ...engines] : forJest);
