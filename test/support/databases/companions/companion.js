import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Starts a script of this directory. It prints a line when it is ready, and ends when its standard input closes: on `stop`,
 * or when this process ends for any reason. `line` is undefined when the script fails to start.
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
