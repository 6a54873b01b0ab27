import { beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildScript } from '../../support/build-with.js';
import { KEY, spawnProcess, temporaryDirectory } from '../../support/built-service.js';
import { Client } from '../../support/http/client.js';

const CONTRACT = fileURLToPath(new URL('../../../openapi.yaml', import.meta.url));
/** Milliseconds for the compilation and a start on a busy machine. */
const TIME = 240_000;

let script: string;

beforeAll(async () => {
  script = await buildScript('test/process/slow-start/serve-after-signal');
}, TIME);

describe('a start that has failed while a hook of a feature waits to stop', () => {
  it(
    'says why, and which hooks to look for, and ends once the hook has settled',
    async () => {
      const env = { PATH: process.env.PATH, API_KEYS: KEY, DATABASE_URL: `sqlite:${temporaryDirectory()}/pets.sqlite` };
      const { child, output, exit } = spawnProcess(process.execPath, [script, CONTRACT, 'failing'], { env });
      while (!output.stderr.includes('have not st')) {
        expect(child.exitCode).toBeNull();
        await delay(20);
      }
      expect(output.stderr).not.toContain('have not started');
      const line = output.stderr.split('\n').find((text) => text.includes('have not stopped'));
      expect(JSON.parse(line!)).toMatchObject({
        level: 40,
        context: 'Start',
        msg: expect.stringMatching(
          /^The start has failed \(.*Waiting\.onModuleInit failed at the start \(There is no broker\.\); .*\), but its modules have not stopped within 10 s; look for a hook \(onModuleDestroy, beforeApplicationShutdown, onApplicationShutdown\) whose promise has yet to settle\.$/,
        ),
      });
      child.kill('SIGUSR2');
      await exit;
      expect(child.exitCode).toBe(1);
    },
    TIME,
  );
});

describe('a start while a hook of a feature waits', () => {
  it(
    'says so in the log again and again, and serves once the hook has settled',
    async () => {
      const env = { PATH: process.env.PATH, API_KEYS: KEY, DATABASE_URL: `sqlite:${temporaryDirectory()}/pets.sqlite` };
      const { child, output, exit } = spawnProcess(process.execPath, [script, CONTRACT], { env });
      const until = async (isReached: () => boolean): Promise<void> => {
        while (!isReached()) {
          expect(child.exitCode).toBeNull();
          await delay(20);
        }
      };
      const warnings = () =>
        output.stderr
          .split('\n')
          .filter((line) => line.includes('have not started'))
          .map((line) => JSON.parse(line) as { level: number; msg: string });

      await until(() => warnings().length >= 2);
      expect(output.stdout).toBe('');
      child.kill('SIGUSR2');
      await until(() => output.stdout.includes('\n'));

      expect(warnings().slice(0, 2)).toEqual(
        [10, 20].map((seconds) => ({
          level: 40,
          time: expect.any(Number),
          pid: expect.any(Number),
          hostname: expect.any(String),
          context: 'Start',
          msg: `The modules have not started within ${seconds} s; look for a factory of a provider, or a hook (onModuleInit, onApplicationBootstrap), whose promise has yet to settle.`,
        })),
      );
      const client = new Client({ port: Number.parseInt(output.stdout, 10), key: KEY });
      expect((await client.get('/ready')).status).toBe(200);
      client.close();
      child.kill('SIGKILL');
      await exit;
    },
    TIME,
  );
});
