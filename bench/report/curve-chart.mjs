import { COLOURS, lineChart } from './line-chart.mjs';

const DASHES = ['none', '6 4', '2 3', '10 3 2 3'];

export function curveChart({ conditions, points }) {
  const [reference, ...peers] = new Set(points.map(({ name }) => name));
  const workloads = [...new Set(points.map(({ workload }) => workload))];
  const lines = workloads.flatMap((workload, colour) =>
    peers.map((peer, dashes) => ({
      name: `${workload}, ${peer}`,
      values: points
        .filter(({ name, workload: measured }) => name === peer && measured === workload)
        .map(({ costRatio }) => costRatio),
      colour: COLOURS[colour % COLOURS.length],
      dashes: DASHES[dashes % DASHES.length],
    })),
  );
  return lineChart(
    `Processor time of ${reference} per request, divided by that of the others`,
    'connections',
    conditions.connections,
    lines,
  );
}
