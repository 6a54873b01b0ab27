import { table } from './table.mjs';

const times = (ratio) => (ratio === undefined ? '-' : `${ratio.toFixed(2)} x`);
const change = ({ ratio, expected }) =>
  expected === undefined ? '' : `${ratio >= expected ? '+' : ''}${Math.round((ratio / expected - 1) * 100)} %`;

export const quickTable = (subject, comparison) =>
  table(
    [`${subject} against`, 'now', 'baseline', 'change', ''],
    comparison.map((line) => [
      `${line.peer}, ${line.workload}`,
      times(line.ratio),
      times(line.expected),
      change(line),
      line.fell ? 'fell' : '',
    ]),
  );
