import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const PAGE = new URL('../../docs/adding-a-group.md', import.meta.url);

/** The commands of the page, in its order. */
export function commandsOfPage() {
  const sessions = readFileSync(PAGE, 'utf8').matchAll(/```console\n(.*?)```/gs);
  return [...sessions].flatMap(([, session]) => [...session.matchAll(/^\$ (.+)$/gm)].map(([, command]) => command));
}

/** Whether the command succeeded. What this process was told about its own tests and repository is not passed on. */
export async function runCommand(command, cwd) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TEST|GIT|JEST)_/.test(name)));
  const child = spawn('bash', ['-c', command], { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'close');
  return code === 0;
}
