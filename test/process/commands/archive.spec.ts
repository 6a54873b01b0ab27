import { beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../support/built-service.js';
import { operationsSection } from '../../support/operations-page.js';

const SEGMENT = '000000010000000000000003';
/** Bytes of a segment: more than the limit of the attempt that is cut short. */
const SIZE = 64 * 1024;

describe('the archive_command of docs/operations.md', () => {
  let data: string;
  let archived: string;
  let command: string;

  beforeEach(() => {
    const home = join(temporaryDirectory(), 'back ups');
    data = join(home, 'data');
    archived = join(home, 'archive/wal', SEGMENT);
    mkdirSync(join(data, 'pg_wal'), { recursive: true });
    writeFileSync(join(data, 'pg_wal', SEGMENT), randomBytes(SIZE));
    const [, session] = /```console\n(.*?)```/s.exec(operationsSection('PostgreSQL at any moment'))!;
    execFileSync('sh', ['-euc', session!.replaceAll(/^\$ /gm, '')], {
      env: { PATH: process.env.PATH, PGDATA: data, BACKUPS: join(home, 'archive') },
    });
    const [, value] = /^archive_command = '([^'\\]+)'$/m.exec(
      readFileSync(join(data, 'postgresql.auto.conf'), 'utf8'),
    )!;
    command = value!.replaceAll('%p', `pg_wal/${SEGMENT}`).replaceAll('%f', SEGMENT);
  });

  /** As PostgreSQL runs it; returns the code of its exit. */
  const archive = (before = ''): number | null =>
    spawnSync('sh', ['-c', `${before}${command}`], { cwd: data, encoding: 'utf8' }).status;

  const expectArchived = (): void =>
    expect(readFileSync(archived).equals(readFileSync(join(data, 'pg_wal', SEGMENT)))).toBe(true);

  it('archives a segment in a folder whose name has spaces', () => {
    expect(archive()).toBe(0);
    expectArchived();
  });

  it('archives a segment after an attempt whose copy was cut short', () => {
    // At most 4 KiB may be written, as on a disk that has become full.
    expect(archive('ulimit -f 8; ')).not.toBe(0);
    expect(archive()).toBe(0);
    expectArchived();
  });

  it('succeeds again when the server did not hear that a segment was archived', () => {
    expect(archive()).toBe(0);
    expect(archive()).toBe(0);
    expectArchived();
  });

  it('fails when another segment of that name is in the archive, and keeps it', () => {
    writeFileSync(archived, 'precious');
    expect(archive()).not.toBe(0);
    expect(readFileSync(archived, 'utf8')).toBe('precious');
  });
});
