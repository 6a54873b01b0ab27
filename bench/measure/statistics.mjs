export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of the ratios within each round, because both sides had the same conditions there. */
export const pairedRatio = (samples, others, of) =>
  median(samples.map((sample, round) => of(sample) / of(others[round])));

/** Cost of a request: processor time of server and database, or elapsed time where the system does not report it. */
export const costOf = ({ processorMicroseconds, databaseMicroseconds, perSecond }) =>
  Number.isNaN(processorMicroseconds) ? 1e6 / perSecond : processorMicroseconds + databaseMicroseconds;
