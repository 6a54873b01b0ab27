import { baselineCommit, buildCommit } from '../contenders/baseline.mjs';
import { buildOf } from '../contenders/peers.mjs';
import { compareRounds, merge, ratiosIn } from '../measure/regression.mjs';
import { quickTable } from '../report/quick-table.mjs';
import { everyCombination, openSession } from './session.mjs';

/** Seconds for the whole run, without the build of the baseline. */
const TIME_LIMIT = 115;

/** At the same time, both builds suffer from the same other work on the machine, so the ratios of a round are comparable. */
const load = async (session, schedule, workloads) =>
  ratiosIn(await session.load({ ...schedule, together: true }, workloads));

const seconds = () => performance.now() / 1000;

async function check(session, schedule, startedAt, progress) {
  const loadStarted = seconds();
  const ratios = await load(session, schedule);
  const secondsPerRound = (seconds() - loadStarted) / (schedule.rounds + 1);
  const comparison = compareRounds(ratios);
  if (comparison.passed) return comparison;
  const suspects = comparison.lines.filter(({ fell, isUnsure }) => fell || isUnsure);
  const workloads = [...new Set(suspects.map(({ workload }) => workload))];
  const shareOfRound = workloads.length / new Set(ratios.map(({ workload }) => workload)).size;
  const affordable = Math.floor((startedAt + TIME_LIMIT - seconds()) / (secondsPerRound * shareOfRound));
  const rounds = Math.max(2, Math.min(schedule.rounds, affordable));
  progress.say(`Slower or unsure: ${workloads.join(', ')}. Measuring again.`);
  return compareRounds(merge(ratios, await load(session, { ...schedule, rounds, warmUpRequests: 0 }, workloads)));
}

export async function quick(bench, options, progress) {
  const commit = options.baseline ?? baselineCommit();
  progress.say(`Building ${commit}`);
  const baseline = buildOf('baseline', await buildCommit(commit, bench.directory));
  const startedAt = seconds();
  const peers = [baseline, ...options.peers];
  const pairs = everyCombination({ ...options, peers });
  const session = await openSession(bench, { ...options, peers, pairs }, progress);
  const { rounds, seconds: duration } = options;
  const { passed, ...comparison } = await check(session, { rounds, seconds: duration }, startedAt, progress);
  await session.close();
  return {
    results: { conditions: bench.conditions, baseline: commit, ...comparison },
    text: quickTable(commit, comparison),
    passed,
  };
}
