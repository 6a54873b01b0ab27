import { costOf, median, pairedRatio } from './statistics.mjs';

const over = (samples, member) => samples.map((sample) => sample[member]);

const spread = (values) => ({ median: median(values), min: Math.min(...values), max: Math.max(...values) });

const summariseWorkload = (samples, reference) => ({
  perSecond: spread(over(samples, 'perSecond')),
  p50: median(over(samples, 'p50')),
  p99: median(over(samples, 'p99')),
  busy: median(over(samples, 'busy')),
  processorMicroseconds: median(over(samples, 'processorMicroseconds')),
  databaseMicroseconds: median(over(samples, 'databaseMicroseconds')),
  cost: median(samples.map(costOf)),
  errors: over(samples, 'errors').reduce((sum, errors) => sum + errors, 0),
  ratio: pairedRatio(samples, reference, ({ perSecond }) => perSecond),
  /** Above 1: cheaper than the reference. */
  costRatio: pairedRatio(reference, samples, costOf),
  p99Ratio: pairedRatio(samples, reference, ({ p99 }) => p99),
});

/** Summarises the samples by peer and workload; ratios are relative to the first peer with as many connections. */
export const summarise = (results) =>
  results.map(({ name, connections, starts, memory, samples }) => {
    const reference = results.find((other) => other.connections === connections);
    return {
      name,
      connections,
      start: {
        milliseconds: spread(over(starts, 'milliseconds')),
        residentBytes: median(over(starts, 'residentBytes')),
      },
      ...memory,
      workloads: Object.fromEntries(
        Object.entries(samples).map(([workload, measured]) => [
          workload,
          summariseWorkload(measured, reference.samples[workload]),
        ]),
      ),
    };
  });
