import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isSaturated, LargeResult, noteStatement } from '../../../src/platform/process/large-results.js';

/** Three connections on which a large result arrives. */
let connections: PassThrough[];
let results: LargeResult[];

const paused = () => connections.map((connection) => connection.isPaused());

beforeEach(() => {
  // On a busy machine, the times of large results could pass between two lines of a test.
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  // A turn that began at 0 would count as none.
  jest.advanceTimersByTime(1);
  connections = Array.from({ length: 3 }, () => new PassThrough().resume());
  results = connections.map((connection) => new LargeResult(connection));
});

afterEach(async () => {
  for (const result of results) result.end();
  await nextTurn();
  jest.useRealTimers();
});

describe('large results', () => {
  it('are read one at a time, each in a turn of its own', async () => {
    expect(paused()).toStrictEqual([false, true, true]);
    results[0]!.end();
    expect(paused()).toStrictEqual([false, true, true]);
    await nextTurn();
    expect(paused()).toStrictEqual([false, false, true]);
    results[1]!.end();
    await nextTurn();
    expect(paused()).toStrictEqual([false, false, false]);
  });

  it('wait for no result that ended before its turn', async () => {
    results[1]!.end();
    results[0]!.end();
    await nextTurn();
    expect(paused()).toStrictEqual([false, false, false]);
  });

  it('wait also when they begin between two others', async () => {
    results[0]!.end();
    const last = new PassThrough().resume();
    connections.push(last);
    results.push(new LargeResult(last));
    expect(last.isPaused()).toBe(true);
    await nextTurn();
    expect(paused()).toStrictEqual([false, false, true, true]);
  });

  it('wait only for a while for one whose server sends nothing', async () => {
    jest.advanceTimersByTime(99);
    await nextTurn();
    expect(paused()).toStrictEqual([false, true, true]);
    jest.advanceTimersByTime(1);
    await nextTurn();
    expect(paused()).toStrictEqual([false, false, true]);
  });
});

describe('a database', () => {
  it('is saturated while more statements wait than it has connections, and results are large', () => {
    for (const result of results) result.end();
    const pool = { waitingCount: 0, options: { max: 2 } };
    const states: boolean[] = [];
    for (const waitingCount of [1, 2, 3, 4, 2, 3]) {
      pool.waitingCount = waitingCount;
      noteStatement(pool);
      states.push(isSaturated());
    }
    expect(states).toStrictEqual([false, false, true, true, false, true]);
    pool.waitingCount = 0;
    expect(isSaturated()).toBe(false);
  });
});
