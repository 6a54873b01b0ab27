// The database fails under load, in several ways, and comes back.
import { setTimeout as delay } from 'node:timers/promises';
import { migrate, startService } from './cluster/service.mjs';
import { storedPets } from './cluster/stored-pets.mjs';
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

  /** @type {{ way: string, leave: () => void | Promise<void>, comeBack: () => void | Promise<void> }[]} */
  const ways = [
    { way: 'crashes', leave: () => postgres.crash(), comeBack: () => postgres.start() },
    { way: 'is stopped', leave: () => postgres.stop(), comeBack: () => postgres.start() },
    { way: 'answers nothing', leave: () => postgres.freeze(), comeBack: () => postgres.thaw() },
  ];
  for (const { way, leave, comeBack } of ways) {
    say(`outage: PostgreSQL ${way}; ${load.outcomes.length} requests so far`);
    const leftAt = performance.now();
    await leave();
    await delay(DOWN);
    const backAt = performance.now();
    await comeBack();
    const acceptsAt = performance.now();
    await until('readiness', () => health.ready.at(-1).at > acceptsAt && health.ready.at(-1).status === 200, {
      every: 10,
    });
    const first = (path, status, from) => health[path].find((sample) => sample.status === status && sample.at > from);
    report.inTime(`${way}: not ready after`, first('ready', 503, leftAt).at - leftAt);
    const green = health.ready.filter(
      ({ status, at, took }) => status !== 503 && at - took > leftAt + PROMISED && at < backAt,
    );
    report.none(`${way}: ready in spite of it`, green.length);
    report.inTime(`${way}: ready again after`, first('ready', 200, acceptsAt).at - acceptsAt);
    const created = () => load.outcomes.find(({ status, at }) => status === 201 && at > acceptsAt);
    await until('a creation', created, { every: 10 });
    report.inTime(`${way}: creates again after`, created().at - acceptsAt);
    await delay(BETWEEN);
  }

  say(`outage: connections are cut in the middle of creations; ${load.outcomes.length} requests so far`);
  let cuts = 0;
  for (const end = Date.now() + DOWN; Date.now() < end; await delay(Math.random() * 40)) cuts += await postgres.cut();
  report.promise('connections cut', cuts > 20, cuts);
  await until('readiness', () => health.ready.at(-1).status === 200);
  await load.stop();
  await health.stop();

  const { requests, created, refused, impatient, others, lost, twice, slowest } = tally(
    load.outcomes,
    await storedPets(postgres.url),
  );
  report.figure('requests', requests);
  report.promise('answers 503', refused > 0, refused);
  report.none('of them without Error or Retry-After', impatient);
  report.promise('neither success nor 503', Object.keys(others).length === 0, others);
  report.inTime('slowest answer', slowest);
  report.promise('pets answered with 201', created > 0, created);
  report.none('of them not stored', lost);
  report.none('pets stored twice', twice);
  const dead = health.live.filter(({ status }) => status !== 200);
  report.none(`of ${health.live.length} looks for life, in vain`, dead.length);
}
