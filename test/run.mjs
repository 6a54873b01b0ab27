// Runs Jest for the `test` scripts of package.json. Accepts Jest's options and patterns, and two options of its own:
//   --all            every test on both databases, with the full number of random runs
//   --engine=NAME    on `sqlite` or `postgres` only
// Without a pattern or --all, it runs the daily selection of jest.config.js.
import { buildArgv, run } from 'jest';

const all = '--all';
const engine = '--engine=';
const args = process.argv.slice(2);
const forJest = args.filter((arg) => arg !== all && !arg.startsWith(engine));
const engines = args.filter((arg) => arg.startsWith(engine)).map((arg) => arg.slice(engine.length));

if (args.includes(all)) process.env.TEST_EFFORT = 'full';
else if ((await buildArgv(forJest))._.length === 0) process.env.TEST_SELECTION = 'daily';
if (engines.length > 0) process.env.TEST_ENGINES = engines.join();
// Last, because --selectProjects consumes every following argument.
await run(engines.length > 0 ? [...forJest, '--selectProjects', ...engines] : forJest);
