// Kills the leader while clients create pets, and counts what became of those that were answered with 201.
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ClusterError } from './command.mjs';
import { send } from './send.mjs';
import { migrate, startService } from './service.mjs';
import { storedPets } from './stored-pets.mjs';

const CLIENTS = 32;
/** Milliseconds of creations before the kill, and after the first one that succeeds again. */
const BEFORE = 5_000;
const AFTER = 3_000;
/** Milliseconds after the kill within which creations are to succeed again. */
const AWAY = 90_000;
/** Milliseconds within which every request is to be answered. */
export const LATE = 2_000;

/** Starts the service on a cluster, and does something with it. */
export async function onService({ writeUrl, readUrl }, work) {
  migrate(writeUrl);
  const key = randomBytes(16).toString('hex');
  const { port, stop } = await startService({
    DATABASE_URL: writeUrl,
    DATABASE_READ_URL: readUrl,
    API_KEYS: key,
  });
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  try {
    await work({ port, key, agent });
  } finally {
    agent.destroy();
    await stop();
  }
}

/** One round. */
export async function failOver(cluster, target) {
  const round = randomBytes(4).toString('hex');
  const outcomes = [];
  const end = new AbortController();
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let count = 0; !end.signal.aborted; count += 1) {
      const name = `pet ${round}-${client}-${count}`;
      const outcome = await send(target, 'POST', '/v1/pets', { name, categoryId: 1 });
      outcomes.push(outcome);
      // What a client does that is told to come back later, only sooner.
      if (outcome.status !== 201) await delay(50);
    }
  });
  let leader;
  try {
    await delay(BEFORE);
    leader = await cluster.leader();
    const killedAt = performance.now();
    cluster.killNode(leader);
    const isBack = () =>
      outcomes.at(-1)?.status === 201 && outcomes.some(({ status, at }) => status !== 201 && at > killedAt);
    for (let waited = 0; !(waited > 500 && isBack()); waited += 100) {
      if (waited >= AWAY) throw new ClusterError(`No pet is created ${AWAY / 1000} s after ${leader} was killed.`);
      await delay(100);
    }
    await delay(AFTER);
  } finally {
    end.abort();
    await Promise.all(clients);
  }
  return { leader, ...tally(outcomes, performance.now(), await storedPets(cluster.writeUrl)) };
}

function tally(outcomes, endedAt, stored) {
  const created = outcomes.filter(({ status }) => status === 201);
  const refused = outcomes.filter(({ status }) => status === 503);
  return {
    acknowledged: created.length,
    lost: created.filter(({ id, name }) => stored.get(id) !== name).length,
    withoutWrites: longestPause([...created.map(({ at }) => at), endedAt]),
    refused: refused.length,
    impatient: refused.filter(({ isPatient }) => !isPatient).length,
    others: outcomes.length - created.length - refused.length,
    slowest: outcomes.reduce((longest, { took }) => Math.max(longest, took), 0),
  };
}

function longestPause(times) {
  return times.reduce((longest, time, index) => Math.max(longest, index === 0 ? 0 : time - times[index - 1]), 0);
}

/** Milliseconds until a node that was killed has its part again. */
export async function comeBack(cluster, node) {
  const start = performance.now();
  cluster.startNode(node);
  await cluster.followed(node);
  return performance.now() - start;
}
