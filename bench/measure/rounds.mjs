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

/** Loads a server until it has responded to that many requests. */
async function warmUp(bench, server, workload, { warmUpRequests, ...schedule }) {
  for (let requests = 0; requests < warmUpRequests;) {
    requests += (await generateLoad(bench, server, workload, schedule)).requests;
  }
}

/** Together, servers share a core: other work on the machine then makes one refuse requests that it would otherwise serve. */
const ATTEMPTS = 3;

async function runTogether(loads) {
  for (let attempt = 1; ; attempt++) {
    const settled = await Promise.allSettled(loads.map((start) => start()));
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
 * Loads every server with its workload and its connections, in several rounds: in turn, or, if `together`, all servers with
 * the same workload and as many connections at the same time. A round before them warms up, until each server has responded
 * to `warmUpRequests` requests of each workload; 0 for no such round.
 * Returns the samples of each round by number of connections, then server name, then workload name.
 */
export async function runRounds(bench, entries, schedule, progress) {
  const { rounds, warmUpRequests = 1, together = false, ...load } = schedule;
  const samples = {};
  const groups = together ? byPoint(entries) : oneByOne(entries);
  const first = warmUpRequests > 0 ? -1 : 0;
  const total = groups.length * (rounds - first);
  let done = 0;
  for (let round = first; round < rounds; round++) {
    const isWarmUp = round < 0;
    for (const group of inOrder(round, groups)) {
      progress.step(done++, total, `${isWarmUp ? 'warm-up' : `round ${round + 1} of ${rounds}`}: ${nameOf(group)}`);
      const loads = group.map(
        ([server, workload]) =>
          () =>
            isWarmUp
              ? warmUp(bench, server, workload, { warmUpRequests, ...load })
              : measure(bench, server, workload, load),
      );
      const measured = together ? await runTogether(loads) : [await loads[0]()];
      if (isWarmUp) continue;
      for (const [index, [{ name, connections }, workload]] of group.entries()) {
        (((samples[connections] ??= {})[name] ??= {})[workload.name] ??= []).push(measured[index]);
      }
    }
  }
  progress.step(total, total, 'measured');
  progress.end();
  return samples;
}
