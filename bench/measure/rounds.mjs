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

/** Reverses every second round, so that drift on the machine favours no server. */
const inOrder = (round, entries) => (round % 2 === 0 ? entries : entries.toReversed());

/**
 * Loads every server with its workload and its connections in turn, in several rounds after a warm-up round.
 * Returns the samples of each round by number of connections, then server name, then workload name.
 */
export async function runRounds(bench, entries, { rounds, warmUp = true, ...schedule }, progress) {
  const samples = {};
  const first = warmUp ? -1 : 0;
  const total = entries.length * (rounds - first);
  let done = 0;
  for (let round = first; round < rounds; round++) {
    for (const [server, workload] of inOrder(round, entries)) {
      const label = round < 0 ? 'warm-up' : `round ${round + 1} of ${rounds}`;
      const { name, connections } = server;
      progress.step(done++, total, `${label}: ${workload.name}, ${name}, ${connections} connections`);
      const sample = await measure(bench, server, workload, schedule);
      if (round >= 0) (((samples[connections] ??= {})[name] ??= {})[workload.name] ??= []).push(sample);
    }
  }
  progress.step(total, total, 'measured');
  progress.end();
  return samples;
}
