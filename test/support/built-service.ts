import { afterAll, expect } from '@jest/globals';
import { type ChildProcess, execFile, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { limitsInEnvironment, PATIENT, STRETCHED } from './databases/time-limits.js';
import { Client } from './http/client.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Timeout in milliseconds; a start takes about one second on an idle machine. */
const START_TIMEOUT = 60_000;
/** Timeout in milliseconds; copying a large database takes ten seconds on an idle machine. */
const COMMAND_TIMEOUT = 500_000;
export const KEY = 'key-of-the-tests';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How a process ended, and its output. */
export interface End extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/** The service in its own process, which a test can signal and crash. */
export interface BuiltService {
  readonly port: number;
  readonly api: Client;
  readonly exit: Promise<Exit>;
  /** Its output so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  kill(signal: NodeJS.Signals): void;
}

const running = new Set<ChildProcess>();
const killAll = (): void => {
  for (const child of running) child.kill('SIGKILL');
};

afterAll(killAll);
process.once('exit', killAll);

/** The database is a URL or the name of an SQLite file. */
function addressOf(database: string): string {
  return /^(sqlite|postgres):/.test(database) ? database : `sqlite:${database}`;
}

/** A new directory, removed at the end of the run. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'service-'));
}

/** Checks that a process failed with one sentence and no stack trace, and returns the sentence. */
export function errorMessageOf({ code, stdout, stderr }: End): string {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^[A-Z][^\n]*\.\n$/);
  expect(stderr).not.toMatch(/\n {4}at |node:internal|Error:/);
  return stderr.trimEnd();
}

/** Starts the service and waits until it listens. Throws its output if it does not. */
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

/** Stops the service with SIGTERM. */
export async function stopService(service: BuiltService): Promise<void> {
  service.kill('SIGTERM');
  expect(await service.exit).toEqual({ code: 0, signal: null });
}

const START_MESSAGE = /^Pet Store +http:\S+:(\d+)\/v1$/m;

/** Runs a service that should not start, until it ends. Kills it when it listens, or after a timeout. */
export function runService(database: string, env: Environment = {}): Promise<End> {
  return runCommand(database, ['main.js'], env);
}

/** Runs a command, a file of `dist` with arguments, until it ends, or kills it after a timeout. */
export async function runCommand(database: string, command: readonly string[], env: Environment = {}): Promise<End> {
  const { child, output, exit } = await spawnService(database, env, command);
  child.stdout.on('data', () => START_MESSAGE.test(output.stdout) && child.kill('SIGKILL'));
  const deadline = setTimeout(() => {
    output.stderr += `The test killed this process after ${COMMAND_TIMEOUT} ms.`;
    child.kill('SIGKILL');
  }, COMMAND_TIMEOUT);
  const end = await exit;
  clearTimeout(deadline);
  return { ...end, ...output };
}

/** Runs a command by a script for the shell, which gets it in $0 and $@. */
export async function runInShell(
  script: string,
  database: string,
  [file, ...args]: readonly string[],
  cwd = temporaryDirectory(),
): Promise<End> {
  const command = [process.execPath, resolve(await build(), 'dist', file!), ...args];
  const { output, exit } = spawnProcess('sh', ['-c', script, ...command], {
    cwd,
    env: { PATH: process.env.PATH, DATABASE_URL: addressOf(database), ...limitsInEnvironment(PATIENT) },
  });
  return { ...(await exit), ...output };
}

/** Starts the process without waiting for it. */
export async function spawnService(
  database: string,
  env: Environment = {},
  [file, ...args]: readonly string[] = ['main.js'],
) {
  const script = resolve(await build(), 'dist', file!);
  const limits = limitsInEnvironment(file === 'main.js' ? STRETCHED : PATIENT);
  const settings = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', LOG_REQUESTS: 'none', API_KEYS: KEY };
  const variables = { PATH: process.env.PATH, ...settings, ...limits, DATABASE_URL: addressOf(database), ...env };
  return spawnProcess(process.execPath, [script, ...args], {
    // A start must not write files to the repository.
    cwd: temporaryDirectory(),
    env: Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined)),
  });
}

/** Starts any process; it is killed after the tests. */
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

/** The port that the start message names. */
export async function listeningPort(output: { stdout: string; stderr: string }, exit: Promise<Exit>): Promise<number> {
  const hasEnded = exit.then(() => true);
  for (const deadline = Date.now() + START_TIMEOUT; Date.now() < deadline;) {
    const port = START_MESSAGE.exec(output.stdout)?.[1];
    if (port !== undefined) return Number(port);
    if (await Promise.race([hasEnded, delay(10)]))
      throw new Error(`the service ended while starting: ${output.stderr}`);
  }
  throw new Error(`the service does not listen: ${output.stdout}${output.stderr}`);
}

/**
 * Compiles `src` once for a whole run, so no test depends on an earlier build. It does not check types: another command
 * does.
 */
export async function build(): Promise<string> {
  const directory = join(process.env.TEST_RUN_DIRECTORY ?? temporaryDirectory(), 'built');
  const done = join(directory, 'done');
  try {
    mkdirSync(directory);
  } catch {
    // Another test file is building.
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
    await promisify(execFile)(process.execPath, [join(ROOT, 'bundle/bundle.mjs'), join(directory, 'dist')], {
      cwd: ROOT,
    });
  } finally {
    // Also after a failed build, so other test files stop waiting.
    writeFileSync(done, '');
  }
  return directory;
}
