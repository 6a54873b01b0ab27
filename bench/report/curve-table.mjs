import { table } from './table.mjs';

const whole = (number) => Math.round(number).toLocaleString('en');
const namesIn = (list) => [...new Set(list.map(({ name }) => name))];

function workloadTable(workload, points, reference) {
  return table(
    [
      workload,
      'connections',
      'requests/s',
      'processor',
      `of ${reference}`,
      'p99',
      `of ${reference}`,
      'errors',
      'missed',
    ],
    points.map(({ name, connections, perSecond, cost, costRatio, p99, p99Ratio, errors, missed }) => [
      name,
      whole(connections),
      whole(perSecond.median),
      `${cost.toFixed(1)} µs`,
      costRatio.toFixed(2),
      `${p99.toFixed(p99 < 10 ? 2 : 1)} ms`,
      p99Ratio.toFixed(2),
      whole(errors),
      missed.join(', '),
    ]),
  );
}

const memoryTable = (memory, counts) =>
  table(
    ['peak memory, by connections', ...counts.map(whole)],
    namesIn(memory).map((name) => [
      name,
      ...memory.filter((peer) => peer.name === name).map(({ peakBytes }) => `${whole(peakBytes / 1e6)} MB`),
    ]),
  );

function summary(points, reference) {
  const compared = points.filter(({ name }) => name !== reference);
  const missing = compared.filter(({ missed }) => missed.length > 0);
  if (missing.length === 0) return 'Every point meets the goals.';
  return `${missing.length} of ${compared.length} points miss a goal.`;
}

export function curveTable({ conditions, points, memory }) {
  const reference = points[0].name;
  const workloads = [...new Set(points.map(({ workload }) => workload))];
  return [
    ...workloads.map((name) =>
      workloadTable(
        name,
        points.filter(({ workload }) => workload === name),
        reference,
      ),
    ),
    memoryTable(memory, conditions.connections),
    summary(points, reference),
  ].join('\n\n');
}
