const ROUNDS = { minimum: 5, maximum: 400 };
/** Microseconds of the larger work after which further rounds do not change the result. */
const LONG_ENOUGH = 200_000;

/**
 * Returns the ratio of the times of two functions: 2 for twice the work, 4 for twice the input in quadratic time. Measures
 * processor time, which other processes do not affect, and takes the quickest of several interleaved runs, because a garbage
 * collection only slows a run down. Ends early when the ratio is at most `limit`, or when the work takes long enough.
 */
export function growth(small: () => void, large: () => void, limit: number): number {
  let [quickestSmall, quickestLarge] = [Infinity, Infinity];
  for (let round = 1; round <= ROUNDS.maximum; round += 1) {
    quickestSmall = Math.min(quickestSmall, timeOf(small));
    quickestLarge = Math.min(quickestLarge, timeOf(large));
    const isClear = quickestLarge / quickestSmall <= limit || quickestLarge > LONG_ENOUGH;
    if (round >= ROUNDS.minimum && isClear) break;
  }
  return quickestLarge / quickestSmall;
}

/** Microseconds. */
function timeOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
