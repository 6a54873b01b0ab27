// Kills the leader while clients create and read pets, and checks that no pet acknowledged with 201 is lost. Half of the
// clients repeat a creation with its Idempotency-Key until it is answered with 201: it must be stored once.
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ClusterError } from '../command.mjs';
import { petReads } from './pet-reads.mjs';
import { send } from './send.mjs';
import { migrate, startService } from './service.mjs';
import { storedPets } from './stored-pets.mjs';
import { until } from '../until.mjs';

const CREATORS = 32;
const READERS = 8;
/** Reads that show that the standby serves them. */
export const ENOUGH = 100;
/** Milliseconds between two reads, and after a failed creation. */
const PAUSE = 50;
/** Milliseconds of creations before the kill, and after creations succeed again. */
const BEFORE = 5_000;
const AFTER = 3_000;
/** Milliseconds after the kill within which creations must succeed again. */
const RECOVERY = 90_000;
/** Milliseconds within which every request must get a response. */
export const LATE = 2_000;

/** Runs `work` with a service that uses the cluster. */
export async function onService({ writeUrl, readUrl }, work) {
  migrate(writeUrl);
  const key = randomBytes(16).toString('hex');
  const { port, stop } = await startService({
    DATABASE_URL: writeUrl,
    DATABASE_READ_URL: readUrl,
    API_KEYS: key,
  });
  const agent = new Agent({ keepAlive: true, maxSockets: CREATORS + READERS });
  try {
    await work({ port, key, agent });
  } finally {
    agent.destroy();
    await stop();
  }
}

/** Runs one round. */
export async function failOver(cluster, target) {
  const round = randomBytes(4).toString('hex');
  const creations = [];
  const reads = [];
  const acknowledged = [];
  const end = new AbortController();
  let repeated = 0;
  const create = async (_, client) => {
    const isKeyed = client % 2 === 1;
    let attempts = 0;
    for (let count = 0; !end.signal.aborted;) {
      const name = `${prefixOf(round)}${client}-${count}`;
      const outcome = await send(target, 'POST', '/v1/pets', { name, categoryId: 1 }, isKeyed ? name : undefined);
      creations.push(outcome);
      attempts += 1;
      if (outcome.status === 201) acknowledged.push(outcome.id);
      // Shorter than Retry-After, to detect the end of the outage sooner.
      else await delay(PAUSE);
      if (isKeyed && outcome.status !== 201) continue;
      if (attempts > 1) repeated += 1;
      attempts = 0;
      count += 1;
    }
  };
  const read = async () => {
    for (let count = 0; !end.signal.aborted; count += 1) {
      const id = acknowledged.at(-1);
      const path = count % 2 && id ? `/v1/pets/${id}` : '/v1/pets?limit=100';
      reads.push(await send(target, 'GET', path));
      await delay(PAUSE);
    }
  };
  const clients = [...Array.from({ length: CREATORS }, create), ...Array.from({ length: READERS }, read)];
  let leader, byStandby;
  try {
    await delay(BEFORE);
    leader = await cluster.leader();
    // The service reaches the standby only through the read port. How soon it reads there depends on the machine.
    await until('the standby to serve reads', async () => {
      byStandby = await petReads(cluster.standbyUrl(leader));
      return byStandby > ENOUGH;
    });
    const killedAt = performance.now();
    cluster.killNode(leader);
    const isBack = () =>
      creations.at(-1)?.status === 201 && creations.some(({ status, at }) => status !== 201 && at > killedAt);
    for (let waited = 0; !(waited > 500 && isBack()); waited += 100) {
      if (waited >= RECOVERY)
        throw new ClusterError(`No creation succeeds ${RECOVERY / 1000} s after ${leader} was killed.`);
      await delay(100);
    }
    await delay(AFTER);
  } finally {
    end.abort();
    await Promise.all(clients);
  }
  const endedAt = performance.now();
  const stored = await storedPets(cluster.writeUrl);
  const created = creations.filter(({ status }) => status === 201);
  return {
    leader,
    creations: {
      ...tally(creations, 201),
      lost: created.filter(({ id, name }) => stored.get(id) !== name).length,
      repeated,
      twice: storedTwice(stored, round),
      withoutWrites: longestPause([...created.map(({ at }) => at), endedAt]),
    },
    reads: {
      ...tally(reads, 200),
      byStandby,
      missing: reads.filter(({ status }) => status === 404).length,
    },
  };
}

const prefixOf = (round) => `pet ${round}-`;

/** Surplus pets from the creations of this round. Other clients of the cluster may use a name twice. */
export function storedTwice(stored, round) {
  const names = [...stored.values()].filter((name) => name.startsWith(prefixOf(round)));
  return names.length - new Set(names).size;
}

function tally(outcomes, success) {
  const succeeded = outcomes.filter(({ status }) => status === success);
  const unavailable = outcomes.filter(({ status }) => status === 503);
  return {
    succeeded: succeeded.length,
    unavailable: unavailable.length,
    notRetryable: unavailable.filter(({ isRetryable }) => !isRetryable).length,
    others: outcomes.length - succeeded.length - unavailable.length,
    slowest: outcomes.reduce((longest, { took }) => Math.max(longest, took), 0),
  };
}

function longestPause(times) {
  return times.reduce((longest, time, index) => Math.max(longest, index === 0 ? 0 : time - times[index - 1]), 0);
}

/** Milliseconds until a killed node is a synchronous standby again. */
export async function comeBack(cluster, node) {
  const start = performance.now();
  cluster.startNode(node);
  await cluster.untilStandby(node);
  return performance.now() - start;
}
