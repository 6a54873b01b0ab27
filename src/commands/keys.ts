import { parseArgs } from 'node:util';
import { KEY_SCOPES, type KeyScope } from '../auth/api-key.js';
import { ApiKeys, type ApiKeyStatus } from '../auth/api-keys.js';
import { readConfig } from '../config.js';
import { createDataSource } from '../data-source.js';
import { openDatabase } from '../platform/database/open-database.js';
import { runCommand } from '../platform/process/run-command.js';
import { StartError } from '../platform/process/start-error.js';

const USAGE =
  'Usage: npm run keys -- (create NAME [--scope read|write] [--expires 90d] | list | rotate NAME [--grace HOURS] [--expires 90d] | revoke NAME) [--json]';
/** The options of each command, besides --json. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  create: ['scope', 'expires'],
  list: [],
  rotate: ['grace', 'expires'],
  revoke: [],
};
/** Hours for which the previous keys stay valid after a rotation. */
const DEFAULT_GRACE = '24';
const HOUR = 3_600_000;

interface Output {
  readonly json: object;
  readonly text: string;
  /** For standard error, so that standard output can be passed on. */
  readonly note?: string;
}

interface Arguments {
  readonly command: string;
  readonly name: string;
  /** Milliseconds. */
  readonly grace: number;
  readonly scope: KeyScope;
  /** Milliseconds. */
  readonly lifetime?: number;
  readonly json: boolean;
}

const HELP = `${USAGE}

Changes or lists the API keys in the database of DATABASE_URL. Running services notice a change within a second.

  create NAME    creates a key and prints it: only now, because only its hash is stored
  list           prints the names, and when each key was created and ends
  rotate NAME    creates another key of that name; the previous ones stay valid for the grace
  revoke NAME    refuses every key of that name
  --grace HOURS  how long the previous keys stay valid; by default ${DEFAULT_GRACE}
  --scope SCOPE  of a new key: read, or write, which includes reading; by default write
  --expires TIME when a new key ends: hours (12h) or days (90d) from now; by default never
  --json         print JSON for programs
  --help         print this
`;

await runCommand(HELP, async () => {
  const args = readArguments();
  const dataSource = await openDatabase(createDataSource, readConfig(), { migrate: false });
  try {
    const { json, text, note } = await run(new ApiKeys(dataSource), args);
    process.stdout.write(`${args.json ? JSON.stringify(json) : text}\n`);
    if (note !== undefined && !args.json) process.stderr.write(`${note}\n`);
  } finally {
    await dataSource.destroy();
  }
});

function readArguments(): Arguments {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        grace: { type: 'string' },
        scope: { type: 'string' },
        expires: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const [command = '', name = '', ...rest] = positionals;
    const { json, ...others } = values;
    const { grace = DEFAULT_GRACE, scope = 'write', expires } = others;
    const [, count, unit] = /^([1-9]\d{0,4})([hd])$/.exec(expires ?? '1h') ?? [];
    const isValid =
      (name === '') === (command === 'list') &&
      rest.length === 0 &&
      Object.keys(others).every((option) => OPTIONS[command]?.includes(option)) &&
      /^\d{1,5}$/.test(grace) &&
      (KEY_SCOPES as readonly string[]).includes(scope) &&
      count !== undefined;
    if (isValid && command in OPTIONS) {
      const lifetime = expires === undefined ? {} : { lifetime: Number(count) * (unit === 'd' ? 24 * HOUR : HOUR) };
      return { command, name, grace: Number(grace) * HOUR, scope: scope as KeyScope, ...lifetime, json };
    }
  } catch {
    // Fall through to usage.
  }
  throw new StartError(`${USAGE}.`);
}

async function run(keys: ApiKeys, { command, name, grace, scope, lifetime }: Arguments): Promise<Output> {
  const limits = lifetime === undefined ? {} : { lifetime };
  switch (command) {
    case 'create':
      return shown(
        name,
        (await keys.create(name, { scope, ...limits })) ??
          refuse(`The key "${name}" is already in use; rotate it or choose another name.`),
      );
    case 'rotate':
      return shown(
        name,
        (await keys.rotate(name, grace, lifetime)) ?? refuse(`There is no valid key "${name}"; create one.`),
      );
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
    text: key,
    note: `The key "${name}", shown only once; running services accept it within a second.`,
  };
}

function listed(keys: readonly ApiKeyStatus[]): Output {
  const rows = keys.map(({ name, createdAt, scope, expiresAt, revokedAt, lastUsedAt }) =>
    [
      name,
      `created ${createdAt.toISOString()}`,
      ...(scope ? [`may only ${scope}`] : []),
      ...(expiresAt ? [`${isPast(expiresAt) ? 'expired' : 'expires'} ${expiresAt.toISOString()}`] : []),
      ...(revokedAt ? [`${isPast(revokedAt) ? 'revoked' : 'valid until'} ${revokedAt.toISOString()}`] : []),
      ...(lastUsedAt ? [`last used ${lastUsedAt.toISOString()}`] : []),
    ].join('  '),
  );
  return { json: keys, text: rows.length > 0 ? rows.join('\n') : 'There are no keys; create one.' };
}

function isPast(time: Date): boolean {
  return time.getTime() <= Date.now();
}

function refuse(reason: string): never {
  throw new StartError(reason);
}
