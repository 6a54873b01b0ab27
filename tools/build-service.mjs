import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Builds the service for a command that has read its arguments: a script before the command would build even for --help. The
 * compiler writes to standard error, because the command may print JSON. Ends the process with 1 when the build fails.
 */
export function buildService() {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  process.stderr.write('The service cannot be built: correct what "npm run build" reports.\n');
  process.exit(1);
}
