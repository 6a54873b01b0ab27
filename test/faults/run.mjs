import { readArguments } from '../../tools/read-arguments.mjs';
import { problemsOf, selectFaults } from './select-faults.mjs';
import { CAUGHT, createConfirmation, outcomeOf, uncaughtWithoutFault } from './outcome.mjs';
import { createWorkingCopy } from './working-copy.mjs';
import { progress, summary } from './report.mjs';

const GOAL = 0.95;

const HELP = `Usage: npm run test:faults -- [--json] [PATTERN...]

Plants faults one at a time in a copy of the repository, and runs the test that promises to catch each. Exits with 1 if
fewer than 95 % are caught by that test, or if a row of test/faults/faults no longer fits the code. There are
hundreds, of seconds to a minute each: choose those of the code that you changed.

  PATTERN  only faults whose area, file, mistake or test matches a regular expression
  --json   print the outcomes as JSON
  --help   print this help
`;

const { values, positionals } = readArguments(HELP, {
  allowPositionals: true,
  options: { json: { type: 'boolean' } },
});
const faults = await selectFaults(positionals);
const copy = createWorkingCopy();

const problems = problemsOf(faults, copy);
if (problems.length === 0) problems.push(...(await uncaughtWithoutFault(faults, copy)));
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}
const confirm = createConfirmation(copy);
const rows = [];
for (const fault of faults) {
  const start = performance.now();
  const restore = copy.plant(fault);
  const found = await outcomeOf(fault, copy);
  restore();
  const outcome = await confirm(fault, found);
  const seconds = Math.round((performance.now() - start) / 1000);
  rows.push({ ...fault, ...outcome, seconds });
  process.stderr.write(progress(rows, faults.length));
}

const share = rows.filter(({ outcome }) => outcome === CAUGHT).length / rows.length;
process.stdout.write(values.json ? `${JSON.stringify({ share, rows }, undefined, 2)}\n` : summary(rows, share));
process.exitCode = share < GOAL ? 1 : 0;
