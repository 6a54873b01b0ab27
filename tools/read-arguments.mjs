import { parseArgs } from 'node:util';

const HELP = { help: { type: 'boolean', default: false } };

/** The help begins with `Usage: npm run NAME -- `. */
const commandOf = (help) => /^Usage: (.*? --) /.exec(help)[1];

/**
 * Reads the arguments of a command. Instead of returning, prints `help` for --help, or one sentence about a wrong argument, and
 * ends the process: with 2 for a wrong one.
 *
 * @param {string} help
 * @param {import('node:util').ParseArgsConfig} config
 * @returns {{ values: Record<string, unknown>, positionals: string[] }}
 */
export function readArguments(help, { options, ...config }) {
  try {
    const { values, positionals } = parseArgs({ ...config, options: { ...options, ...HELP } });
    if (!values.help) return { values, positionals };
    process.stdout.write(help);
    return process.exit(0);
  } catch (error) {
    process.stderr.write(`${error.message.split('. ')[0]}: ${commandOf(help)} --help lists the options.\n`);
    return process.exit(2);
  }
}
