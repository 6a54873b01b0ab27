import { beforeEach, describe, expect, it } from '@jest/globals';
import { Patience } from '../../../src/platform/http/load/patience.js';

/** All in milliseconds. */
const MAX_WAIT = 600;
const MAX_AGE = 750;
const SHORT_WAIT = 50;
const MAX_SHEDDING = 10_000;
const CALM = 100;
const MEMORY = 1000;

/** A time of `performance.now()`. */
const NOW = 20_000;

/** Connections that wait for a turn. */
const CONNECTIONS = 10;

let patience: Patience;

/** The last connection had its turn after so many milliseconds. */
const addTurnAfter = (wait: number): void => patience.addTurn(NOW - wait, NOW);

const wouldExceed = (turns = 0, now = NOW): boolean => patience.wouldExceed(turns, CONNECTIONS, now);

/** The service sheds load, and so many connections had their turn within as many milliseconds. */
function shedAfterBatch(turns: number, milliseconds: number): void {
  patience = new Patience();
  patience.shed(NOW);
  patience.addBatch(turns, milliseconds, NOW);
}

beforeEach(() => {
  patience = new Patience();
});

describe('Patience', () => {
  it.each([0, 1, 2])(
    'is exceeded by a request that would wait for more than 600 ms: %d turns before its own',
    (turns) => {
      addTurnAfter(MAX_WAIT / (turns + 1));
      expect(wouldExceed(turns)).toBe(false);
      addTurnAfter((MAX_WAIT + 1) / (turns + 1));
      expect(wouldExceed(turns)).toBe(true);
    },
  );

  it('is not exceeded when no connection waits any more', () => {
    addTurnAfter(MAX_WAIT + 1);
    patience.reset(NOW);
    expect(wouldExceed()).toBe(false);
  });

  it('is exceeded by a request that has waited for more than 750 ms', () => {
    expect(patience.isExceeded(NOW - MAX_AGE, NOW)).toBe(false);
    expect(patience.isExceeded(NOW - MAX_AGE - 1, NOW)).toBe(true);
  });

  it.each([0, 1, 2])(
    'is exceeded by a request that would wait for more than 50 ms while the service sheds load: %d turns before its own',
    (turns) => {
      shedAfterBatch(CONNECTIONS, SHORT_WAIT / (turns + 1));
      expect(wouldExceed(turns)).toBe(false);
      shedAfterBatch(CONNECTIONS, (SHORT_WAIT + 1) / (turns + 1));
      expect(wouldExceed(turns)).toBe(true);
    },
  );

  it('counts the connections that wait while the service sheds load, however long the last one has waited', () => {
    shedAfterBatch(CONNECTIONS, SHORT_WAIT);
    addTurnAfter(MAX_WAIT + 1);
    expect(patience.wouldExceed(0, CONNECTIONS, NOW)).toBe(false);
    patience.reset(NOW);
    expect(patience.wouldExceed(0, CONNECTIONS + 1, NOW)).toBe(true);
  });

  it('is not exceeded while no other connection waits, however long turns take', () => {
    shedAfterBatch(1, MAX_WAIT);
    expect(patience.wouldExceed(1000, 0, NOW)).toBe(false);
  });

  it('is not exceeded before it is known how long turns take', () => {
    patience.shed(NOW);
    expect(patience.wouldExceed(1000, 1000, NOW)).toBe(false);
  });

  it('follows the time that turns take, without forgetting earlier ones', () => {
    shedAfterBatch(CONNECTIONS, SHORT_WAIT / 2);
    patience.addBatch(CONNECTIONS, 1.4 * SHORT_WAIT, NOW);
    expect(wouldExceed()).toBe(false);
    patience.addBatch(CONNECTIONS, 1.4 * SHORT_WAIT, NOW);
    expect(wouldExceed()).toBe(true);
  });

  it('counts the time of a batch that served nothing', () => {
    shedAfterBatch(CONNECTIONS, SHORT_WAIT);
    patience.addBatch(0, SHORT_WAIT, NOW);
    expect(wouldExceed()).toBe(true);
  });

  it('forgets how long turns took when nothing has waited for a second', () => {
    // So long that its weight in the next batch would be noticed.
    shedAfterBatch(CONNECTIONS, 10 * SHORT_WAIT);
    patience.reset(NOW);
    patience.shed(NOW + MEMORY);
    expect([wouldExceed(0, NOW + MEMORY), wouldExceed(0, NOW + MEMORY + 1)]).toEqual([true, false]);
    patience.addBatch(CONNECTIONS, 1, NOW + MEMORY + 2);
    expect(wouldExceed(0, NOW + MEMORY + 2)).toBe(false);
  });

  it('remembers how long turns took while connections wait, however long a batch takes', () => {
    shedAfterBatch(CONNECTIONS, SHORT_WAIT + 1);
    patience.shed(NOW + 3 * MEMORY);
    expect(wouldExceed(0, NOW + 3 * MEMORY)).toBe(true);
  });

  it('returns 100 ms after the last refusal', () => {
    patience.shed(NOW);
    patience.shed(NOW + CALM);
    expect(patience.isShedding(NOW + 2 * CALM)).toBe(true);
    expect(patience.isShedding(NOW + 2 * CALM + 1)).toBe(false);
  });

  it('returns after 10 seconds of shedding, however often the service refuses requests meanwhile', () => {
    for (let time = 0; time <= MAX_SHEDDING; time += CALM) patience.shed(NOW + time);
    expect(patience.isShedding(NOW + MAX_SHEDDING)).toBe(true);
    expect(patience.isShedding(NOW + MAX_SHEDDING + 1)).toBe(false);
  });
});
