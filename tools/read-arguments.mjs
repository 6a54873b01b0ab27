import { parseArgs } from 'node:util';

const HELP = { help: { type: 'boolean', default: false } };

/** The help begins with `Usage: npm run NAME -- ` or `Usage: node FILE `. */
const commandOf = (help) => /^Usage: (npm .*? --|node \S+)\s/.exec(help)[1];

/**
 * Reads the arguments of a command. Instead of returning, prints `help` for --help, or one sentence about a wrong argument, and
 * ends the process: with 2 for a wrong one.
 *
 * @template {import('node:util').ParseArgsConfig} Config
 * @param {string} help
 * @param {Config} [config]
 * @returns {ReturnType<typeof parseArgs<Config>>}
 */
export function readArguments(help, { options, ...config } = {}) {
  try {
    const { values, positionals, tokens } = parseArgs({ ...config, options: { ...options, ...HELP }, tokens: true });
    const repeated = repeatedOption(tokens, options);
    if (repeated !== undefined) refuseArgument(`The option --${repeated} is given twice; give it once.`);
    if (!values.help) return { values, positionals };
    process.stdout.write(help);
    return process.exit(0);
  } catch (error) {
    return refuseArgument(`${error.message.split(/\.\s/)[0]}: ${commandOf(help)} --help lists the options.`);
  }
}

/** Node would use the last one. */
function repeatedOption(tokens, options) {
  const names = tokens.flatMap(({ kind, name }) => (kind === 'option' && !options?.[name]?.multiple ? [name] : []));
  return names.find((name, index) => names.indexOf(name) !== index);
}

/** Ends the process with 2 and one sentence about a wrong argument. */
export function refuseArgument(sentence) {
  process.stderr.write(`${sentence}\n`);
  return process.exit(2);
}
