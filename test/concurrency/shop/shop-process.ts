import { execFile } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Exit, KEY, spawnProcess, temporaryDirectory } from '../../support/built-service.js';
import { contractCheck } from '../../support/contract/contract-check.js';
import { Client } from '../../support/http/client.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ENTRY = 'test/concurrency/shop/serve-shop';
const CONTRACT = join(ROOT, 'test/concurrency/shop/shop.openapi.yaml');

/** The shop in its own process, which a test can kill. */
export interface ShopProcess {
  readonly api: Client;
  readonly exit: Promise<Exit>;
  kill(signal: NodeJS.Signals): void;
}

export const buildShop = (): Promise<string> => buildScript(ENTRY);

/** Compiles a file without checking its types, and returns its script. `entry` is its path without `.ts`. */
export async function buildScript(entry: string): Promise<string> {
  const directory = temporaryDirectory();
  copyFileSync(join(ROOT, 'package.json'), join(directory, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'), 'junction');
  const project = join(directory, 'tsconfig.json');
  const compilerOptions = { rootDir: ROOT, outDir: directory, noCheck: true, sourceMap: false };
  const files = [join(ROOT, `${entry}.ts`)];
  writeFileSync(project, JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }));
  await promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project]);
  return join(directory, `${entry}.js`);
}

/** Starts the script that `buildShop` returned, and waits until it listens. */
export async function startShop(script: string, env: Readonly<Record<string, string>>): Promise<ShopProcess> {
  const variables = { PATH: process.env.PATH, LOG_LEVEL: 'error', API_KEYS: KEY, MIGRATE_ON_START: 'true', ...env };
  const { child, output, exit } = spawnProcess(process.execPath, [script, CONTRACT], { env: variables });
  const hasEnded = exit.then(() => true);
  while (!output.stdout.includes('\n')) {
    if (await Promise.race([hasEnded, delay(5)])) throw new Error(`The shop did not start: ${output.stderr}`);
  }
  const api = new Client({ port: Number(output.stdout), key: KEY, check: contractCheck({ contractFile: CONTRACT }) });
  void exit.then(() => api.close());
  return { api, exit, kill: (signal) => void child.kill(signal) };
}
