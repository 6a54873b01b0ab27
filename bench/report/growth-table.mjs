import { table } from './table.mjs';

const whole = (number) => Math.round(number).toLocaleString('en');

export const growthTable = (workloads) =>
  table(
    ['requests/s (cost)', ...workloads[0].sizes.map(({ pets }) => `${whole(pets)} pets`)],
    workloads.map(({ workload, sizes }) => [
      workload,
      ...sizes.map(({ perSecond, cost }) => `${whole(perSecond)} (${cost.toFixed(2)})`),
    ]),
  );
