const ROUNDS = { least: 5, most: 40 };
/** Microseconds of the larger work in which its growth is plain after the fewest rounds. */
const PLAIN = 200_000;

/**
 * How many times as long the second of two pieces of work takes: 2 for twice the work, 4 for twice the input in quadratic
 * time. Counts processor time, which other processes do not consume, and takes the quickest of several interleaved runs,
 * because a garbage collection only adds to a run. Ends early when the result is at most `enough`, or the work so long
 * that more rounds change nothing.
 */
export function growth(small: () => void, large: () => void, enough: number): number {
  let [quickestSmall, quickestLarge] = [Infinity, Infinity];
  for (let round = 1; round <= ROUNDS.most; round += 1) {
    quickestSmall = Math.min(quickestSmall, timeOf(small));
    quickestLarge = Math.min(quickestLarge, timeOf(large));
    const isPlain = quickestLarge / quickestSmall <= enough || quickestLarge > PLAIN;
    if (round >= ROUNDS.least && isPlain) break;
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
