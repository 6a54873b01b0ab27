import { compareWith, merge, ratiosIn, SUBJECT } from '../measure/regression.mjs';
import { quickTable } from '../report/quick-table.mjs';
import { readBaseline, saveBaseline } from './baseline.mjs';
import { everyCombination, openSession } from './session.mjs';

/** Too slow for many connections: its first response could take longer than the load. */
const SLOW = 'tutorial-nest';
const BASELINE_RUNS = 8;
/** Seconds for the whole run. */
const TIME_LIMIT = 115;

function open(bench, options, progress) {
  const [fewest] = options.connections;
  const pairs = everyCombination(options).filter(
    ({ peer, connections }) => peer.name !== SLOW || connections === fewest,
  );
  return openSession(bench, { ...options, pairs }, progress);
}

/** At the same time, all servers suffer from the same other work on the machine, so the ratios of a round are comparable. */
const load = async (session, schedule, workloads) =>
  ratiosIn(await session.load({ ...schedule, together: true }, workloads));

const sinceStart = () => performance.now() / 1000;

async function check(bench, baseline, options, progress) {
  const { rounds, seconds } = options;
  const session = await open(bench, options, progress);
  const loadStarted = sinceStart();
  let ratios = await load(session, { rounds, seconds });
  const secondsPerRound = (sinceStart() - loadStarted) / (rounds + 1);
  const suspects = compareWith(baseline, ratios).lines.filter(({ fell }) => fell);
  if (suspects.length > 0) {
    const workloads = [...new Set(suspects.map(({ workload }) => workload))];
    const shareOfRound = workloads.length / new Set(ratios.map(({ workload }) => workload)).size;
    const affordable = Math.floor((TIME_LIMIT - sinceStart()) / (secondsPerRound * shareOfRound));
    progress.say(`Slower: ${workloads.join(', ')}. Measuring again.`);
    const again = { rounds: Math.max(2, Math.min(rounds, affordable)), seconds, warmUp: false };
    ratios = merge(ratios, await load(session, again, workloads));
  }
  await session.close();
  return compareWith(baseline, ratios);
}

/** Runs that differ as later runs will: each with new processes. */
async function recordBaseline(bench, { rounds, seconds, ...options }, progress) {
  const runs = [];
  for (let run = 1; run <= BASELINE_RUNS; run++) {
    progress.say(`Run ${run} of ${BASELINE_RUNS}`);
    const session = await open(bench, options, progress);
    runs.push(await load(session, { rounds, seconds }));
    await session.close();
  }
  return compareWith(await saveBaseline(bench.generator.name, runs), runs.at(-1));
}

export async function quick(bench, options, progress) {
  if (!options.peers.some(({ name }) => name === SUBJECT) || options.peers.length < 2) {
    throw new Error(`--quick requires ${SUBJECT} and another peer: include them in --peers.`);
  }
  const baseline = readBaseline(bench.generator.name);
  if (baseline === undefined && !options.savesBaseline) {
    throw new Error(
      `bench/baseline.json has no ratios measured with ${bench.generator.name}: record them with --quick --save-baseline.`,
    );
  }
  const comparison = options.savesBaseline
    ? await recordBaseline(bench, options, progress)
    : await check(bench, baseline, options, progress);
  return {
    results: { conditions: bench.conditions, ...comparison },
    text: quickTable(SUBJECT, comparison),
    passed: options.savesBaseline || !comparison.lines.some(({ fell }) => fell),
  };
}
