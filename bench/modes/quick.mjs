import { readBaseline, saveBaseline } from './baseline.mjs';
import { quickTable } from '../report/quick-table.mjs';
import { everyCombination, openSession } from './session.mjs';
import { costOf, pairedRatio } from '../measure/statistics.mjs';

const SUBJECT = 'ours';
const TOLERATED_FALL = 0.2;
/** Seconds for the whole run. */
const TIME_LIMIT = 115;

const round = (ratio) => Number(ratio.toFixed(3));

/** The cost of each peer's requests relative to the service, by workload, then peer. */
function ratiosIn(samples) {
  const { [SUBJECT]: subject, ...others } = samples;
  const ratioTo =
    (workload) =>
    ([name, other]) => [name, round(pairedRatio(other[workload], subject[workload], costOf))];
  return Object.fromEntries(
    Object.keys(subject).map((workload) => [
      workload,
      Object.fromEntries(Object.entries(others).map(ratioTo(workload))),
    ]),
  );
}

const compareWith = (baseline, ratios) =>
  Object.entries(ratios).flatMap(([workload, byPeer]) =>
    Object.entries(byPeer).map(([peer, ratio]) => {
      const expected = baseline?.[workload]?.[peer];
      return {
        workload,
        peer,
        ratio,
        expected,
        fell: expected !== undefined && ratio < expected * (1 - TOLERATED_FALL),
      };
    }),
  );

const workloadsThatFell = (comparison) => [
  ...new Set(comparison.filter(({ fell }) => fell).map(({ workload }) => workload)),
];

const merge = (samples, more) =>
  Object.fromEntries(
    Object.entries(samples).map(([peer, byWorkload]) => [
      peer,
      Object.fromEntries(
        Object.entries(byWorkload).map(([workload, list]) => [workload, [...list, ...(more[peer]?.[workload] ?? [])]]),
      ),
    ]),
  );

/** Measures fallen ratios again while time allows, because other work on the machine may be the cause. */
async function measureAgain(load, samples, names, { rounds, seconds, secondsPerLoad, secondsLeft }, progress) {
  const secondsPerRound = names.length * Object.keys(samples).length * secondsPerLoad;
  const affordable = Math.min(rounds, Math.floor(secondsLeft / secondsPerRound));
  if (affordable === 0) return samples;
  progress.say(`Fell: ${names.join(', ')}. Measuring again.`);
  return merge(samples, await load({ rounds: affordable, seconds, warmUp: false }, names));
}

const sinceStart = () => performance.now() / 1000;

export async function quick(bench, options, progress) {
  if (!options.peers.some(({ name }) => name === SUBJECT))
    throw new Error(`--quick requires ${SUBJECT}: include it in --peers.`);
  const generator = bench.generator.name;
  const baseline = options.savesBaseline ? undefined : readBaseline(generator);
  if (baseline === undefined && !options.savesBaseline) {
    throw new Error(
      `bench/baseline.json has no ratios measured with ${generator}: record them with --quick --save-baseline.`,
    );
  }
  const { rounds, seconds } = options;
  const [connections] = options.connections;
  const session = await openSession(bench, { ...options, pairs: everyCombination(options) }, progress);
  const load = async (schedule, names) => {
    const { [connections]: loaded } = await session.load(schedule, names);
    return loaded;
  };
  const loadStarted = sinceStart();
  let samples = await load({ rounds, seconds });
  const loads = Object.values(samples).flatMap((byWorkload) => Object.keys(byWorkload)).length * (rounds + 1);
  const secondsPerLoad = (sinceStart() - loadStarted) / loads;
  const suspects = workloadsThatFell(compareWith(baseline, ratiosIn(samples)));
  if (suspects.length > 0) {
    const secondsLeft = TIME_LIMIT - sinceStart();
    samples = await measureAgain(load, samples, suspects, { rounds, seconds, secondsPerLoad, secondsLeft }, progress);
  }
  const results = session.summarise({ [connections]: samples });
  await session.close();
  const ratios = ratiosIn(samples);
  const comparison = compareWith(baseline, ratios);
  if (options.savesBaseline) saveBaseline(generator, ratios);
  return {
    results: { ...results, comparison },
    text: quickTable(SUBJECT, comparison),
    passed: !comparison.some(({ fell }) => fell),
  };
}
