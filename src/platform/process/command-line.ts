import { StartError } from './start-error.js';

/** Whether the arguments ask for help. Anywhere, so that `keys create --help` never creates a key. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help');
}

/** Refuses every argument, for a command that has none: it would be ignored otherwise. */
export function refuseArguments(advice: string): void {
  const [first] = process.argv.slice(2);
  if (first !== undefined) throw new StartError(`The argument "${first}" is unknown; ${advice}.`);
}
