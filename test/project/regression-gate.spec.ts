import { describe, expect, it } from '@jest/globals';

interface Ratio {
  readonly connections: number;
  readonly workload: string;
  readonly rounds: readonly number[];
}

interface Comparison {
  readonly passed: boolean;
  readonly lines: readonly { readonly workload: string; readonly tolerance: number; readonly fell: boolean }[];
}

const importOf = (file: string): Promise<unknown> => import(new URL(`../../bench/${file}`, import.meta.url).href);
const { compareRounds } = (await importOf('measure/regression.mjs')) as {
  readonly compareRounds: (ratios: readonly Ratio[]) => Comparison;
};
const { quickTable } = (await importOf('report/quick-table.mjs')) as {
  readonly quickTable: (commit: string, comparison: Comparison) => string;
};

const QUIET_MACHINE = [0.99, 1.01, 1, 1.02];
const BUSY_MACHINE = [0.7, 1.1, 0.8, 1.3];

/** What the command says, and whether it passes, when `list` has these rounds. */
function verdictOn(rounds: readonly number[]): { passed: boolean; says: string | undefined } {
  const comparison = compareRounds([{ connections: 64, workload: 'list', rounds }]);
  return { passed: comparison.passed, says: quickTable('d0d0d0d', comparison).split('\n').at(-1) };
}

/** The workloads that fall when each has these rounds, multiplied by a factor for `create`. */
function fallenWith(rounds: readonly number[], factor: number): string[] {
  const ratios = ['list', 'get', 'create'].map((workload) => ({
    connections: 512,
    workload,
    rounds: rounds.map((ratio) => (workload === 'create' ? ratio * factor : ratio)),
  }));
  const { lines } = compareRounds(ratios);
  return lines.filter(({ fell }) => fell).map(({ workload }) => workload);
}

describe('npm run bench:quick', () => {
  it.each<[string, readonly number[], number, readonly string[]]>([
    ['fails when a request takes a fifth more', QUIET_MACHINE, 1 / 1.2, ['create']],
    ['passes when nothing changed', QUIET_MACHINE, 1, []],
    ['passes when a request takes a twentieth more', QUIET_MACHINE, 1 / 1.05, []],
    ['passes when a request takes less', QUIET_MACHINE, 1.5, []],
    ['tolerates more on a busy machine', BUSY_MACHINE, 1 / 1.2, []],
    ['fails on a busy machine when a request takes four times as long', BUSY_MACHINE, 0.25, ['create']],
  ])('%s', (_, rounds, factor, fallen) => {
    expect(fallenWith(rounds, factor)).toEqual(fallen);
  });

  const inconclusive = {
    passed: false,
    says:
      'Inconclusive: the noise would hide a regression for list, 64 connections; ' +
      'run this again on a quieter machine, or with more --rounds.',
  };
  it.each([
    ['passes without a regression', QUIET_MACHINE, { passed: true, says: 'No regression.' }],
    [
      'fails with a regression',
      [0.5, 0.51, 0.5],
      { passed: false, says: 'Regression: requests cost more than at d0d0d0d for list, 64 connections.' },
    ],
    [
      'is inconclusive when the noise hides that requests cost twice as much',
      [0.7, 0.5, 0.72, 0.52, 0.69, 0.5],
      inconclusive,
    ],
    ['is inconclusive with one round, which shows no noise', [0.5], inconclusive],
  ])('%s', (_, rounds, verdict) => {
    expect(verdictOn(rounds)).toEqual(verdict);
  });

  // Between neighbours of these rounds, the median change is 0.19: the rounds have a standard deviation of 0.2.
  it.each([
    [5, 0.536],
    [6, 0.464],
    [12, 0.344],
  ])('tolerates three standard deviations of the median of %d rounds', (count, deviationOfMedian) => {
    const rounds = Array.from({ length: count }, (_, index) => (index % 2 ? 1 : 0.81));
    const scale = count % 2 ? 0.81 : 0.905;
    const [line] = compareRounds([{ connections: 64, workload: 'list', rounds }]).lines;
    expect(line?.tolerance).toBeCloseTo((3 * 0.2 * deviationOfMedian) / scale, 2);
  });
});
