import { missedGoals } from '../measure/goals.mjs';
import { curveChart } from '../report/curve-chart.mjs';
import { curveTable } from '../report/curve-table.mjs';
import { everyCombination, openSession } from './session.mjs';

/**
 * V8 optimises a function by how often it ran. With one connection, two seconds are too short for that, most of all for the
 * server with more code.
 */
const WARM_UP_REQUESTS = 20_000;

/** One point for each workload, number of connections and peer, with the goals that it misses. */
function pointsOf(engine, peers) {
  const reference = (connections) => peers.find((peer) => peer.connections === connections);
  return Object.keys(peers[0].workloads).flatMap((workload) =>
    peers.map(({ name, connections, workloads: { [workload]: measured } }) => ({
      workload,
      connections,
      name,
      ...measured,
      missed: missedGoals(engine, workload, measured, reference(connections).workloads[workload]),
    })),
  );
}

/** Measures the peers with several numbers of connections, all in the same rounds. */
export async function curve(bench, options, progress) {
  const { engine, rounds, seconds } = options;
  const session = await openSession(bench, { ...options, pairs: everyCombination(options) }, progress);
  const schedule = { rounds, seconds, warmUpRequests: WARM_UP_REQUESTS, countsErrors: true };
  const { conditions, peers } = session.summarise(await session.load(schedule));
  await session.close();
  const memory = peers.map(({ name, connections, peakBytes }) => ({ name, connections, peakBytes }));
  const results = { conditions: { ...conditions, rounds, seconds }, points: pointsOf(engine, peers), memory };
  return { results, text: curveTable(results), chart: curveChart(results), passed: true };
}
