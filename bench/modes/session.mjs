import { checkResponses } from '../requests/check.mjs';
import { createDatabases, enter, startRepeatedly } from '../contenders/contenders.mjs';
import { preparePeers } from '../contenders/peers.mjs';
import { residentMemory } from '../machine/process-usage.mjs';
import { runRounds } from '../measure/rounds.mjs';
import { summarise } from '../measure/summary.mjs';
import { workloads } from '../requests/workloads.mjs';

const PETS = 100_000;

async function startAll(bench, contenders, times, progress) {
  const running = [];
  for (const contender of contenders) {
    progress.say(`Starting ${contender.name} for ${contender.connections} connections and checking its responses`);
    const { server, starts } = await startRepeatedly(contender, times);
    await checkResponses(server, bench.key, PETS);
    running.push({ server, starts });
  }
  return running;
}

export const everyCombination = ({ peers, connections }) =>
  connections.flatMap((number) => peers.map((peer) => ({ peer, connections: number })));

/**
 * Running and checked peers, ready for load; ratios are relative to the first. Each number of connections has its own
 * process of each peer, so that neither the memory nor the optimised code of one depends on another.
 */
export async function openSession(bench, { pairs, peers, starts: times }, progress) {
  await preparePeers(peers);
  const contenders = pairs.map(({ peer, connections }) => enter(bench, peer, { connections }));
  progress.say(`Filling the databases with ${PETS.toLocaleString('en')} pets`);
  await createDatabases(bench, contenders, PETS);
  const running = await startAll(bench, contenders, times, progress);
  const loads = workloads(PETS);
  return {
    /** Returns the samples of the named workloads, by default of all. */
    load(schedule, names = loads.map(({ name }) => name)) {
      const chosen = loads.filter(({ name }) => names.includes(name));
      const entries = chosen.flatMap((workload) => running.map(({ server }) => [server, workload]));
      return runRounds(bench, entries, schedule, progress);
    },
    summarise: (samples) => ({
      conditions: { ...bench.conditions, pets: PETS },
      peers: summarise(
        running.map(({ server, starts }) => ({
          name: server.name,
          connections: server.connections,
          starts,
          memory: residentMemory(server.pid),
          samples: samples[server.connections][server.name],
        })),
      ),
    }),
    close: () => Promise.all(running.map(({ server }) => server.stop())),
  };
}
