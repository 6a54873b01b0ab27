import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteFileGuard } from '../../src/platform/database/sqlite/files/sqlite-file-guard.js';
import { SqliteReads } from '../../src/platform/database/sqlite/sqlite-reads.js';
import { DatabaseUnavailable } from '../../src/platform/database/tables/database-unavailable.js';

let directory: string;
let reader: Database.Database;
/** The connection of another process, as far as SQLite is concerned. */
let writer: Database.Database;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'reads-'));
  writer = new Database(join(directory, 'pets.sqlite'));
  writer.pragma('journal_mode = WAL');
  writer.exec('CREATE TABLE toys (name text)');
  reader = new Database(join(directory, 'pets.sqlite'));
  // Reads that take longer than a millisecond continue in the next turn.
  jest.spyOn(performance, 'now').mockReturnValue(1);
});

afterEach(() => {
  jest.restoreAllMocks();
  reader.close();
  writer.close();
  rmSync(directory, { recursive: true });
});

const count = () => reader.prepare('SELECT count(*) FROM toys').pluck().get();
const insert = () => writer.exec("INSERT INTO toys VALUES ('ball')");

describe('reads of one turn of the event loop', () => {
  it('share a transaction, so that all see the same rows', async () => {
    const reads = new SqliteReads(reader, SqliteFileGuard.of(reader));
    const insertAfterCounting = () => {
      const before = count();
      insert();
      return before;
    };
    expect(await Promise.all([reads.add(insertAfterCounting), reads.add(count)])).toEqual([0, 0]);
    expect(await reads.add(count)).toBe(1);
  });

  it('leave no transaction open', async () => {
    const reads = new SqliteReads(reader, SqliteFileGuard.of(reader));
    await Promise.all([reads.add(count), reads.add(count)]);
    expect(reader.inTransaction).toBe(false);
    expect(() => writer.pragma('wal_checkpoint(TRUNCATE)')).not.toThrow();
  });

  it('need no transaction when there is only one', async () => {
    const reads = new SqliteReads(reader, SqliteFileGuard.of(reader));
    expect(await reads.add(() => reader.inTransaction)).toBe(false);
    expect(await Promise.all([1, 2].map(() => reads.add(() => reader.inTransaction)))).toEqual([true, true]);
  });

  it('succeed when another one fails', async () => {
    const reads = new SqliteReads(reader, SqliteFileGuard.of(reader));
    const missing = () => reader.prepare('SELECT * FROM missing').all();
    const [first, failed, last] = await Promise.allSettled([reads.add(count), reads.add(missing), reads.add(count)]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'no such table: missing' } });
    expect([first, last]).toEqual([
      { status: 'fulfilled', value: 0 },
      { status: 'fulfilled', value: 0 },
    ]);
  });

  it('all fail with DatabaseUnavailable when the connection is closed', async () => {
    const reads = new SqliteReads(reader, SqliteFileGuard.of(reader));
    reader.close();
    const outcomes = await Promise.allSettled([reads.add(count), reads.add(count)]);
    expect(outcomes).toEqual(
      [1, 2].map(() => ({ status: 'rejected', reason: expect.any(DatabaseUnavailable) as unknown })),
    );
  });

  it('run at once when the first has waited for a millisecond', async () => {
    const reads = new SqliteReads(reader, SqliteFileGuard.of(reader));
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    let runs = 0;
    const results = [1, 2].map(() => reads.add(() => (runs += 1)));
    now.mockReturnValue(1);
    results.push(reads.add(() => (runs += 1)));
    expect(runs).toBe(3);
    expect(await Promise.all(results)).toEqual([1, 2, 3]);
  });

  it('continue in the next turn after a millisecond, so that the first results can be sent', async () => {
    const reads = new SqliteReads(reader, SqliteFileGuard.of(reader));
    let time = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => time);
    const events: string[] = [];
    const slow = (name: string) => reads.add(() => ((time += 0.6), events.push(`read ${name}`)));
    const results = ['a', 'b', 'c', 'd', 'e'].map((name) => slow(name).then(() => events.push(`send ${name}`)));
    await Promise.all(results);
    expect(events.join(', ')).toBe('read a, read b, send a, send b, read c, read d, send c, send d, read e, send e');
  });

  it('run inside a transaction that the connection has begun', async () => {
    const reads = new SqliteReads(reader, SqliteFileGuard.of(reader));
    reader.exec("BEGIN; INSERT INTO toys VALUES ('ball')");
    expect(await Promise.all([reads.add(count), reads.add(count)])).toEqual([1, 1]);
    expect(reader.inTransaction).toBe(true);
    reader.exec('ROLLBACK');
  });
});
