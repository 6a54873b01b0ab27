import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AcceptedKeys } from '../../../src/auth/accepted-keys.js';
import { ApiKeys } from '../../../src/auth/api-keys.js';
import { startApp } from '../../support/start-app.js';
import { type Fault, serveWithFault } from './faulty-proxy.js';

const VERIFY = fileURLToPath(new URL('../../../tools/verify/run.mjs', import.meta.url));
/** Milliseconds for about a hundred requests and a process. */
export const TIME = 240_000;

interface Result {
  readonly operation: string;
  readonly what: string;
  readonly differences: readonly string[];
}

interface End {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const verify = (...args: string[]): Promise<End> => verifyAt(VERIFY, ...args);

/** `command` is the command, or a copy with another contract. */
export async function verifyAt(command: string, ...args: string[]): Promise<End> {
  const run = promisify(execFile)(process.execPath, [command, ...args]);
  return run.then(
    (output) => ({ code: 0, ...output }),
    (error: End) => error,
  );
}

/** A service with a key of the scope read, behind a proxy with a fault. */
export async function startBehind(fault: Fault) {
  const service = await startApp();
  const readKey = (await service.app.get(ApiKeys).create('reader', { scope: 'read' }))!;
  await service.app.get(AcceptedKeys).refresh();
  const { url, server } = await serveWithFault(service, fault);
  return { service, url, readKey, close: () => server.close().closeAllConnections() };
}

/** `operation, check: differences` of each row that differs behind a proxy with a fault, and how the command ended. */
export async function differencesBehind(fault: Fault): Promise<{ code: number; lines: string[] }> {
  const { service, url, close } = await startBehind(fault);
  const { code, stdout } = await verify('--url', `${url}/v1`, '--key', service.key, '--json');
  close();
  const { results } = JSON.parse(stdout) as { results: Result[] };
  const differing = results.filter(({ differences }) => differences.length > 0);
  const lines = differing.map(({ operation, what, differences }) => `${operation}, ${what}: ${differences.join('; ')}`);
  return { code, lines };
}
