import { checkResponses } from '../requests/check.mjs';
import { createDatabase, enter } from '../contenders/contenders.mjs';
import { preparePeers } from '../contenders/peers.mjs';
import { growthChart } from '../report/growth-chart.mjs';
import { growthTable } from '../report/growth-table.mjs';
import { runRounds } from '../measure/rounds.mjs';
import { costOf, median, pairedRatio } from '../measure/statistics.mjs';
import { growthWorkloads } from '../requests/workloads.mjs';

/** Before the largest one. */
const SIZES = [1_000, 100_000, 1_000_000];
const TOLERATED_COST = 1.3;

export const sizesUpTo = (pets) => [...SIZES.filter((size) => size < pets), pets];

const named = (pets) => `${pets.toLocaleString('en')} pets`;

/** One database grows from size to size and is copied at each, so that no pet is inserted twice. */
async function createDatabases(bench, contenders, sizes, progress) {
  const { databases } = bench;
  await createDatabase(bench, contenders[0]);
  const largest = sizes.at(-1);
  for (const [index, { database }] of contenders.entries()) {
    if (index > 0) await databases.copy(contenders[index - 1].database, database);
    await databases.fill(database, sizes[index], (pets) => progress.step(pets, largest, `filling: ${named(pets)}`));
  }
  progress.end();
}

async function startAll(bench, contenders, sizes, progress) {
  const servers = [];
  for (const [index, contender] of contenders.entries()) {
    progress.say(`Starting the service with ${contender.name} and checking its responses`);
    const server = await contender.start();
    servers.push(server);
    await checkResponses(server, bench.key, sizes[index], { withCursor: true });
  }
  return servers;
}

function summarise(samples, sizes) {
  const smallest = samples[named(sizes[0])];
  return Object.keys(smallest).map((workload) => ({
    workload,
    sizes: sizes.map((pets) => {
      const measured = samples[named(pets)][workload];
      return {
        pets,
        perSecond: median(measured.map(({ perSecond }) => perSecond)),
        p50: median(measured.map(({ p50 }) => p50)),
        cost: pairedRatio(measured, smallest[workload], costOf),
      };
    }),
  }));
}

/** Measures one peer at several table sizes, all running side by side. */
export async function growth(bench, { peers: [peer], connections: [connections], pets, rounds, seconds }, progress) {
  await preparePeers([peer]);
  const sizes = sizesUpTo(pets);
  const contenders = sizes.map((size) => enter(bench, peer, { name: named(size), connections }));
  await createDatabases(bench, contenders, sizes, progress);
  const servers = await startAll(bench, contenders, sizes, progress);
  const loads = sizes.map(growthWorkloads);
  const entries = loads[0].flatMap((_, index) => servers.map((server, size) => [server, loads[size][index]]));
  const { [connections]: samples } = await runRounds(bench, entries, { rounds, seconds }, progress);
  await Promise.all(servers.map((server) => server.stop()));
  const workloads = summarise(samples, sizes);
  return {
    results: { conditions: { ...bench.conditions, rounds, seconds }, workloads },
    text: growthTable(workloads),
    chart: growthChart(workloads),
    passed: workloads.every(({ sizes: measured }) => measured.at(-1).cost <= TOLERATED_COST),
  };
}
