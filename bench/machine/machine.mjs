import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

const run = (command, ...args) => spawnSync(command, args, { encoding: 'utf8' });

/** The processor cores that this process may use; none where `taskset` is missing. */
function usableCores() {
  const { status, stdout } = run('taskset', '-cp', String(process.pid));
  if (status !== 0) return [];
  const list = stdout.slice(stdout.lastIndexOf(':') + 1).trim();
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** One core for the server and one for the load; undefined where they cannot be separated. */
export function separateCores() {
  const cores = usableCores();
  return cores.length < 2 ? undefined : { server: cores[0], load: cores.at(-1) };
}

export const onCore = (core, command) => (core === undefined ? command : ['taskset', '-c', String(core), ...command]);

/** Moves the benchmark itself off the server's core. */
export const moveTo = (core) => run('taskset', '-cp', String(core), String(process.pid));

export const isInstalled = (command) => run(command, '--version').error === undefined;

export const describeMachine = (cores) => ({
  node: process.version,
  platform: `${process.platform}-${process.arch}`,
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  pinned: cores !== undefined,
});
