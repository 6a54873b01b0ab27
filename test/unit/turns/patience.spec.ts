import { beforeEach, describe, expect, it } from '@jest/globals';
import { Patience } from '../../../src/platform/http/load/patience.js';

/** All in milliseconds. */
const MAX_WAIT = 600;
const MAX_AGE = 750;
const SHORT_WAIT = 50;
const MAX_SHEDDING = 10_000;

/** A time of `performance.now()`. */
const NOW = 20_000;

let patience: Patience;

/** The last connection had its turn after so many milliseconds. */
function addTurnAfter(wait: number, now = NOW): void {
  patience.addTurn(now - wait, now);
}

beforeEach(() => {
  patience = new Patience();
});

describe('Patience', () => {
  it.each([0, 1, 2])(
    'is exceeded by a request that would wait for more than 600 ms: %d turns before its own',
    (turns) => {
      addTurnAfter(MAX_WAIT / (turns + 1));
      expect(patience.wouldExceed(turns)).toBe(false);
      addTurnAfter((MAX_WAIT + 1) / (turns + 1));
      expect(patience.wouldExceed(turns)).toBe(true);
    },
  );

  it('is exceeded by a request that has waited for more than 750 ms', () => {
    expect(patience.isExceeded(NOW - MAX_AGE, NOW)).toBe(false);
    expect(patience.isExceeded(NOW - MAX_AGE - 1, NOW)).toBe(true);
  });

  it('is exceeded by a request that would wait for more than 50 ms while the service sheds load', () => {
    addTurnAfter(SHORT_WAIT + 1);
    expect(patience.wouldExceed(0)).toBe(false);
    patience.shed(NOW);
    expect(patience.wouldExceed(0)).toBe(true);
    addTurnAfter(SHORT_WAIT);
    expect(patience.wouldExceed(0)).toBe(false);
  });

  it('returns after 10 seconds of shedding, however often the service sheds load meanwhile', () => {
    patience.shed(NOW);
    patience.shed(NOW + MAX_SHEDDING);
    addTurnAfter(MAX_WAIT, NOW + MAX_SHEDDING);
    expect([patience.isShedding, patience.wouldExceed(0)]).toEqual([true, true]);
    addTurnAfter(MAX_WAIT, NOW + MAX_SHEDDING + 1);
    expect([patience.isShedding, patience.wouldExceed(0)]).toEqual([false, false]);
  });

  it('returns when no connection waits', () => {
    addTurnAfter(MAX_WAIT + 1);
    patience.shed(NOW);
    patience.reset();
    expect([patience.isShedding, patience.wouldExceed(0)]).toEqual([false, false]);
  });
});
