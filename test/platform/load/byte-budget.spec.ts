import { describe, expect, it } from '@jest/globals';
import { type Borrower, ByteBudget, LARGE_DATA } from '../../../src/platform/http/load/byte-budget.js';

const LIMIT = 16 * LARGE_DATA;
/** Longer than a client may keep bytes in memory before it may lose them. */
const LONG_AGO = 1500;

/** A budget that clients with so many bytes each have used up, and the order in which they lose them. */
function usedUpBy(clients: readonly number[], waiting = LONG_AGO) {
  const lost: number[] = [];
  const borrowers = clients.map((bytes): Borrower => ({
    bytesAtClient: bytes,
    waitingSince: performance.now() - waiting,
    giveUp() {
      lost.push(bytes);
      budget.release(bytes);
    },
  }));
  const budget = new ByteBudget(LIMIT, () => borrowers);
  budget.take(LIMIT);
  return { budget, lost };
}

describe('the budget of data in flight', () => {
  it('has room until all of it is taken, and again for what is released', () => {
    const budget = new ByteBudget(LIMIT, () => []);
    budget.take(LIMIT - 1);
    expect([budget.hasRoomFor(1), budget.hasRoomFor(2)]).toEqual([true, false]);
    budget.release(1);
    expect(budget.hasRoomFor(2)).toBe(true);
  });

  it('leaves a quarter to small data', () => {
    const budget = new ByteBudget(LIMIT, () => []);
    budget.take(LIMIT - LIMIT / 4 - LARGE_DATA);
    expect(budget.hasRoomFor(LARGE_DATA)).toBe(true);
    budget.take(1);
    expect([budget.hasRoomFor(LARGE_DATA), budget.hasRoomFor(LARGE_DATA - 1)]).toEqual([false, true]);
  });

  it('gives up on the clients with the most data first, and only until there is room', () => {
    const { budget, lost } = usedUpBy([200, 400, 300, 100]);
    expect([budget.hasRoomFor(50), lost]).toEqual([true, [400]]);
  });

  it('gives up on as many clients as are needed', () => {
    // What is large also requires the quarter that is left to small data.
    const { budget, lost } = usedUpBy([3 * LARGE_DATA, 2 * LARGE_DATA, 4 * LARGE_DATA]);
    expect([budget.hasRoomFor(LARGE_DATA), lost]).toEqual([true, [4 * LARGE_DATA, 3 * LARGE_DATA]]);
  });

  it('gives up on no client that has less data than is needed', () => {
    const { budget, lost } = usedUpBy([50, 100]);
    expect([budget.hasRoomFor(100), lost]).toEqual([false, []]);
  });

  it('gives up on clients with considerable data for what is larger than each of them', () => {
    const { budget, lost } = usedUpBy(Array.from({ length: 32 }, () => LARGE_DATA / 2));
    expect([budget.hasRoomFor(2 * LARGE_DATA), lost.length]).toEqual([true, 12]);
  });

  it('gives up on no client that has far less data than the others', () => {
    const { budget, lost } = usedUpBy([LARGE_DATA, 300, LARGE_DATA]);
    budget.take(4 * LARGE_DATA);
    expect([budget.hasRoomFor(1), lost]).toEqual([false, [LARGE_DATA, LARGE_DATA]]);
  });

  it('gives up on no client that has waited for less than a second', () => {
    const { budget, lost } = usedUpBy([100, 200], 0);
    expect([budget.hasRoomFor(50), lost]).toEqual([false, []]);
  });
});
