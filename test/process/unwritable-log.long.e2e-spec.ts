import { describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, KEY, listeningPort, spawnProcess, temporaryDirectory } from '../support/built-service.js';
import { scrape } from '../observability/metrics.js';
import { Client } from '../support/http/client.js';
import { untilServed } from '../support/http/until-served.js';

/** Milliseconds for a start and possibly the build, on a busy machine. */
const TIME = 240_000;
/** With stacks of more than a kilobyte, this exceeds what a pipe and the service keep. */
const FAILURES = 2_000;

/** Runs a command without the right to open files of which the modes forbid it. Nobody but the administrator has it. */
const AS_OTHERS = process.getuid?.() === 0 ? 'setpriv --bounding-set=-dac_override,-dac_read_search' : '';

interface Log {
  /** What the shell redirects standard error to. */
  readonly target: string;
  /** Called when the service listens. */
  readonly started?: () => void;
}

/** A pipe that this process has open and does not read. */
function newPipe() {
  const target = join(temporaryDirectory(), 'log');
  execFileSync('mkfifo', [target]);
  return { target, fd: openSync(target, 'r+') };
}

/** Starts the service, makes requests fail unexpectedly, and returns it while its log is unwritable. */
async function failRequests({ target, started }: Log) {
  const file = join(temporaryDirectory(), 'pets.sqlite');
  const script = resolve(await build(), 'dist/main.js');
  const redirect = target === 'inherited' ? '' : ` 2>'${target}'`;
  const { child, output, exit } = spawnProcess('sh', ['-c', `exec "$0" "$1"${redirect}`, process.execPath, script], {
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      API_KEYS: KEY,
      DATABASE_URL: `sqlite:${file}`,
      LOG_REQUESTS: 'none',
      ADMIN_PORT: '0',
    },
  });
  const api = new Client({ port: await listeningPort(output, exit), key: KEY });
  started?.();
  if (target === 'inherited') child.stderr.pause();
  new Database(file).exec('DROP TABLE pets').close();
  // Few at a time, so that none is refused because of overload, which has log lines of its own.
  for (let sent = 0; sent < FAILURES; sent += 10) {
    const responses = await Promise.all(Array.from({ length: 10 }, () => untilServed(() => api.get('/v1/pets'))));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([500]));
  }
  const metricsUrl = /http:\S+\/metrics$/m.exec(output.stdout)![0];
  return { api, child, dropped: async () => (await scrape(metricsUrl)).get('log_lines_dropped_total') };
}

async function expectToServeAndStop({ api, child }: Awaited<ReturnType<typeof failRequests>>): Promise<void> {
  expect((await api.get('/live')).status).toBe(200);
  api.close();
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
}

describe('a log that cannot be written', () => {
  it(
    'does not affect requests or the stop: a full disk',
    async () => {
      await expectToServeAndStop(await failRequests({ target: '/dev/full' }));
    },
    TIME,
  );

  it(
    'does not affect requests or the stop: a pipe whose reader has stopped',
    async () => {
      const { target, fd } = newPipe();
      await expectToServeAndStop(await failRequests({ target }));
      closeSync(fd);
    },
    TIME,
  );

  it(
    'does not affect requests or the stop: a pipe whose reader is gone',
    async () => {
      const { target, fd } = newPipe();
      await expectToServeAndStop(await failRequests({ target, started: () => closeSync(fd) }));
    },
    TIME,
  );

  it(
    'does not affect requests or the stop: a socket whose reader has stopped',
    async () => {
      await expectToServeAndStop(await failRequests({ target: 'inherited' }));
    },
    TIME,
  );

  it(
    'loses whole lines only, counts them in the metrics, and reports their number once it can be written again',
    async () => {
      const { target, fd } = newPipe();
      const service = await failRequests({ target });
      const counted = await service.dropped();
      const entries = () =>
        text
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Entry);
      let text = '';
      const chunk = Buffer.alloc(65_536);
      while (!text.includes('Lines were dropped')) {
        text += chunk.toString('utf8', 0, readSync(fd, chunk));
        await service.api.get('/live');
      }
      while (!text.endsWith('\n')) text += chunk.toString('utf8', 0, readSync(fd, chunk));
      const dropped = entries().find(({ context }) => context === 'Log');
      const written = entries().filter(({ context }) => context === 'ErrorFilter').length;
      expect(dropped?.count).toBeGreaterThan(0);
      expect(written + dropped!.count!).toBe(FAILURES);
      expect(counted).toBe(dropped!.count);
      await expectToServeAndStop(service);
      closeSync(fd);
    },
    TIME,
  );
});

describe('a log on a terminal that the service may not open', () => {
  it(
    'does not prevent the start',
    async () => {
      const script = resolve(await build(), 'dist/main.js');
      // The administrator may open any file until that right is taken away.
      const start = `chmod 0 "$(tty)" && exec ${AS_OTHERS} '${process.execPath}' '${script}'`;
      const { output, exit } = spawnProcess('script', ['--quiet', '--return', '--command', start, '/dev/null'], {
        env: {
          PATH: process.env.PATH,
          SHELL: '/bin/sh',
          HOST: '127.0.0.1',
          PORT: '0',
          API_KEYS: KEY,
          DATABASE_URL: `sqlite:${join(temporaryDirectory(), 'pets.sqlite')}`,
        },
      });
      const api = new Client({ port: await listeningPort(output, exit), key: KEY });
      expect((await api.get('/v1/pets')).status).toBe(200);
      api.close();
    },
    TIME,
  );
});

describe('the end of a process with lines that the reader of a socket has not taken', () => {
  it(
    'waits for the reader, but not for long',
    async () => {
      const module = resolve(await build(), 'dist/src/platform/process/log-destination.js');
      const program = `
        const { LogDestination } = await import('${module}');
        let start;
        process.on('exit', () => (start = performance.now()));
        const log = new LogDestination(2, () => undefined);
        process.on('exit', () => console.log(performance.now() - start));
        for (let line = 0; line < 10; line += 1) log.write('x'.repeat(100_000));
        setTimeout(() => process.exit(), 200);`;
      const { child, output, exit } = spawnProcess(process.execPath, ['--input-type=module', '--eval', program], {});
      child.stderr.pause();
      await once(child, 'exit');
      child.stderr.resume();
      await exit;
      expect(Number(output.stdout)).toBeGreaterThan(400);
    },
    TIME,
  );
});

interface Entry {
  readonly context: string;
  readonly count?: number;
}
