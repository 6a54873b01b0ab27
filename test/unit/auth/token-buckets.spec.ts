import { describe, expect, it } from '@jest/globals';
import { TokenBuckets } from '../../../src/auth/token-buckets.js';

/** Milliseconds. */
const START = 5_000_000;

/** Takes tokens of one bucket at times after the start, in milliseconds. */
function levels(buckets: TokenBuckets, times: readonly number[], name = 'shop') {
  return times.map((time) => {
    const { isServed, remaining, wait } = buckets.take(name, START + time);
    return [isServed, remaining, wait];
  });
}

describe('a token bucket', () => {
  it('is full at first, and gets its tokens back evenly, up to its size', () => {
    const buckets = new TokenBuckets({ requests: 4, window: 60 });
    expect(levels(buckets, [0, 0, 0, 0, 0])).toStrictEqual([
      [true, 3, 15],
      [true, 2, 15],
      [true, 1, 15],
      [true, 0, 15],
      [false, 0, 15],
    ]);
    expect(levels(buckets, [14_000, 15_000, 15_000])).toStrictEqual([
      [false, 0, 1],
      [true, 0, 15],
      [false, 0, 15],
    ]);
    expect(levels(buckets, [100_000, 100_000])).toStrictEqual([
      [true, 3, 15],
      [true, 2, 15],
    ]);
  });

  it('takes no token for a request that it refuses', () => {
    const buckets = new TokenBuckets({ requests: 1, window: 10 });
    expect(levels(buckets, [0, 9000, 9500, 10_000]).map(([isServed]) => isServed)).toEqual([true, false, false, true]);
  });

  it.each([1, 3, 7, 600, 999_999])('serves no more than its size and what was added: %d a minute', (requests) => {
    const buckets = new TokenBuckets({ requests, window: 60 });
    let served = 0;
    for (let time = 0; time < 120_000; time += 50) {
      for (let count = 0; count < 20; count += 1) if (buckets.take('shop', START + time).isServed) served += 1;
    }
    expect(served).toBeGreaterThanOrEqual(Math.min(3 * requests - 1, 20 * 2400));
    expect(served).toBeLessThanOrEqual(3 * requests);
  });

  it('names a time after which there is a token', () => {
    for (const [requests, window] of [
      [7, 1],
      [3, 100],
      [9973, 86_400],
    ] as const) {
      const buckets = new TokenBuckets({ requests, window });
      while (buckets.take('shop', START).isServed);
      const { wait } = buckets.take('shop', START + 1);
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(buckets.take('shop', START + 1 + wait * 1000).isServed).toBe(true);
    }
  });
});

describe('the token buckets', () => {
  it('are independent of each other', () => {
    const buckets = new TokenBuckets({ requests: 1, window: 60 });
    expect(['one', 'other', 'one'].map((name) => buckets.take(name, START).isServed)).toEqual([true, true, false]);
  });

  it('are kept until they are full again, and dropped soon after', () => {
    const buckets = new TokenBuckets({ requests: 2, window: 10 });
    levels(buckets, [0, 9000, 9000]);
    levels(buckets, [11_000], 'other');
    expect(buckets.size).toBe(2);
    expect(levels(buckets, [12_000])).toStrictEqual([[false, 0, 2]]);
    levels(buckets, [21_000, 31_000, 42_000], 'other');
    expect(buckets.size).toBe(1);
    expect(levels(buckets, [42_000])).toStrictEqual([[true, 1, 5]]);
    levels(buckets, [1_000_000], 'other');
    expect(buckets.size).toBe(1);
  });

  it('take a limited room: the names beyond share one bucket, and the others keep theirs', () => {
    const buckets = new TokenBuckets({ requests: 2, window: 10 }, 100);
    for (let name = 0; name < 100; name += 1) expect(buckets.take(`${name}`, START).remaining).toBe(1);
    const beyond = Array.from({ length: 1000 }, (_, at) => buckets.take(`beyond ${at}`, START).isServed);
    expect(beyond.filter(Boolean)).toHaveLength(2);
    expect(buckets.size).toBe(100);
    expect(buckets.take('7', START)).toMatchObject({ isServed: true, remaining: 0 });
    for (let time = 10_000; time < 100_000; time += 10) buckets.take(`later ${time}`, START + time);
    expect(buckets.size).toBeLessThanOrEqual(200);
  });
});
