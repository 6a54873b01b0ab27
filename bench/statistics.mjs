export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** What `of` makes of a sample, in terms of the other side's of the same round: both then met the same machine. */
export const pairedRatio = (samples, others, of) =>
  median(samples.map((sample, round) => of(sample) / of(others[round])));

/** What a request costs: processor time of server and database, or time that passes where the system does not tell. */
export const costOf = ({ processorMicroseconds, databaseMicroseconds, perSecond }) =>
  Number.isNaN(processorMicroseconds) ? 1e6 / perSecond : processorMicroseconds + databaseMicroseconds;
