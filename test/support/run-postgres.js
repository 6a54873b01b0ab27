import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('postgres-server.js', import.meta.url));

/**
 * Starts a PostgreSQL whose data are in a directory that is not there yet. It ends, and its data go, with `stop` or
 * with this process, however that ends; the directories of `alsoRemove` go with them.
 */
export async function runPostgres(directory, alsoRemove = []) {
  const child = spawn(process.execPath, [SERVER, directory, ...alsoRemove], { stdio: ['pipe', 'pipe', 'inherit'] });
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
