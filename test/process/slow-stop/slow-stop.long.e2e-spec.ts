import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildScript } from '../../support/build-with.js';
import { type Exit, KEY, spawnProcess, temporaryDirectory } from '../../support/built-service.js';
import { Client } from '../../support/http/client.js';

const CONTRACT = fileURLToPath(new URL('../../../openapi.yaml', import.meta.url));
/** Milliseconds for the compilation and a start on a busy machine. */
const TIME = 120_000;
/** Milliseconds of a job that no test waits for. */
const ENDLESS = 600_000;

let script: string;
let api: Client | undefined;

beforeAll(async () => {
  script = await buildScript('test/process/slow-stop/serve-slowly');
}, TIME);

afterEach(() => api?.close());

/** A service that has got SIGTERM, and whose job still has a step of so many milliseconds to do. */
async function stopDuring(step: number, env: Readonly<Record<string, string>>) {
  const variables = {
    PATH: process.env.PATH,
    API_KEYS: KEY,
    DATABASE_URL: `sqlite:${temporaryDirectory()}/pets.sqlite`,
    LOG_LEVEL: 'error',
    ...env,
  };
  const { child, output, exit } = spawnProcess(process.execPath, [script, String(step), CONTRACT], { env: variables });
  let end: Exit | undefined;
  void exit.then((ended) => (end = ended));
  const until = async (text: string): Promise<void> => {
    while (!output.stdout.includes(text)) {
      if (end) throw new Error(`The service has ended: ${output.stderr}`);
      await delay(5);
    }
  };
  await until('\n');
  const client = (api = new Client({ port: Number.parseInt(output.stdout, 10), key: KEY }));
  expect((await client.get('/ready')).status).toBe(200);
  child.kill('SIGTERM');
  await until('stopping');
  return { output, exit, client };
}

describe('a stop while the job of a feature finishes its step', () => {
  it(
    'makes /ready red at once, and serves for the grace period',
    async () => {
      const { client } = await stopDuring(ENDLESS, { SHUTDOWN_GRACE_MS: '60000' });
      const { status, json } = await client.get('/ready');
      expect(status).toBe(503);
      expect(json).toMatchObject({ checks: { notDraining: false } });
      const list = await client.get('/v1/pets');
      expect([list.status, list.header('connection')]).toEqual([200, 'close']);
    },
    TIME,
  );

  it(
    'exits with 1 and says why when the step takes longer than the deadline',
    async () => {
      const { output, exit } = await stopDuring(ENDLESS, { SHUTDOWN_TIMEOUT_MS: '1000' });
      expect(await exit).toEqual({ code: 1, signal: null });
      expect(output.stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(JSON.parse(output.stderr)).toMatchObject({
        level: 50,
        msg: 'The service exits before it has stopped: a module or the database takes too long.',
      });
    },
    TIME,
  );
});
