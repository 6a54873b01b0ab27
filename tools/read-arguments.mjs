import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const STANDARD_OUTPUT = 1;
const HELP = { help: { type: 'boolean', default: false } };

/** The help begins with `Usage: npm run NAME -- ` or `Usage: node FILE `. */
const commandOf = (help) => /^Usage: (npm .*? --|node \S+)\s/.exec(help)[1];

/**
 * Reads the arguments of a command. Instead of returning, prints `help` for --help, or one sentence about a wrong argument, and
 * ends the process: with 2 for a wrong one. From then on, a standard output that cannot be written ends it with one sentence and 1.
 *
 * @template {import('node:util').ParseArgsConfig} Config
 * @param {string} help
 * @param {Config} [config]
 * @returns {ReturnType<typeof parseArgs<Config>>}
 */
export function readArguments(help, { options, ...config } = {}) {
  try {
    const { values, positionals, tokens } = parseArgs({ ...config, options: { ...options, ...HELP }, tokens: true });
    const repeated = firstRepeated(tokens.flatMap((token) => onceOnly(token, options)));
    if (repeated !== undefined) refuseArgument(`The option --${repeated} is given twice; give it once.`);
    const empty = tokens.find(({ value }) => value === '');
    if (empty) refuseArgument(`${nameOf(empty)} is empty; give it a value, or omit it.`);
    if (!values.help) {
      process.stdout.on('error', endWithoutOutput);
      return { values, positionals };
    }
    return printHelp(help);
  } catch (error) {
    return refuseArgument(`${error.message.split(/\.\s/)[0]}: ${commandOf(help)} --help lists the options.`);
  }
}

/** Ends the process. At once, because Node's stream reports a full disk only after this function. */
export function printHelp(help) {
  try {
    writeFileSync(STANDARD_OUTPUT, help);
  } catch {
    endWithoutOutput();
  }
  return process.exit(0);
}

/** A full disk, or a reader that has left, such as `head`. */
function endWithoutOutput() {
  process.stderr.write('Standard output cannot be written; use another one.\n');
  process.exit(1);
}

/** Of an option that is given twice, Node would use the last one. */
const onceOnly = ({ kind, name }, options) => (kind === 'option' && !options?.[name]?.multiple ? [name] : []);

const nameOf = ({ kind, name }) => (kind === 'option' ? `The option --${name}` : 'An argument');

/** Undefined when each is there once. */
export const firstRepeated = (names) => names.find((name, index) => names.indexOf(name) !== index);

/** The whole number in the value of an option, in digits. */
export function wholeNumber(name, value, { least = 1, most }) {
  const number = /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  return refuseArgument(`--${name} must be a whole number from ${least} to ${most}, not "${value}".`);
}

/** Ends the process with 2 and one sentence about a wrong argument. */
export function refuseArgument(sentence) {
  process.stderr.write(`${sentence}\n`);
  return process.exit(2);
}
