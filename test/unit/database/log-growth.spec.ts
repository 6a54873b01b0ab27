import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LogGrowth } from '../../../src/platform/database/sqlite/files/log-growth.js';

const MIB = 2 ** 20;
const log = { path: 'pets.sqlite-wal', sizeInOrder: 0 };

let lines: string[];
let pending: { frames: number; bytes: number } | undefined;
let growth: LogGrowth;

beforeEach(() => {
  jest.useFakeTimers();
  lines = [];
  log.sizeInOrder = 0;
  const add = (line: string): void => void lines.push(line);
  growth = new LogGrowth(log, { pending: () => pending }, { log: add, warn: add });
});

afterEach(() => void jest.useRealTimers());

/** Looks twice a second, after commits that each add frames, of which `copied` says how many MiB are in the database. */
function commitFor(seconds: number, commits: number, copied = 0): void {
  for (let look = 0; look < 2 * seconds; look += 1) {
    log.sizeInOrder += commits * MIB;
    pending = { frames: log.sizeInOrder, bytes: log.sizeInOrder - copied * MIB };
    growth.report();
    jest.advanceTimersByTime(500);
  }
}

describe('a write-ahead log', () => {
  it('is reported once when it keeps growing, and once when it is short', () => {
    log.sizeInOrder = 300 * MIB;
    commitFor(60, 1);
    expect(lines).toEqual([
      'pets.sqlite-wal has 321 MiB and may grow until the disk is full: end the other process that reads the database for so long ("fuser pets.sqlite-wal" lists it, and this service).',
    ]);
    log.sizeInOrder = 64 * MIB;
    commitFor(60, 0);
    expect(lines.slice(1)).toEqual(['pets.sqlite-wal has 64 MiB again.']);
  });

  it('is not reported while nothing is added to it, nor when that copies it to the database', () => {
    log.sizeInOrder = 1000 * MIB;
    commitFor(60, 0);
    commitFor(60, 1, 1000);
    expect(lines).toEqual([]);
  });

  it('is not reported when it is copied within seconds, each time that it is large', () => {
    for (let round = 0; round < 10; round += 1) {
      log.sizeInOrder = 300 * MIB;
      commitFor(5, 1);
      commitFor(5, 1, 300);
    }
    expect(lines).toEqual([]);
  });

  it('is not reported while the database is locked', () => {
    log.sizeInOrder = 300 * MIB;
    pending = undefined;
    for (let look = 0; look < 100; look += 1) {
      growth.report();
      jest.advanceTimersByTime(500);
    }
    expect(lines).toEqual([]);
  });
});
