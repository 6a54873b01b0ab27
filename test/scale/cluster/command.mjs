/** An error that the user can fix, reported in one sentence. */
export class ClusterError extends Error {}

export const say = (text) => process.stderr.write(`${text}\n`);

/** Runs a command. After an error it exits with 1; a ClusterError prints one sentence instead of a stack. */
export async function run(command) {
  try {
    await command();
  } catch (error) {
    say(error instanceof ClusterError ? error.message : error.stack);
    process.exitCode = 1;
  }
}
