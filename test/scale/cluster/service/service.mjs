import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClusterError } from '../command.mjs';

const ROOT = join(import.meta.dirname, '../../../..');
/** `exec node --flags dist/main.js`, as in production. */
const START = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts['start:prod'].split(' ');

const running = new Set();
// Also when this process is interrupted.
process.once('exit', () => {
  for (const service of running) service.kill('SIGKILL');
});

/** The given variables, without those of the user's shell. */
const environment = (variables) => ({ PATH: process.env.PATH, HOST: '127.0.0.1', LOG_LEVEL: 'fatal', ...variables });

export function migrate(databaseUrl) {
  const options = { cwd: ROOT, env: environment({ DATABASE_URL: databaseUrl }), encoding: 'utf8' };
  const { status, stderr } = spawnSync(process.execPath, ['dist/commands/migrate.js'], options);
  if (status !== 0) throw new ClusterError(stderr.trim());
}

/** Starts the service from the latest build, and waits until it listens. */
export async function startService(variables) {
  const service = spawn(process.execPath, START.slice(START.indexOf('node') + 1), {
    cwd: ROOT,
    env: environment({ PORT: '0', ...variables }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(service);
  const exit = once(service, 'exit').then(([code]) => {
    running.delete(service);
    return code;
  });
  const greeting = await Promise.race([once(service.stdout.setEncoding('utf8'), 'data'), exit]);
  if (!Array.isArray(greeting)) throw new ClusterError(`The service did not start; its exit code is ${greeting}.`);
  const stop = () => {
    service.kill('SIGTERM');
    return exit;
  };
  return { port: Number(/:(\d+)\/v1/.exec(greeting[0])[1]), pid: service.pid, stop };
}
