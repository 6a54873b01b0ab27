import { describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { setTimeout as delay } from 'node:timers/promises';
import {
  build,
  type BuiltService,
  KEY,
  listeningPort,
  runCommand,
  spawnProcess,
  startService,
  stopService,
} from '../support/built-service.js';
import { Client } from '../support/http/client.js';
import { listRequest } from '../support/http/raw/raw-requests.js';
import { sendRaw } from '../support/http/raw/send-raw.js';
import { newDatabaseFile, TIME } from '../process/starts.js';

type Line = Readonly<Record<string, unknown>>;

const ALL = { LOG_LEVEL: 'info', LOG_REQUESTS: 'all' };

/** Returns once the log has `count` lines. */
async function untilLines({ output }: BuiltService, count: number): Promise<void> {
  while (output.stderr.split('\n').length <= count) await delay(10);
}

describe('the log of requests', () => {
  it(
    'has no key, no body and no path',
    async () => {
      const service = await startService(newDatabaseFile(), ALL);
      await service.api.post('/v1/pets', { name: 'A secret name', categoryId: 7 });
      await service.api.post('/v1/pets', { name: 'A secret name' });
      await service.api.get('/v1/pets?secret=1', { key: 'a-secret-key' });
      await service.api.get('/secret');
      await untilLines(service, 4);
      await stopService(service);
      for (const secret of [KEY, 'secret']) expect(service.output.stderr).not.toContain(secret);
    },
    TIME,
  );
});

describe('the name of a key and the headers of a request', () => {
  it(
    'cannot forge a line of the log',
    async () => {
      const file = newDatabaseFile();
      const name = 'shop\r\n{"level":60,"msg":"forged"}\u2028\u0085\u001b[31m\u009b31m';
      const { stdout } = await runCommand(file, ['src/commands/keys.js', 'create', 'shop', '--json']);
      const { key } = JSON.parse(stdout) as { key: string };
      // Earlier releases accepted any name.
      new Database(file).exec(`UPDATE "api_keys" SET "name" = '${name}'`).close();
      const service = await startService(file, ALL);
      await service.api.get('/v1/pets', { key });
      const forged = '{"level":60,"msg":"forged"}';
      const values = [`a\u2028${forged}`, `a\u0085${forged}`, `a\u001b[31m${forged}`, `a\u009b31m${forged}`, forged];
      const names = ['X-Request-Id', 'traceparent', 'tracestate', 'User-Agent', 'Referer', 'X-Forwarded-For', 'Accept'];
      for (const value of values) {
        const bytes = Buffer.from(listRequest(key, ...names.map((header) => `${header}: ${value}`)));
        await sendRaw(service.port, bytes);
      }
      await untilLines(service, values.length + 1);
      await stopService(service);
      const { stderr } = service.output;
      // oxlint-disable-next-line no-control-regex
      expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
      const lines = stderr.split('\n').slice(0, -1);
      expect(lines.map((line) => (JSON.parse(line) as Line).level)).toEqual(lines.map(() => 30));
      const isForged = ({ keyName, key: created }: Line) => keyName !== name && created !== name;
      expect(lines.filter((line) => line.includes('forged') && isForged(JSON.parse(line) as Line))).toEqual([]);
    },
    TIME,
  );
});

describe('on a terminal', () => {
  it(
    'the line of a request is readable text',
    async () => {
      const script = `${await build()}/dist/main.js`;
      const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', API_KEYS: KEY, ...ALL };
      const { child, output, exit } = spawnProcess(
        'script',
        ['-qec', `'${process.execPath}' '${script}'`, '/dev/null'],
        {
          env: { ...env, DATABASE_URL: `sqlite:${newDatabaseFile()}` },
        },
      );
      const api = new Client({ port: await listeningPort(output, exit), key: KEY });
      await api.get('/v1/pets', { headers: { 'X-Request-Id': 'order-7' } });
      api.close();
      while (!output.stdout.includes('order-7')) await delay(10);
      const line = output.stdout.split(/\r?\n/).find((text) => text.includes('order-7'));
      expect(line).toMatch(
        /^\d\d:\d\d:\d\d\.\d{3} INFO Request method=GET operationId=listPets status=200 durationMs=[\d.]+ bytes=2 keyName="API_KEYS 1" requestId=order-7$/,
      );
      child.kill('SIGTERM');
      await exit;
    },
    TIME,
  );
});
