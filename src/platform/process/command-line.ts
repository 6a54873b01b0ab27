import { parseArgs, type ParseArgsConfig } from 'node:util';
import { StartError } from './start-error.js';

/** Whether the arguments ask for help, at any place: `keys create --help` must never create a key. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help');
}

/** Refuses every argument, for a command that has none: it would be ignored otherwise. */
export function refuseArguments(advice: string): void {
  const [first] = process.argv.slice(2);
  if (first !== undefined) throw new StartError(`The argument "${first}" is unknown; ${advice}.`);
}

/**
 * Reads the arguments of `npm run COMMAND`. Throws a StartError that says which one is unknown, lacks its value, or is
 * given twice: Node would use the last one.
 */
export function readArguments<Config extends ParseArgsConfig>(
  command: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const given = { ...config, args: withNegativeValues(process.argv.slice(2), config) };
  refuseRepetitions(given);
  try {
    return parseArgs<Config>(given);
  } catch (error) {
    // Node adds advice in further sentences.
    const [reason] = (error as Error).message.split(/\.\s|\.$/);
    throw new StartError(`${reason}; npm run ${command} -- --help lists the options.`, { cause: error });
  }
}

/** Node takes the value of `--expires -1d` for an option: joined to its own, it is refused in the words of that option. */
function withNegativeValues(args: readonly string[], { options = {} }: ParseArgsConfig): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1) ?? '';
    const takesValue = before.startsWith('--') && options[before.slice(2)]?.type === 'string';
    if (takesValue && /^-\d/.test(arg)) joined.splice(-1, 1, `${before}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

function refuseRepetitions(config: ParseArgsConfig): void {
  const { tokens } = parseArgs({ ...config, strict: false, tokens: true });
  const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new StartError(`The option --${repeated} is given twice; give it once.`);
}
