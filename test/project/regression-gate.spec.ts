import { describe, expect, it } from '@jest/globals';

interface Ratio {
  readonly connections: number;
  readonly workload: string;
  readonly rounds: readonly number[];
}

interface Regression {
  readonly compareRounds: (ratios: readonly Ratio[]) => {
    readonly lines: readonly { readonly workload: string; readonly fell: boolean }[];
  };
}

const module = new URL('../../bench/measure/regression.mjs', import.meta.url).href;
const { compareRounds } = (await import(module)) as Regression;

const QUIET_MACHINE = [0.99, 1.01, 1, 1.02];
const BUSY_MACHINE = [0.7, 1.1, 0.8, 1.3];

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
});
