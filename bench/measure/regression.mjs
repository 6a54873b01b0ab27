import { costOf, median } from './statistics.mjs';

export const SUBJECT = 'ours';

/** Standard deviations by which the median of a run may lie below the baseline. */
const DEVIATIONS = 3;
/** A smaller change is no regression, even without any noise. */
const LEAST_TOLERANCE = 0.1;

/**
 * The cost of each peer's requests relative to the service's, in each round, by number of connections and workload.
 * A peer that was not measured with as many connections was measured with the fewest.
 */
export function ratiosIn(samples) {
  const fewest = Object.values(samples)[0];
  return Object.entries(samples).flatMap(([connections, { [SUBJECT]: subject = {}, ...others }]) =>
    Object.keys(subject).flatMap((workload) =>
      Object.entries({ ...fewest, ...others })
        .filter(([peer]) => peer !== SUBJECT)
        .map(([peer, { [workload]: other }]) => ({
          connections: Number(connections),
          workload,
          peer,
          rounds: other.map((sample, round) => costOf(sample) / costOf(subject[workload][round])),
        })),
    ),
  );
}

const isSamePoint = (one) => (other) => other.connections === one.connections && other.workload === one.workload;
const isSame = (one) => (other) => isSamePoint(one)(other) && other.peer === one.peer;

/** Adds the rounds of a second measurement, which may include only some of the ratios. */
export const merge = (ratios, more) =>
  ratios.map((line) => ({ ...line, rounds: [...line.rounds, ...(more.find(isSame(line))?.rounds ?? [])] }));

/**
 * The standard deviation of values that should be equal within each list, relative to the values. Estimated from the
 * median change between neighbours, so that neither outliers nor slow drifts count.
 */
function noiseIn(lists) {
  const changes = lists.flatMap((values) =>
    values.slice(1).map((value, index) => Math.abs(value - values[index]) / median(values)),
  );
  // The median of such changes is 0.95 standard deviations.
  return median(changes) / 0.95;
}

function runsOf(baseline, { connections, workload, peer }) {
  const runs = baseline[connections]?.[workload]?.[peer];
  if (runs !== undefined) return runs;
  throw new Error(
    `bench/baseline.json has no ratio to ${peer} for ${workload} with ${connections} connections: record it with --quick --save-baseline.`,
  );
}

const isBelow = ({ ratio, expected }, tolerance) => ratio < expected * (1 - tolerance);

/** The ratio to one peer must fall by more than noise; the others show that this is not how the machine treats that peer. */
const isRegression = (lines) =>
  lines.every((line) => isBelow(line, LEAST_TOLERANCE)) && lines.some((line) => isBelow(line, line.tolerance));

/** Compares with the ratios of earlier runs. A regression lowers the ratios to all peers; another machine, only some. */
export function compareWith(baseline, ratios) {
  const known = ratios.map((line) => ({ ...line, runs: runsOf(baseline, line) }));
  const noise = [...new Set(known.map(({ peer }) => peer))].map((peer) => {
    const lines = known.filter((line) => line.peer === peer);
    return { peer, rounds: noiseIn(lines.map(({ rounds }) => rounds)), runs: noiseIn(lines.map(({ runs }) => runs)) };
  });
  const lines = known.map(({ rounds, runs, ...line }) => {
    const ofPeer = noise.find(({ peer }) => peer === line.peer);
    const tolerance = DEVIATIONS * Math.max(ofPeer.rounds / Math.sqrt(rounds.length), ofPeer.runs);
    return {
      ...line,
      rounds: rounds.length,
      ratio: median(rounds),
      lowest: Math.min(...rounds),
      highest: Math.max(...rounds),
      expected: median(runs),
      tolerance: Math.max(tolerance, LEAST_TOLERANCE),
    };
  });
  return { noise, lines: lines.map((line) => ({ ...line, fell: isRegression(lines.filter(isSamePoint(line))) })) };
}
