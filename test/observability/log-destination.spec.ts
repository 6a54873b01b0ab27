import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogDestination } from '../../src/platform/process/log-destination.js';

/** More than a pipe takes at once. */
const LINE = `${'x'.repeat(130_000)}\n`;
const START = 1000;

/** A pipe whose reader is this process. */
let pipe: number;
let destination: LogDestination;
/** Milliseconds of a clock that only pauses move. */
let now: number;
/** Called during each pause. */
let whilePaused: () => void;

function readPipe(): number {
  return readSync(pipe, Buffer.alloc(65_536));
}

beforeEach(() => {
  const directory = mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'log-'));
  const file = join(directory, 'pipe');
  execFileSync('mkfifo', [file]);
  pipe = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  destination = new LogDestination(pipe, () => {});
  now = START;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  jest.spyOn(Atomics, 'wait').mockImplementation((_array, _index, _value, milliseconds) => {
    now += milliseconds!;
    whilePaused();
    return 'timed-out';
  });
  destination.write(LINE);
});

afterEach(() => {
  jest.restoreAllMocks();
  closeSync(pipe);
});

describe('a line that is left when the process exits', () => {
  it('waits half a second, and no longer, for a reader that has stopped', () => {
    whilePaused = () => {};
    destination.flushSync();
    expect(now - START).toBe(500);
    // Leaves nothing that another flush would wait for.
    whilePaused = () => void readPipe();
    destination.flushSync();
  });

  it('is written while the reader takes it', () => {
    let read = 0;
    whilePaused = () => void (read += readPipe());
    destination.flushSync();
    expect(now - START).toBeLessThan(500);
    expect(read + readPipe()).toBe(LINE.length);
  });
});
