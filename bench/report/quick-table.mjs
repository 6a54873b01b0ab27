import { table } from './table.mjs';

const times = (ratio) => `${ratio.toFixed(2)} x`;
const percent = (share) => `${Math.round(share * 100)} %`;

const named = (lines) => lines.map(({ workload, connections }) => `${workload}, ${connections}`).join('; ');

const verdict = (commit, { lines }) => {
  const fell = lines.filter((line) => line.fell);
  if (fell.length > 0) return `Regression: requests cost more than at ${commit} for ${named(fell)} connections.`;
  const unsure = lines.filter(({ isUnsure }) => isUnsure);
  if (unsure.length === 0) return 'No regression.';
  return (
    `Inconclusive: the noise would hide a regression for ${named(unsure)} connections; ` +
    'run this again on a quieter machine, or with more --rounds.'
  );
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
        line.fell ? 'fell' : line.isUnsure ? 'unsure' : '',
      ]),
    ),
    `Standard deviation between rounds: ${percent(comparison.noise)}.\n${verdict(commit, comparison)}`,
  ].join('\n\n');
