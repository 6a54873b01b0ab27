import { afterAll, expect } from '@jest/globals';
import { type ChildProcess, execFile, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from './http/client.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Milliseconds that only a failure takes; a start takes about one second on an idle machine. */
const START = 60_000;
/** Milliseconds that only a failure takes; a copy of a large database takes ten seconds on an idle machine. */
const COMMAND = 150_000;
export const KEY = 'key-of-the-tests';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How a process ended, and all that it said. */
export interface End extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/** The service as a process of its own, which a signal can reach and a crash does not outlive. */
export interface BuiltService {
  readonly port: number;
  readonly api: Client;
  readonly exit: Promise<Exit>;
  /** What it has written so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  kill(signal: NodeJS.Signals): void;
}

const running = new Set<ChildProcess>();
const killAll = (): void => {
  for (const child of running) child.kill('SIGKILL');
};

afterAll(killAll);
process.once('exit', killAll);

/** A database is named by its address, or by the file that it is. */
function addressOf(database: string): string {
  return /^(sqlite|postgres):/.test(database) ? database : `sqlite:${database}`;
}

/** A directory of its own for a test, gone when the run is over. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'service-'));
}

/** What a process says that must end with one sentence and no trace of a stack. */
export function complaintOf({ code, stdout, stderr }: End): string {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^[A-Z][^\n]*\.\n$/);
  expect(stderr).not.toMatch(/\n {4}at |node:internal|Error:/);
  return stderr.trimEnd();
}

/** Starts the service and waits until it listens. Throws what it says when it does not come to that. */
export async function startService(
  database: string,
  env: Environment = {},
  command?: readonly string[],
): Promise<BuiltService> {
  const { child, output, exit } = await spawnService(database, env, command);
  const port = await listeningPort(output, exit);
  const api = new Client({ port, key: KEY });
  void exit.then(() => api.close());
  return { port, api, exit, output, kill: (signal) => void child.kill(signal) };
}

/** Stops the service as an operator does. */
export async function stopService(service: BuiltService): Promise<void> {
  service.kill('SIGTERM');
  expect(await service.exit).toEqual({ code: 0, signal: null });
}

/** Runs the service until it ends by itself; one that does not is killed. */
export function runService(database: string, env: Environment = {}): Promise<End> {
  return runCommand(database, ['main.js'], env);
}

/** Runs a command of the package, a file of `dist` and its arguments, as `runService` runs the service. */
export async function runCommand(database: string, command: readonly string[], env: Environment = {}): Promise<End> {
  const { child, output, exit } = await spawnService(database, env, command);
  const deadline = setTimeout(() => {
    output.stderr += `The test has killed this after ${COMMAND} ms.`;
    child.kill('SIGKILL');
  }, COMMAND);
  const end = await exit;
  clearTimeout(deadline);
  return { ...end, ...output };
}

/** Starts the process, of this or another build, and does not wait for it. */
export async function spawnService(
  database: string,
  env: Environment = {},
  [file, ...args]: readonly string[] = ['main.js'],
) {
  const script = resolve(await build(), 'dist', file!);
  const standing = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', API_KEYS: KEY };
  const variables = { PATH: process.env.PATH, ...standing, DATABASE_URL: addressOf(database), ...env };
  return spawnProcess(process.execPath, [script, ...args], {
    // No file that a start may leave behind lands in the repository.
    cwd: temporaryDirectory(),
    env: Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined)),
  });
}

/** Starts any process, which the tests do not leave behind either. */
export function spawnProcess(command: string, args: readonly string[], options: SpawnOptions) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const exit = once(child, 'close').then(([code, signal]): Exit => {
    running.delete(child);
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  return { child, output, exit };
}

/** The port that the greeting names. */
export async function listeningPort(output: { stdout: string; stderr: string }, exit: Promise<Exit>): Promise<number> {
  const hasEnded = exit.then(() => true);
  for (const deadline = Date.now() + START; Date.now() < deadline;) {
    const port = /^Pet Store +http:\S+:(\d+)\/v1$/m.exec(output.stdout)?.[1];
    if (port !== undefined) return Number(port);
    if (await Promise.race([hasEnded, delay(10)])) throw new Error(`the service ended at its start: ${output.stderr}`);
  }
  throw new Error(`the service does not listen: ${output.stdout}${output.stderr}`);
}

/**
 * Compiles what is in `src` now, once for a whole run, so that no test depends on an earlier build. Types are not
 * checked, which is another command's work.
 */
export async function build(): Promise<string> {
  const directory = join(process.env.TEST_RUN_DIRECTORY ?? temporaryDirectory(), 'built');
  const done = join(directory, 'done');
  try {
    mkdirSync(directory);
  } catch {
    // Another test file is at it.
    for (let waited = 0; !existsSync(done) && waited < 1800; waited += 1) await delay(100);
    return directory;
  }
  try {
    for (const file of ['openapi.yaml', 'package.json']) copyFileSync(join(ROOT, file), join(directory, file));
    symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'), 'junction');
    const files = ['--outDir', join(directory, 'dist'), '--tsBuildInfoFile', join(directory, 'dist/tsbuildinfo')];
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const command = [compiler, '-p', 'tsconfig.build.json', '--noCheck', ...files];
    await promisify(execFile)(process.execPath, command, { cwd: ROOT });
    await promisify(execFile)(process.execPath, [join(ROOT, 'bundle.mjs'), join(directory, 'dist')], { cwd: ROOT });
  } finally {
    // Also after a failed build, so that other test files stop waiting.
    writeFileSync(done, '');
  }
  return directory;
}
