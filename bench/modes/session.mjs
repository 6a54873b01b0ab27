import { checkResponses } from '../requests/check.mjs';
import { createDatabases, enter, startRepeatedly } from '../contenders/contenders.mjs';
import { preparePeers } from '../contenders/peers.mjs';
import { residentMemory } from '../machine/process-usage.mjs';
import { runRounds } from '../measure/rounds.mjs';
import { summarise } from '../measure/summary.mjs';
import { workloads } from '../requests/workloads.mjs';

const PETS = 100_000;

async function startAll(bench, contenders, starts, progress) {
  const running = [];
  for (const contender of contenders) {
    progress.say(`Starting ${contender.name} and checking its responses`);
    const { server, readyMilliseconds } = await startRepeatedly(contender, starts);
    await checkResponses(server, bench.key, PETS);
    running.push({ server, readyMilliseconds });
  }
  return running;
}

/** Running and checked peers, ready for load; ratios are relative to the first. */
export async function openSession(bench, { peers, starts }, progress) {
  await preparePeers(peers);
  const contenders = peers.map((peer) => enter(bench, peer));
  progress.say(`Filling the databases with ${PETS.toLocaleString('en')} pets`);
  await createDatabases(bench, contenders, PETS);
  const running = await startAll(bench, contenders, starts, progress);
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
        running.map(({ server, readyMilliseconds }) => ({
          name: server.name,
          readyMilliseconds,
          residentBytes: residentMemory(server.pid),
          samples: samples[server.name],
        })),
      ),
    }),
    close: () => Promise.all(running.map(({ server }) => server.stop())),
  };
}
