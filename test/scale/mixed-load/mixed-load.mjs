// One service on SQLite serves requests of many kinds at half of its capacity.
import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startService } from '../cluster/service/service.mjs';
import { KEY, REQUESTS } from './requests.mjs';
import { send } from './send.mjs';

/** The number of clients with a persistent connection, and with a new connection per request. */
const KEEPING = 24;
const CONNECTING = 8;
/** The number of clients whose persistent connection is idle for long, and for how many milliseconds at most. */
const IDLING = 8;
const IDLE = 60_000;
/** Milliseconds without pauses, to find the capacity. */
const WHILE = 5_000;

export async function mixedLoad(report, say, cleanup, { minutes }) {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-mixed-load-'));
  cleanup.add(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'pets.sqlite');
  const { port, stop } = await startService({ DATABASE_URL: `sqlite:${file}`, API_KEYS: KEY });
  cleanup.add(stop);
  const created = REQUESTS.find(({ status }) => status === 201);
  await send({ port }, created);

  const outcomes = { requests: 0, created: 1, slowest: 0, statuses: {}, failures: {} };
  const run = async (clients, milliseconds, interval) => {
    const end = performance.now() + milliseconds;
    await Promise.all(clients.map((agent) => call({ port, agent }, end, interval, outcomes)));
  };
  const agents = (count) => Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const busy = [...agents(KEEPING), ...Array.from({ length: CONNECTING }, () => false)];

  say('mixed load: as many requests as possible, to find the capacity');
  await run(busy, WHILE, 0);
  const { requests } = outcomes;
  const interval = (2 * WHILE * busy.length) / requests;

  say(`mixed load: half of ${Math.round((1000 * requests) / WHILE)} requests per second for ${minutes} minutes`);
  const time = minutes * 60_000;
  await Promise.all([run(busy, time, interval), run(agents(IDLING), time, Math.min(IDLE, time / 3))]);

  const code = await stop();
  const stored = new Database(file, { readonly: true });
  const { pets } = stored.prepare('SELECT count(*) AS "pets" FROM "pets"').get();
  stored.close();
  report.promise('requests', outcomes.requests > requests, outcomes.requests);
  report.figure('of them at half capacity', outcomes.requests - requests);
  report.figure('responses', outcomes.statuses);
  report.promise('wrong statuses, resets and errors', Object.keys(outcomes.failures).length === 0, outcomes.failures);
  report.none('creations with 201 that are not stored, or the reverse', Math.abs(outcomes.created - pets));
  report.promise('exit code of the service', code === 0, code ?? { 'killed by a signal': 1 });
  report.figure('slowest response', outcomes.slowest, 'ms');
}

/** Sends all kinds of requests in turn, from a random one, each `interval` milliseconds after the one before. */
async function call(target, end, interval, outcomes) {
  let next = performance.now() + Math.random() * interval;
  for (let turn = Math.floor(Math.random() * REQUESTS.length); next < end; turn += 1) {
    await delay(Math.max(0, next - performance.now()));
    const request = REQUESTS[turn % REQUESTS.length];
    const start = performance.now();
    record(outcomes, request, await send(target, request), performance.now() - start);
    next = Math.max(next + interval, performance.now() - interval);
  }
  if (target.agent) target.agent.destroy();
}

function record(outcomes, { method, path, status }, result, took) {
  outcomes.requests += 1;
  outcomes.slowest = Math.max(outcomes.slowest, took);
  if (result === 201) outcomes.created += 1;
  const [counts, name] =
    result === status ? [outcomes.statuses, status] : [outcomes.failures, `${method} ${path} ${result}`];
  counts[name] = (counts[name] ?? 0) + 1;
}
