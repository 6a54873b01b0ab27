import { median, pairedRatio } from './statistics.mjs';

const over = (samples, member) => samples.map((sample) => sample[member]);

const spread = (values) => ({ median: median(values), min: Math.min(...values), max: Math.max(...values) });

const summariseWorkload = (samples, reference) => ({
  perSecond: spread(over(samples, 'perSecond')),
  p50: median(over(samples, 'p50')),
  p99: median(over(samples, 'p99')),
  busy: median(over(samples, 'busy')),
  processorMicroseconds: median(over(samples, 'processorMicroseconds')),
  databaseMicroseconds: median(over(samples, 'databaseMicroseconds')),
  ratio: pairedRatio(samples, reference, ({ perSecond }) => perSecond),
});

/** Summarises the samples by peer and workload; ratios are relative to the first peer. */
export function summarise(results) {
  const [reference] = results;
  return results.map(({ name, readyMilliseconds, residentBytes, samples }) => ({
    name,
    readyMilliseconds: spread(readyMilliseconds),
    residentBytes,
    workloads: Object.fromEntries(
      Object.entries(samples).map(([workload, measured]) => [
        workload,
        summariseWorkload(measured, reference.samples[workload]),
      ]),
    ),
  }));
}
