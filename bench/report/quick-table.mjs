import { table } from './table.mjs';

const times = (ratio) => `${ratio.toFixed(2)} x`;
const percent = (share) => `${Math.round(share * 100)} %`;
const change = ({ ratio, expected }) => `${ratio >= expected ? '+' : ''}${percent(ratio / expected - 1)}`;

const verdict = ({ lines, noise }) => {
  const fell = [...new Set(lines.filter((line) => line.fell).map((line) => `${line.workload}, ${line.connections}`))];
  return [
    ...noise.map(
      ({ peer, rounds, runs }) =>
        `Standard deviation of the ratios to ${peer}: ${percent(rounds)} between rounds, ${percent(runs)} between the runs of the baseline.`,
    ),
    fell.length === 0
      ? 'No regression.'
      : `Regression: the ratios to all peers fell for ${fell.join('; ')} connections.`,
  ].join('\n');
};

export const quickTable = (subject, comparison) =>
  [
    table(
      [`${subject} against`, 'connections', 'now', 'rounds', 'min..max', 'baseline', 'change', 'tolerated', ''],
      comparison.lines.map((line) => [
        `${line.peer}, ${line.workload}`,
        String(line.connections),
        times(line.ratio),
        String(line.rounds),
        `${line.lowest.toFixed(2)}..${line.highest.toFixed(2)}`,
        times(line.expected),
        change(line),
        `-${percent(line.tolerance)}`,
        line.fell ? 'fell' : '',
      ]),
    ),
    verdict(comparison),
  ].join('\n\n');
