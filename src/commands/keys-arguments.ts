import { KEY_SCOPES, type KeyScope } from '../auth/api-key.js';
import { nameProblem } from '../auth/key-name.js';
import { readArguments } from '../platform/process/command-line.js';
import { StartError } from '../platform/process/start-error.js';

/** Hours for which the previous keys stay valid after a rotation. */
export const DEFAULT_GRACE = '24';

/** The options of each command, besides --json. */
const OPTIONS = {
  create: ['scope', 'expires'],
  list: [],
  rotate: ['grace', 'expires'],
  revoke: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const COMMANDS = 'create, list, rotate or revoke';
const HELP = 'npm run keys -- --help';
const HOUR = 3_600_000;

type Command = keyof typeof OPTIONS;

export interface KeysArguments {
  readonly command: Command;
  /** Empty for `list`. */
  readonly name: string;
  /** Milliseconds. */
  readonly grace: number;
  readonly scope: KeyScope;
  /** Milliseconds. */
  readonly lifetime?: number;
  readonly json: boolean;
}

/** Throws a StartError that says what is wrong with the arguments. */
export function readKeysArguments(): KeysArguments {
  const { values, positionals } = readArguments('keys', {
    allowPositionals: true,
    options: {
      grace: { type: 'string' },
      scope: { type: 'string' },
      expires: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const { json, ...options } = values;
  const [given, ...names] = positionals;
  const command = commandOf(given);
  const foreign = Object.keys(options).find((option) => !(OPTIONS[command] as readonly string[]).includes(option));
  if (foreign !== undefined)
    throw new StartError(
      `The option --${foreign} is not an option of ${command}; ${HELP} lists the options of each command.`,
    );
  const lifetime = options.expires === undefined ? {} : { lifetime: lifetimeOf(options.expires) };
  const [grace, scope] = [graceOf(options.grace ?? DEFAULT_GRACE), scopeOf(options.scope ?? 'write')];
  return { command, name: nameOf(command, names), grace, scope, ...lifetime, json };
}

function commandOf(given: string | undefined): Command {
  if (given === undefined) throw new StartError(`Give a command: ${COMMANDS}; ${HELP} explains them.`);
  if (!Object.hasOwn(OPTIONS, given))
    throw new StartError(`The command ${JSON.stringify(given)} is unknown; choose ${COMMANDS}.`);
  return given as Command;
}

function nameOf(command: Command, names: readonly string[]): string {
  const [name = '', extra] = command === 'list' ? ['', ...names] : names;
  if (extra !== undefined) throw new StartError(`The argument ${JSON.stringify(extra)} is one too many; remove it.`);
  if (command !== 'list' && name === '')
    throw new StartError(`Give the name of the key: npm run keys -- ${command} NAME.`);
  const problem = command === 'create' ? nameProblem(name) : undefined;
  if (problem !== undefined) throw new StartError(problem);
  return name;
}

function graceOf(text: string): number {
  if (!/^\d{1,5}$/.test(text))
    throw new StartError(
      `The option --grace must be a whole number of hours up to 99999, not ${JSON.stringify(text)}.`,
    );
  return Number(text) * HOUR;
}

function scopeOf(text: string): KeyScope {
  const scope = KEY_SCOPES.find((each) => each === text);
  if (scope === undefined)
    throw new StartError(`The option --scope must be ${KEY_SCOPES.join(' or ')}, not ${JSON.stringify(text)}.`);
  return scope;
}

function lifetimeOf(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([hd])$/.exec(text) ?? [];
  if (count === undefined)
    throw new StartError(
      `The option --expires must be hours such as 12h or days such as 90d, not ${JSON.stringify(text)}.`,
    );
  return Number(count) * (unit === 'd' ? 24 * HOUR : HOUR);
}
