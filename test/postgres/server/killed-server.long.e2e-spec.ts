import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runPostgres } from '../../support/databases/run-postgres.js';

const PROCESSES = new URL('../../scale/cluster/processes.mjs', import.meta.url).href;
const { childrenOf, cutPower } = (await import(PROCESSES)) as {
  readonly childrenOf: (pid: number) => number[];
  readonly cutPower: (pids: readonly number[]) => void;
};

/** Whether the System V segment of this id exists. */
const isShared = (id: string): boolean =>
  readFileSync('/proc/sysvipc/shm', 'utf8')
    .split('\n')
    .some((line) => line.trim().split(/\s+/)[1] === id);

const onLinux = process.platform === 'linux' ? it : it.skip;

/** Starts a PostgreSQL, and returns its shared memory. */
async function startServer(settings?: Readonly<Record<string, string>>) {
  const directory = join(process.env.TEST_RUN_DIRECTORY!, `postgres-${randomBytes(4).toString('hex')}`);
  const server = await runPostgres(directory, { settings });
  const lines = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n');
  const pid = Number(lines[0]);
  const segment = lines[6]!.trim().split(/\s+/)[1]!;
  const files = readFileSync(`/proc/${pid}/maps`, 'utf8').match(/\/dev\/shm\/PostgreSQL\S+/g) ?? [];
  expect(isShared(segment)).toBe(true);
  return { server, pid, files, left: () => ({ files: files.filter(existsSync), isShared: isShared(segment) }) };
}

const NOTHING = { files: [], isShared: false };

// The system keeps both until it is restarted, and allows 4,096 segments.
onLinux(
  'a PostgreSQL of the tests that was killed leaves no shared memory behind',
  async () => {
    const { server, pid, left } = await startServer();
    process.kill(pid, 'SIGKILL');
    await server.stop();
    expect(left()).toEqual(NOTHING);
  },
  60_000,
);

onLinux(
  'a PostgreSQL of test:scale whose power was cut leaves no shared memory behind',
  async () => {
    const { server, pid, files, left } = await startServer({ dynamic_shared_memory_type: 'posix' });
    expect(files).not.toEqual([]);
    cutPower([pid, ...childrenOf(pid)]);
    // The last process that ends takes the segment along.
    for (let waited = 0; left().isShared && waited < 200; waited += 1) await delay(50);
    expect(left()).toEqual(NOTHING);
    await server.stop();
  },
  60_000,
);
