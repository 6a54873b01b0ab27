import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('postgres-server.js', import.meta.url));

/**
 * Starts a PostgreSQL whose data are in a directory that is not there yet. It ends, and its data go, with `stop` or
 * with this process, however that ends; the directories of `alsoRemove` go with them. With a `primary`, its address and
 * its directory, it is a standby of it. `settings` are of `postgresql.conf`.
 */
export async function runPostgres(directory, { alsoRemove = [], primary, settings = {} } = {}) {
  const options = JSON.stringify({ directory, alsoRemove, primary, settings });
  const child = spawn(process.execPath, [SERVER, options], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(child.stdout, 'data'), ended.then(() => [undefined])]);
  if (line === undefined) throw new Error('PostgreSQL did not start');
  child.unref();
  const stop = async () => {
    child.ref();
    child.stdin.end();
    await ended;
  };
  return { url: String(line).trim(), stop };
}
