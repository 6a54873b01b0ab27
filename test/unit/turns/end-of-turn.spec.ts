import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  addLargeResult,
  atEndOfTurn,
  isBehind,
  leaveForLater,
  prolongTurn,
  willCommit,
} from '../../../src/platform/process/end-of-turn.js';

/** Ends the turn of the test before. */
beforeEach(async () => {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
});

describe('atEndOfTurn', () => {
  it('starts, reads, responds, then commits, in whatever order they were requested', async () => {
    const events: string[] = [];
    for (const phase of ['commit', 'respond', 'read', 'start'] as const) atEndOfTurn(phase, () => events.push(phase));
    await nextTurn();
    await nextTurn();
    expect(events).toStrictEqual(['start', 'read', 'respond', 'commit']);
  });

  it('responds after everything that waited for a read', async () => {
    const events: string[] = [];
    atEndOfTurn('respond', () => events.push('respond'));
    const read = new Promise<void>((resolve) => atEndOfTurn('read', resolve));
    const handle = async () => {
      await read;
      for (let step = 0; step < 20; step += 1) await Promise.resolve();
      events.push('handled');
    };
    await handle();
    await nextTurn();
    expect(events).toStrictEqual(['handled', 'respond']);
  });

  it('commits after the listeners of the responses', async () => {
    const events: string[] = [];
    atEndOfTurn('commit', () => events.push('commit'));
    atEndOfTurn('respond', () => process.nextTick(() => events.push('listener')));
    await nextTurn();
    await nextTurn();
    expect(events).toStrictEqual(['listener', 'commit']);
  });

  it('responds after everything that waited for a commit, before Node reads again', async () => {
    const events: string[] = [];
    const commit = new Promise<void>((resolve) =>
      atEndOfTurn('commit', () => {
        // As long as a commit to a slow disk.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
        resolve();
      }),
    );
    atEndOfTurn('respond', () => {
      events.push(willCommit() ? 'before the commit' : 'without a commit');
      atEndOfTurn('respond', () => events.push('respond'));
    });
    setImmediate(() => events.push('Node reads'));
    await commit;
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    events.push('handled');
    await nextTurn();
    await nextTurn();
    expect(events).toStrictEqual(['before the commit', 'handled', 'respond', 'Node reads']);
    expect(willCommit()).toBe(false);
  });

  it('waits until the current turn has ended', async () => {
    const events: string[] = [];
    atEndOfTurn('read', () => events.push('read'));
    await Promise.resolve();
    expect(events).toStrictEqual([]);
    await nextTurn();
    expect(events).toStrictEqual(['read']);
  });
});

describe('requests that wait', () => {
  let now = 1000;

  afterEach(() => void jest.restoreAllMocks());

  /** What happens in turns whose clock advances 25 ms with each start. Reading takes no time. */
  async function eventsOf(onStart: () => void): Promise<string[]> {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const events: string[] = [];
    const start = (): void => {
      now += 25;
      events.push('start');
      onStart();
      if (events.length < 6) atEndOfTurn('start', start);
    };
    atEndOfTurn('start', start);
    const read = (): void => {
      events.push('Node reads');
      if (events.length < 6) setImmediate(read);
    };
    setImmediate(read);
    for (let turn = 0; turn < 8; turn += 1) await nextTurn();
    return events.slice(0, 5);
  }

  it('start for 40 ms before Node reads more', async () => {
    expect(await eventsOf(() => undefined)).toEqual(['start', 'start', 'Node reads', 'start', 'start']);
  });

  it('do not start while reads are left for later', async () => {
    let runs = 0;
    const read = (): void => {
      runs += 1;
      if (runs < 8) leaveForLater('read', read);
    };
    leaveForLater('read', read);
    expect(await eventsOf(() => undefined)).toEqual(['start', 'Node reads', 'start', 'Node reads', 'start']);
  });
});

describe('leaveForLater', () => {
  it('makes the service behind until the work has run', async () => {
    const states: boolean[] = [];
    await new Promise<void>((done) => {
      leaveForLater('read', () => {
        states.push(isBehind());
        done();
      });
      states.push(isBehind());
    });
    expect(states).toStrictEqual([true, false]);
  });
});

describe('prolongTurn', () => {
  it('delays the work until Node has read without accepting another connection', async () => {
    const events: string[] = [];
    prolongTurn();
    atEndOfTurn('read', () => events.push('read'));
    await nextTurn();
    events.push('Node has read again');
    await nextTurn();
    await nextTurn();
    expect(events).toStrictEqual(['Node has read again', 'read']);
  });

  it('delays it for a limited time, although connections keep arriving', async () => {
    const done = new Promise<string>((resolve) => atEndOfTurn('read', () => resolve('read')));
    const arrive = (): void => {
      prolongTurn();
      arrival = setImmediate(arrive);
    };
    let arrival = setImmediate(arrive);
    expect(await done).toBe('read');
    clearImmediate(arrival);
  });

  it('delays it for some connections after a large result, however long they take', async () => {
    let opened = 0;
    addLargeResult();
    prolongTurn();
    const done = new Promise<number>((resolve) => atEndOfTurn('read', () => resolve(opened)));
    const arrive = (): void => {
      opened += 1;
      prolongTurn();
      // Longer than a turn without a large result is prolonged.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
      arrival = setImmediate(arrive);
    };
    let arrival = setImmediate(arrive);
    const count = await done;
    clearImmediate(arrival);
    expect(count).toBeGreaterThanOrEqual(64);
    expect(count).toBeLessThan(100);
  });
});
