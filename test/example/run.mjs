import { readArguments } from '../../tools/read-arguments.mjs';
import { createWorkingCopy } from '../faults/working-copy.mjs';
import { beginHistory, problemsOfChanges } from './changes.mjs';
import { commandsOfPage, runCommand } from './commands.mjs';

const HELP = `Usage: npm run test:example --

Follows docs/adding-a-group.md in a copy of the repository: runs each command as printed, with \`npm run check\` as the last
one. Exits with 1 when a command fails, or when they changed anything but what a new group may change. Takes as long as
\`npm run check\`, and a minute.

  --help  print this help
`;
const CHECK = 'npm run check';

readArguments(HELP, { options: {} });
const { directory } = createWorkingCopy();
beginHistory(directory);

const commands = commandsOfPage();
if (commands.at(-1) !== CHECK) fail(`docs/adding-a-group.md does not end with ${CHECK}.`);
for (const command of commands) {
  // Before the longest one.
  const problems = command === CHECK ? problemsOfChanges(directory) : [];
  if (problems.length > 0) fail(problems.join('\n'));
  process.stdout.write(`\n$ ${command}\n`);
  if ((await runCommand(command, { cwd: directory })) !== 0) fail(`The command failed: ${command}`);
}
process.stdout.write('\nThe example of docs/adding-a-group.md passes every check.\n');

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
