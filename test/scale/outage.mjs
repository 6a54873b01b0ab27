// The database fails under load in several ways, and recovers.
import { setTimeout as delay } from 'node:timers/promises';
import { migrate, startService } from './cluster/service/service.mjs';
import { storedPets } from './cluster/service/stored-pets.mjs';
import { until } from './cluster/until.mjs';
import { Health } from './health.mjs';
import { Load } from './load.mjs';
import { Postgres } from './postgres.mjs';
import { PROMISED } from './report.mjs';
import { tally } from './tally.mjs';

/** Milliseconds. */
const DOWN = 5_000;
const BETWEEN = 2_000;
const KEY = 'key-of-the-outage';

export async function outage(report, say, cleanup) {
  const postgres = new Postgres();
  cleanup.add(() => postgres.remove());
  await postgres.create();
  migrate(postgres.url);
  const { port, stop } = await startService({ DATABASE_URL: postgres.url, API_KEYS: KEY });
  cleanup.add(stop);
  const load = new Load({ port, key: KEY });
  cleanup.add(() => load.stop());
  const health = new Health({ port });
  cleanup.add(() => health.stop());
  await delay(BETWEEN);

  /** @type {{ failure: string, fail: () => void | Promise<void>, recover: () => void | Promise<void> }[]} */
  const failures = [
    { failure: 'crashes', fail: () => postgres.crash(), recover: () => postgres.start() },
    { failure: 'is stopped', fail: () => postgres.stop(), recover: () => postgres.start() },
    { failure: 'stops responding', fail: () => postgres.freeze(), recover: () => postgres.thaw() },
  ];
  for (const { failure, fail, recover } of failures) {
    say(`outage: PostgreSQL ${failure}; ${load.outcomes.length} requests so far`);
    const failedAt = performance.now();
    await fail();
    await delay(DOWN);
    const recoversAt = performance.now();
    await recover();
    const recoveredAt = performance.now();
    await until('readiness', () => health.ready.at(-1).at > recoveredAt && health.ready.at(-1).status === 200, {
      every: 10,
    });
    const first = (path, status, from) => health[path].find((sample) => sample.status === status && sample.at > from);
    report.inTime(`${failure}: not ready after`, first('ready', 503, failedAt).at - failedAt);
    const wronglyReady = health.ready.filter(
      ({ status, at, took }) => status !== 503 && at - took > failedAt + PROMISED && at < recoversAt,
    );
    report.none(`${failure}: ready nevertheless`, wronglyReady.length);
    report.inTime(`${failure}: ready again after`, first('ready', 200, recoveredAt).at - recoveredAt);
    const created = () => load.outcomes.find(({ status, at }) => status === 201 && at > recoveredAt);
    await until('a creation', created, { every: 10 });
    report.inTime(`${failure}: creations succeed again after`, created().at - recoveredAt);
    await delay(BETWEEN);
  }

  say(`outage: connections are cut in the middle of creations; ${load.outcomes.length} requests so far`);
  let cuts = 0;
  for (const end = Date.now() + DOWN; Date.now() < end; await delay(Math.random() * 40)) cuts += await postgres.cut();
  report.promise('connections cut', cuts > 20, cuts);
  await until('readiness', () => health.ready.at(-1).status === 200);
  await load.stop();
  await health.stop();

  const { requests, created, unavailable, notRetryable, others, lost, twice, slowest } = tally(
    load.outcomes,
    await storedPets(postgres.url),
  );
  report.figure('requests', requests);
  report.promise('responses with 503', unavailable > 0, unavailable);
  report.none('of them without an Error body or Retry-After', notRetryable);
  report.promise('other failures', Object.keys(others).length === 0, others);
  report.inTime('slowest response', slowest);
  report.promise('creations with 201', created > 0, created);
  report.none('of them not stored', lost);
  report.none('pets stored twice', twice);
  const dead = health.live.filter(({ status }) => status !== 200);
  report.none(`failed liveness checks, of ${health.live.length}`, dead.length);
}
