import { ApiKeys, type ApiKeyStatus } from '../auth/api-keys.js';
import { printableNames } from '../auth/key-name.js';
import { readConfig } from '../config.js';
import { createDataSource } from '../data-source.js';
import { databaseName, openDatabase } from '../platform/database/open-database.js';
import { isPostgres } from '../platform/database/postgres/postgres.js';
import { reasonOf } from '../platform/errors/reason-of.js';
import { runCommand } from '../platform/process/run-command.js';
import { print } from '../platform/process/standard-output.js';
import { StartError } from '../platform/process/start-error.js';
import { DEFAULT_GRACE, type KeysArguments, readKeysArguments } from './keys-arguments.js';
import { reportTo, reportWait } from './migration-report.js';

interface Output {
  readonly json: object;
  readonly text: string;
  /** For standard error, so that standard output can be passed on. */
  readonly note?: string;
  /** Called when standard output cannot be written; the rest of the message says what that means and what to do. */
  readonly lose: () => string | Promise<string>;
}

const USAGE =
  'Usage: npm run keys -- (create NAME [--scope read|write] [--expires 90d] | list | rotate NAME [--grace HOURS] [--expires 90d] | revoke NAME) [--json]';
const HELP = `${USAGE}

Changes or lists the API keys in the database of DATABASE_URL. Running services notice a change within a second.

  create NAME    creates a key and prints it: only now, because only its hash is stored
  list           prints the name, scope and last use of each key, and when it was created and ends
  rotate NAME    creates another key of that name; the previous ones stay valid for the grace
  revoke NAME    refuses every key of that name
  --grace HOURS  how long the previous keys stay valid; by default ${DEFAULT_GRACE}
  --scope SCOPE  of a new key: read, or write, which includes reading; by default write
  --expires TIME when a new key ends: hours (12h) or days (90d) from now; by default never; a rotated key lasts as long as the previous one
  --json         print JSON for programs
  --help         print this
`;

await runCommand(HELP, async () => {
  const args = readKeysArguments();
  const config = readConfig();
  const database = databaseName(config.databaseUrl);
  const mayCreate = args.command === 'create' && !isPostgres(config.databaseUrl);
  const dataSource = await openDatabase(createDataSource, config, {
    // Only `create` may make a database: the other commands would report that it has no keys. None migrates one, because a
    // service of the previous release that uses it could not start again.
    migrate: mayCreate,
    keepsSchema: true,
    mustExist: !mayCreate,
    // During an update, and after one is rolled back, a key must be revocable wherever the service runs.
    acceptsNewer: true,
    report: reportTo(database),
    waits: reportWait,
  });
  try {
    const { json, text, note, lose } = await run(new ApiKeys(dataSource), args);
    const isShown = await print(`${args.json ? printableNames(JSON.stringify(json)) : text}\n`);
    if (!isShown) throw new StartError(`Standard output cannot be written${await lose()}.`);
    if (note !== undefined && !args.json) process.stderr.write(`${note}\n`);
  } finally {
    await dataSource.destroy();
  }
});

async function run(keys: ApiKeys, { command, name, grace, scope, lifetime }: KeysArguments): Promise<Output> {
  const quoted = `"${printableNames(name)}"`;
  const limits = lifetime === undefined ? {} : { lifetime };
  switch (command) {
    case 'create': {
      const key =
        (await keys.create(name, { scope, ...limits })) ??
        refuse(`The key ${quoted} is already in use; rotate it or choose another name.`);
      return { ...shown(name, key), lose: () => removeUnseen(keys, key, quoted) };
    }
    case 'rotate': {
      const key = (await keys.rotate(name, grace, lifetime)) ?? refuse(`There is no valid key ${quoted}; create one.`);
      return {
        ...shown(name, key),
        // It stays: its predecessors may have ended, and only a valid key can be rotated.
        lose: () =>
          `, so the new key ${quoted} is lost, and the previous ones end all the same; rotate it again with another standard output`,
      };
    }
    case 'revoke':
      if (!(await keys.revoke(name))) refuse(`There is no valid key ${quoted}; list the keys to see their names.`);
      return {
        json: { name, revoked: true },
        text: `Revoked ${quoted}; running services reject it within a second.`,
        lose: () => `, but ${quoted} is revoked; running services reject it within a second`,
      };
    default:
      return listed(await keys.list());
  }
}

/** Otherwise a key that was never shown would occupy the name. */
async function removeUnseen(keys: ApiKeys, key: string, quoted: string): Promise<string> {
  try {
    await keys.remove(key);
  } catch (error) {
    // The disk of standard output may be that of the database.
    return `, and the new key ${quoted} could not be removed (${reasonOf(error)}); revoke it, and create it again with another standard output`;
  }
  return `, so the new key ${quoted} was removed; create it again with another standard output`;
}

function shown(name: string, key: string): Omit<Output, 'lose'> {
  return {
    json: { name, key },
    text: key,
    note: `The key "${printableNames(name)}", shown only once; running services accept it within a second.`,
  };
}

function listed(keys: readonly ApiKeyStatus[]): Output {
  const rows = keys.map(({ name, createdAt, scope, expiresAt, revokedAt, lastUsedAt }) =>
    [
      printableNames(name),
      `created ${createdAt.toISOString()}`,
      ...(scope ? [`may only ${scope}`] : []),
      ...(expiresAt ? [`${isPast(expiresAt) ? 'expired' : 'expires'} ${expiresAt.toISOString()}`] : []),
      ...(revokedAt ? [`${isPast(revokedAt) ? 'revoked' : 'valid until'} ${revokedAt.toISOString()}`] : []),
      ...(lastUsedAt ? [`last used ${lastUsedAt.toISOString()}`] : []),
    ].join('  '),
  );
  return {
    json: keys,
    text: rows.length > 0 ? rows.join('\n') : 'There are no keys; create one.',
    lose: () => '; choose another one',
  };
}

function isPast(time: Date): boolean {
  return time.getTime() <= Date.now();
}

function refuse(reason: string): never {
  throw new StartError(reason);
}
