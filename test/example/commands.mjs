import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const PAGE = new URL('../../docs/adding-a-group.md', import.meta.url);

/** The commands of the page, in its order. */
export function commandsOfPage() {
  const sessions = readFileSync(PAGE, 'utf8').matchAll(/```console\n(.*?)```/gs);
  return [...sessions].flatMap(([, session]) => [...session.matchAll(/^\$ (.+)$/gm)].map(([, command]) => command));
}

/** The variables of this process but those for its own tests and repository. */
function variables() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TEST|GIT|JEST)_/.test(name)));
}

/** The exit code of the command, in which `"$@"` stands for the arguments. A signal ends the command first, then this process. */
export async function runCommand(command, { cwd, env = variables(), args = [] }) {
  const stdio = ['ignore', 'inherit', 'inherit'];
  // A group, so that the signal reaches every process of the command.
  const child = spawn('bash', ['-c', command, 'bash', ...args], { cwd, env, stdio, detached: true });
  let isStopped = false;
  const stop = (name) => {
    isStopped = true;
    process.kill(-child.pid, name);
  };
  for (const name of SIGNALS) process.on(name, stop);
  const [code, signal] = await once(child, 'close');
  for (const name of SIGNALS) process.off(name, stop);
  return isStopped ? process.exit(1) : (code ?? 128 + constants.signals[signal]);
}
