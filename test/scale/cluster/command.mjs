/** Something that a person can mend: told in one sentence. */
export class ClusterError extends Error {}

export const say = (text) => process.stderr.write(`${text}\n`);

/** Runs a command. What a person can mend is one sentence and exit code 1. */
export async function run(command) {
  try {
    await command();
  } catch (error) {
    say(error instanceof ClusterError ? error.message : error.stack);
    process.exitCode = 1;
  }
}
