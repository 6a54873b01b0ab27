import { parseArgs } from 'node:util';
import { ApiKeys, type ApiKeyStatus } from '../auth/api-keys.js';
import { readConfig } from '../config.js';
import { createDataSource } from '../data-source.js';
import { openDatabase } from '../platform/database/open-database.js';
import { runCommand } from '../platform/process/run-command.js';
import { StartError } from '../platform/process/start-error.js';

const USAGE = 'Usage: npm run keys -- (create NAME | list | rotate NAME [--grace HOURS] | revoke NAME) [--json]';
/** Hours for which the previous keys stay valid after a rotation. */
const DEFAULT_GRACE = '24';
const HOUR = 3_600_000;

interface Output {
  readonly json: object;
  readonly text: string;
}

const HELP = `${USAGE}

Changes or lists the API keys in the database of DATABASE_URL. Running services notice a change within a second.

  create NAME    creates a key and prints it: only now, because only its hash is stored
  list           prints the names, and when each key was created and ends
  rotate NAME    creates another key of that name; the previous ones stay valid for the grace
  revoke NAME    refuses every key of that name
  --grace HOURS  how long the previous keys stay valid; by default ${DEFAULT_GRACE}
  --json         print JSON for programs
  --help         print this
`;

await runCommand(HELP, async () => {
  const { command, name, grace, json } = readArguments();
  const dataSource = await openDatabase(createDataSource, readConfig(), { migrate: false });
  try {
    const output = await run(new ApiKeys(dataSource), command, name, grace);
    process.stdout.write(`${json ? JSON.stringify(output.json) : output.text}\n`);
  } finally {
    await dataSource.destroy();
  }
});

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { grace: { type: 'string', default: DEFAULT_GRACE }, json: { type: 'boolean', default: false } },
    });
    const [command = '', name = '', ...rest] = positionals;
    const isComplete =
      command === 'list' ? name === '' : ['create', 'rotate', 'revoke'].includes(command) && name !== '';
    if (isComplete && rest.length === 0 && /^\d{1,5}$/.test(values.grace)) {
      return { command, name, grace: Number(values.grace) * HOUR, json: values.json };
    }
  } catch {
    // Fall through to usage.
  }
  throw new StartError(`${USAGE}.`);
}

async function run(keys: ApiKeys, command: string, name: string, grace: number): Promise<Output> {
  switch (command) {
    case 'create':
      return shown(
        name,
        (await keys.create(name)) ?? refuse(`The key "${name}" is already in use; rotate it or choose another name.`),
      );
    case 'rotate':
      return shown(name, (await keys.rotate(name, grace)) ?? refuse(`There is no valid key "${name}"; create one.`));
    case 'revoke':
      if (!(await keys.revoke(name))) refuse(`There is no valid key "${name}"; list the keys to see their names.`);
      return { json: { name, revoked: true }, text: `Revoked "${name}"; running services reject it within a second.` };
    default:
      return listed(await keys.list());
  }
}

function shown(name: string, key: string): Output {
  return {
    json: { name, key },
    text: `${key}\nThe key "${name}", shown only once; running services accept it within a second.`,
  };
}

function listed(keys: readonly ApiKeyStatus[]): Output {
  const rows = keys.map(({ name, createdAt, revokedAt }) => {
    const end = revokedAt
      ? `  ${revokedAt.getTime() > Date.now() ? 'valid until' : 'revoked'} ${revokedAt.toISOString()}`
      : '';
    return `${name}  created ${createdAt.toISOString()}${end}`;
  });
  return { json: keys, text: rows.length > 0 ? rows.join('\n') : 'There are no keys; create one.' };
}

function refuse(reason: string): never {
  throw new StartError(reason);
}
