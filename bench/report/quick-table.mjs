import { table } from './table.mjs';

const times = (ratio) => `${ratio.toFixed(2)} x`;
const percent = (share) => `${Math.round(share * 100)} %`;

const verdict = (commit, { lines, noise }) => {
  const fell = lines.filter((line) => line.fell).map((line) => `${line.workload}, ${line.connections}`);
  return [
    `Standard deviation between rounds: ${percent(noise)}.`,
    fell.length === 0
      ? 'No regression.'
      : `Regression: requests cost more than at ${commit} for ${fell.join('; ')} connections.`,
  ].join('\n');
};

/** Ratios above 1 are cheaper than the baseline. */
export const quickTable = (commit, comparison) =>
  [
    table(
      ['workload', 'connections', 'of the baseline', 'rounds', 'min..max', 'tolerated', ''],
      comparison.lines.map((line) => [
        line.workload,
        String(line.connections),
        times(line.ratio),
        String(line.rounds),
        `${line.lowest.toFixed(2)}..${line.highest.toFixed(2)}`,
        times(1 - line.tolerance),
        line.fell ? 'fell' : '',
      ]),
    ),
    verdict(commit, comparison),
  ].join('\n\n');
