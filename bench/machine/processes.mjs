import { spawn } from 'node:child_process';
import { once } from 'node:events';

const running = new Set();

/** Starts a process that ends with this one, except after SIGKILL. */
export function start([command, ...args], options) {
  const child = spawn(command, args, options);
  running.add(child);
  child.once('error', () => running.delete(child));
  child.once('exit', () => running.delete(child));
  return child;
}

const isOver = (child) => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

/** Sends SIGTERM, and SIGKILL after the grace period. */
export async function stop(child, graceMilliseconds = 5_000) {
  if (isOver(child)) return;
  const exit = once(child, 'exit');
  const deadline = setTimeout(() => child.kill('SIGKILL'), graceMilliseconds);
  child.kill('SIGTERM');
  await exit;
  clearTimeout(deadline);
}

/** Resolves with the standard output. Rejects when the process fails or times out. */
export async function outputOf(command, { milliseconds, ...options }) {
  const child = start(command, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const deadline = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) {
    child[stream].setEncoding('utf8').on('data', (text) => (printed[stream] += text));
  }
  try {
    const [code, signal] = await once(child, 'close');
    if (code === 0) return printed.stdout;
    throw new Error(`${command.join(' ')} ended with ${signal ?? code}: ${printed.stderr || printed.stdout}`);
  } finally {
    clearTimeout(deadline);
  }
}

export function killAll() {
  for (const child of running) child.kill('SIGKILL');
}
