import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildScript } from '../../support/build-with.js';
import { type Exit, KEY, spawnProcess } from '../../support/built-service.js';
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

/** Compiles the shop, and returns its script. */
export const buildShop = (): Promise<string> => buildScript(ENTRY);

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
