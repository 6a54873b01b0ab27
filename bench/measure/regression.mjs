import { costOf, median } from './statistics.mjs';

/** Standard deviations by which the median of the rounds may lie below 1. */
const DEVIATIONS = 3;
/** A smaller change is no regression, even without any noise. */
const LEAST_TOLERANCE = 0.1;
/** Noise that would hide a larger change than this decides nothing. */
const MOST_TOLERANCE = 0.25;

/** The cost of a request to the baseline relative to ours, in each round, by number of connections and workload. */
export const ratiosIn = (samples) =>
  Object.entries(samples).flatMap(([connections, { baseline, ours }]) =>
    Object.keys(ours).map((workload) => ({
      connections: Number(connections),
      workload,
      rounds: baseline[workload].map((sample, round) => costOf(sample) / costOf(ours[workload][round])),
    })),
  );

/** Adds the rounds of a second measurement, which may include only some of the workloads. */
export const merge = (ratios, more) =>
  ratios.map(({ connections, workload, rounds }) => {
    const again = more.find((line) => line.connections === connections && line.workload === workload);
    return { connections, workload, rounds: [...rounds, ...(again?.rounds ?? [])] };
  });

/**
 * The standard deviation of ratios that should be equal within each line, relative to the ratios. Estimated from the
 * median change between neighbours, so that neither outliers nor slow drifts count.
 */
function noiseIn(ratios) {
  const changes = ratios.flatMap(({ rounds }) =>
    rounds.slice(1).map((ratio, index) => Math.abs(ratio - rounds[index]) / median(rounds)),
  );
  // The median of such changes is 0.95 standard deviations.
  return median(changes) / 0.95;
}

/**
 * The standard deviation of the median of so many values whose own is 1, within three hundredths. It is larger than that of
 * their mean. The median of an even number is the mean of two values, so it varies less.
 */
const deviationOfMedian = (count) => Math.sqrt(Math.PI / (2 * count + (count % 2 === 1 ? 1 : 2.6)));

/**
 * A workload fell when its requests cost more than those of the baseline, by more than the noise. It is unsure when the
 * noise would hide a large change.
 */
export function compareRounds(ratios) {
  const noise = noiseIn(ratios);
  const lines = ratios.map(({ connections, workload, rounds }) => {
    const ratio = median(rounds);
    const tolerance = Math.max(DEVIATIONS * noise * deviationOfMedian(rounds.length), LEAST_TOLERANCE);
    const fell = ratio < 1 - tolerance;
    return {
      connections,
      workload,
      rounds: rounds.length,
      ratio,
      lowest: Math.min(...rounds),
      highest: Math.max(...rounds),
      tolerance,
      fell,
      // Also true for NaN, the tolerance without two rounds to compare.
      isUnsure: !fell && !(tolerance <= MOST_TOLERANCE),
    };
  });
  return { noise, lines, passed: lines.every(({ fell, isUnsure }) => !fell && !isUnsure) };
}
