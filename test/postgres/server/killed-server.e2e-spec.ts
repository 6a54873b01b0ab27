import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPostgres } from '../../support/databases/run-postgres.js';

/** Whether the System V segment of this id exists. */
const isShared = (id: string): boolean =>
  readFileSync('/proc/sysvipc/shm', 'utf8')
    .split('\n')
    .some((line) => line.trim().split(/\s+/)[1] === id);

const onLinux = process.platform === 'linux' ? it : it.skip;

// The system keeps both until it is restarted, and allows 4,096 segments.
onLinux(
  'a PostgreSQL of the tests that was killed leaves no shared memory behind',
  async () => {
    const directory = join(process.env.TEST_RUN_DIRECTORY!, `postgres-${randomBytes(4).toString('hex')}`);
    const server = await runPostgres(directory);
    const lines = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    const segment = lines[6]!.trim().split(/\s+/)[1]!;
    const files = readFileSync(`/proc/${pid}/maps`, 'utf8').match(/\/dev\/shm\/PostgreSQL\S+/g) ?? [];
    expect(isShared(segment)).toBe(true);
    process.kill(pid, 'SIGKILL');
    await server.stop();
    expect({ files: files.filter(existsSync), isShared: isShared(segment) }).toEqual({ files: [], isShared: false });
  },
  60_000,
);
