import { describe, expect, it } from '@jest/globals';

interface Ratio {
  readonly connections: number;
  readonly workload: string;
  readonly peer: string;
  readonly rounds: readonly number[];
}

interface Regression {
  readonly compareWith: (
    baseline: unknown,
    ratios: readonly Ratio[],
  ) => { readonly lines: readonly { readonly workload: string; readonly peer: string; readonly fell: boolean }[] };
}

const module = new URL('../../bench/measure/regression.mjs', import.meta.url).href;
const { compareWith } = (await import(module)) as Regression;

const WORKLOADS = ['list', 'get', 'create'];
const PEERS = ['bare', 'tutorial-nest'];
const byName = <Value>(names: readonly string[], value: Value): Record<string, Value> =>
  Object.fromEntries(names.map((name) => [name, value]));

const BASELINE = { 512: byName(WORKLOADS, byName(PEERS, [1, 1.02, 0.99, 1.01, 1, 0.98, 1.01, 1])) };
const QUIET = [0.99, 1.01, 1, 1.02];
const BUSY = [0.7, 1.1, 0.8, 1.3];

const QUIET_MACHINE = byName(PEERS, QUIET);
const BUSY_MACHINE = byName(PEERS, BUSY);

/** The ratios that fall when each peer has these rounds, multiplied by its factor for `create`. */
function fallenWith(rounds: Record<string, readonly number[]>, factors: Record<string, number>): string[] {
  const ratios = WORKLOADS.flatMap((workload) =>
    PEERS.map((peer) => {
      const factor = workload === 'create' ? (factors[peer] ?? 1) : 1;
      return { connections: 512, workload, peer, rounds: rounds[peer]!.map((ratio) => ratio * factor) };
    }),
  );
  const { lines } = compareWith(BASELINE, ratios);
  return lines.filter(({ fell }) => fell).map(({ workload, peer }) => `${workload}, ${peer}`);
}

describe('npm run bench:quick', () => {
  it.each([
    ['fails when a request takes a fifth more', QUIET_MACHINE, byName(PEERS, 1 / 1.2), true],
    [
      'fails then although one peer is measured less exactly',
      { ...QUIET_MACHINE, 'tutorial-nest': BUSY },
      byName(PEERS, 1 / 1.2),
      true,
    ],
    ['passes when nothing changed', QUIET_MACHINE, {}, false],
    ['passes when a request takes less', QUIET_MACHINE, byName(PEERS, 1.5), false],
    ['passes on a machine where one peer alone is relatively faster', QUIET_MACHINE, { bare: 0.5 }, false],
    ['tolerates more on a busy machine', BUSY_MACHINE, byName(PEERS, 1 / 1.2), false],
    ['fails on a busy machine when a request takes four times as long', BUSY_MACHINE, byName(PEERS, 0.25), true],
  ])('%s', (_, rounds, factors: Record<string, number>, fails) => {
    expect(fallenWith(rounds, factors)).toEqual(fails ? ['create, bare', 'create, tutorial-nest'] : []);
  });
});
