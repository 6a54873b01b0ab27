/** How many times larger the large input is: in quadratic time it takes 64 times as long. */
export const FACTOR = 8;
/** Times the small input. In linear time, garbage collection may take almost twice as long for each item of a large one. */
export const ALLOWED = 2 * FACTOR;

const ROUNDS = { minimum: 5, maximum: 400 };
/** Microseconds of the larger work after which further rounds do not change the result. */
const LONG_ENOUGH = 200_000;

/**
 * Returns the ratio of the times of two functions, of which one has an input that is `FACTOR` times larger. Measures
 * processor time, which other processes hardly affect, and takes the quickest of several interleaved runs, because a garbage
 * collection only slows a run down. Ends early when the ratio is at most `ALLOWED`, or when the work takes long enough.
 */
export function growth(small: () => void, large: () => void): number {
  let [quickestSmall, quickestLarge] = [Infinity, Infinity];
  for (let round = 1; round <= ROUNDS.maximum; round += 1) {
    quickestSmall = Math.min(quickestSmall, timeOf(small));
    quickestLarge = Math.min(quickestLarge, timeOf(large));
    const isClear = quickestLarge / quickestSmall <= ALLOWED || quickestLarge > LONG_ENOUGH;
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
