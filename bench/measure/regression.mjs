import { costOf, median } from './statistics.mjs';

/** Standard deviations by which the median of the rounds may lie below 1. */
const DEVIATIONS = 3;
/** A smaller change is no regression, even without any noise. */
const LEAST_TOLERANCE = 0.1;

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

/** A workload fell when its requests cost more than those of the baseline, by more than the noise. */
export function compareRounds(ratios) {
  const noise = noiseIn(ratios);
  const lines = ratios.map(({ connections, workload, rounds }) => {
    const ratio = median(rounds);
    const tolerance = Math.max((DEVIATIONS * noise) / Math.sqrt(rounds.length), LEAST_TOLERANCE);
    return {
      connections,
      workload,
      rounds: rounds.length,
      ratio,
      lowest: Math.min(...rounds),
      highest: Math.max(...rounds),
      tolerance,
      fell: ratio < 1 - tolerance,
    };
  });
  return { noise, lines };
}
