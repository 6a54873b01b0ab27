import { generateLoad } from '../load/generate-load.mjs';
import { processorSeconds } from '../machine/process-usage.mjs';

/** Also measures processor time, which does not depend on other work on the core. */
async function measure(bench, server, workload, schedule) {
  const databaseBefore = bench.databases.processorSeconds();
  const before = processorSeconds(server.pid);
  const { requests, ...load } = await generateLoad(bench, server, workload, schedule);
  const used = processorSeconds(server.pid) - before;
  const usedByDatabase = bench.databases.processorSeconds() - databaseBefore;
  return {
    ...load,
    busy: used / schedule.seconds,
    processorMicroseconds: (used * 1e6) / requests,
    databaseMicroseconds: (usedByDatabase * 1e6) / requests,
  };
}

/** Together, servers share a core: other work on the machine then makes one refuse requests that it would otherwise serve. */
const ATTEMPTS = 3;

async function measureTogether(measurements) {
  for (let attempt = 1; ; attempt++) {
    const settled = await Promise.allSettled(measurements.map((start) => start()));
    const failure = settled.find(({ status }) => status === 'rejected');
    if (!failure) return settled.map(({ value }) => value);
    if (attempt === ATTEMPTS) throw failure.reason;
  }
}

/** Reverses every second round, so that drift on the machine favours no server. */
const inOrder = (round, entries) => (round % 2 === 0 ? entries : entries.toReversed());

const oneByOne = (entries) => entries.map((entry) => [entry]);

const pointOf = ([{ connections }, { name }]) => `${name} ${connections}`;

/** Fewer servers share a core than if all were loaded at once: a slow machine would refuse requests of hundreds of clients. */
const byPoint = (entries) =>
  [...new Set(entries.map(pointOf))].map((point) => entries.filter((entry) => pointOf(entry) === point));

const nameOf = ([[{ name, connections }, workload], ...others]) =>
  `${workload.name}, ${others.length === 0 ? `${name}, ` : ''}${connections} connections`;

/**
 * Loads every server with its workload and its connections, in several rounds after a warm-up round: in turn, or, if
 * `together`, all servers with the same workload and as many connections at the same time.
 * Returns the samples of each round by number of connections, then server name, then workload name.
 */
export async function runRounds(bench, entries, { rounds, warmUp = true, together = false, ...schedule }, progress) {
  const samples = {};
  const groups = together ? byPoint(entries) : oneByOne(entries);
  const first = warmUp ? -1 : 0;
  const total = groups.length * (rounds - first);
  let done = 0;
  for (let round = first; round < rounds; round++) {
    for (const group of inOrder(round, groups)) {
      const label = round < 0 ? 'warm-up' : `round ${round + 1} of ${rounds}`;
      progress.step(done++, total, `${label}: ${nameOf(group)}`);
      const measurements = group.map(
        ([server, workload]) =>
          () =>
            measure(bench, server, workload, schedule),
      );
      const measured = together ? await measureTogether(measurements) : [await measurements[0]()];
      if (round < 0) continue;
      for (const [index, [{ name, connections }, workload]] of group.entries()) {
        (((samples[connections] ??= {})[name] ??= {})[workload.name] ??= []).push(measured[index]);
      }
    }
  }
  progress.step(total, total, 'measured');
  progress.end();
  return samples;
}
