import { COLOURS, lineChart } from './line-chart.mjs';

export function growthChart(workloads) {
  const sizes = workloads[0].sizes.map(({ pets }) => pets);
  return lineChart(
    `Cost of a request, relative to its cost with ${sizes[0].toLocaleString('en')} pets`,
    'pets in the table',
    sizes,
    workloads.map(({ workload, sizes: measured }, index) => ({
      name: workload,
      values: measured.map(({ cost }) => cost),
      colour: COLOURS[index % COLOURS.length],
    })),
  );
}
