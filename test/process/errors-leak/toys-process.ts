import { afterAll } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createDatabase, createEmptyDatabase, ENGINE } from '../../support/databases/databases.js';

export interface ToysProcess {
  readonly port: number;
  /** Stops it with SIGTERM, as an operator does. */
  readonly stop: () => Promise<{ code: number | null; log: string }>;
}

const running = new Set<ChildProcess>();

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Starts the toys in a separate process with a real log. */
export async function startToysProcess(env: Record<string, string>): Promise<ToysProcess> {
  // On SQLite, the service creates it, which its log reports.
  const database = await (ENGINE === 'sqlite' ? createEmptyDatabase() : createDatabase());
  const child = spawn(process.execPath, ['--import', path('typescript.js'), path('serve-toys.ts')], {
    env: { PATH: process.env.PATH, DATABASE_URL: database.url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const log = text(child.stderr);
  const port = await Promise.race([
    once(child.stdout, 'data').then(([line]) => Number(line)),
    exited.then(async () => Promise.reject(new Error(`the toys did not start: ${await log}`))),
  ]);
  const stop = async () => {
    child.kill('SIGTERM');
    const [code] = await exited;
    running.delete(child);
    await database.drop();
    return { code, log: await log };
  };
  return { port, stop };
}
