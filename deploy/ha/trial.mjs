// `npm run ha:trial -- --rounds N`: kills the leader while clients create pets, and counts what became of the pets that
// were answered with 201. Exits with 1 when one is lost, when an answer is late, or when it is neither 201 nor 503 with
// Retry-After. Expects `npm run ha:up` and a build.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Cluster, ClusterError, run } from './cluster.mjs';

const CLIENTS = 32;
/** Milliseconds of creations before the kill, and after the first one that succeeds again. */
const BEFORE = 5_000;
const AFTER = 3_000;
/** Milliseconds within which every request is to be answered. */
const LATE = 2_000;
const DIST = new URL('../../dist/', import.meta.url).pathname;

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

async function startService(databaseUrl) {
  const key = randomBytes(16).toString('hex');
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    API_KEYS: key,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'fatal',
  };
  const migration = spawnSync(process.execPath, [`${DIST}src/migrate.js`], { env, encoding: 'utf8' });
  if (migration.status !== 0) throw new ClusterError(migration.stderr.trim());
  const service = spawn(process.execPath, [`${DIST}main.js`], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [greeting] = await once(service.stdout.setEncoding('utf8'), 'data');
  return { service, key, port: Number(/localhost:(\d+)|127\.0\.0\.1:(\d+)/.exec(greeting).slice(1).find(Boolean)) };
}

/** One creation: its status, the id of a 201, whether a 503 says when to come back, and how long it took. */
function create({ port, key, agent }, name) {
  const body = JSON.stringify({ name, categoryId: 1 });
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Length': body.length };
  const start = performance.now();
  return new Promise((resolve) => {
    const answered = (outcome) => resolve({ ...outcome, name, at: performance.now(), took: performance.now() - start });
    request({ port, host: '127.0.0.1', path: '/v1/pets', method: 'POST', headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.once('end', () =>
        answered({
          status: response.statusCode,
          id: /"id":(\d+)/.exec(text)?.[1],
          isPatient: response.headers['retry-after'] !== undefined,
        }),
      );
    })
      .once('error', () => answered({ status: 0 }))
      .end(body);
  });
}

/** Kills the leader under load, and answers with what happened. */
async function round(cluster, target, number) {
  const outcomes = [];
  const end = new AbortController();
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let count = 0; !end.signal.aborted; count += 1) {
      const outcome = await create(target, `pet ${number}-${client}-${count}`);
      outcomes.push(outcome);
      // What a client does that is told to come back later, only sooner.
      if (outcome.status !== 201) await delay(50);
    }
  });
  await delay(BEFORE);
  const leader = await cluster.leader();
  const killedAt = performance.now();
  cluster.killNode(leader);
  const isBack = () =>
    outcomes.at(-1)?.status === 201 && outcomes.some(({ status, at }) => status !== 201 && at > killedAt);
  for (let waited = 0; waited < 90_000 && !(waited > 500 && isBack()); waited += 100) await delay(100);
  await delay(AFTER);
  end.abort();
  await Promise.all(clients);
  return { leader, killedAt, outcomes };
}

function longestPause(times) {
  return times.reduce((longest, time, index) => Math.max(longest, index === 0 ? 0 : time - times[index - 1]), 0);
}

async function namesOf(databaseUrl) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query('SELECT "id"::text, "name" FROM "pets"');
  await client.end();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function report({ leader, outcomes }, stored) {
  const created = outcomes.filter(({ status }) => status === 201);
  const refused = outcomes.filter(({ status }) => status === 503);
  const other = outcomes.filter(({ status }) => status !== 201 && status !== 503);
  const lost = created.filter(({ id, name }) => stored.get(id) !== name);
  const impatient = refused.filter(({ isPatient }) => !isPatient);
  const slowest = Math.max(...outcomes.map(({ took }) => took));
  const pause = longestPause(created.map(({ at }) => at));
  process.stdout.write(
    `${leader} killed: ${created.length} pets acknowledged, ${lost.length} lost; ${seconds(pause)} without writes; ` +
      `${refused.length} answers 503, ${impatient.length} without Retry-After; ${other.length} others; ` +
      `slowest answer ${seconds(slowest)}\n`,
  );
  return lost.length + impatient.length + other.length === 0 && slowest < LATE;
}

await run(async () => {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '1' } } });
  const cluster = Cluster.find();
  const { service, ...address } = await startService(cluster.writeUrl);
  const target = { ...address, agent: new Agent({ keepAlive: true, maxSockets: CLIENTS }) };
  try {
    for (let number = 1; number <= Number(values.rounds); number += 1) {
      const result = await round(cluster, target, `${process.pid}-${number}`);
      const isGood = report(result, await namesOf(cluster.writeUrl));
      if (!isGood) process.exitCode = 1;
      const start = performance.now();
      cluster.startNode(result.leader);
      await cluster.followed(result.leader);
      process.stdout.write(`${result.leader} started again: it follows after ${seconds(performance.now() - start)}\n`);
    }
  } finally {
    target.agent.destroy();
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
});
