import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Starts a script of this directory, which says in a line that it is ready, and ends when its standard input does: with
 * `stop`, or with this process, however that ends. `line` is undefined when it ends before.
 */
export async function startCompanion(script, args) {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(child.stdout, 'data'), ended.then(() => [])]);
  child.unref();
  const stop = async () => {
    child.ref();
    child.stdin.end();
    await ended;
  };
  return { line: line && String(line).trim(), stop };
}
