// The database goes away under load, in all the ways that it has, and comes back.
import { setTimeout as delay } from 'node:timers/promises';
import { migrate, startService } from '../../deploy/ha/service.mjs';
import { storedPets } from '../../deploy/ha/stored-pets.mjs';
import { until } from '../../deploy/ha/until.mjs';
import { Health } from './health.mjs';
import { Load } from './load.mjs';
import { Postgres } from './postgres.mjs';
import { tally } from './tally.mjs';

/** Milliseconds within which every request is answered, readiness is red, and all is well again. */
const PROMISED = 2_000;
/** Milliseconds. */
const AWAY = 5_000;
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
    await delay(AWAY);
    const backAt = performance.now();
    await comeBack();
    const acceptsAt = performance.now();
    await until('readiness', () => health.ready.at(-1).at > acceptsAt && health.ready.at(-1).status === 200, {
      every: 10,
    });
    const first = (path, status, from) => health[path].find((sample) => sample.status === status && sample.at > from);
    report.promise(`${way}: not ready after`, ...below(PROMISED, first('ready', 503, leftAt).at - leftAt), 'ms');
    const green = health.ready.filter(
      ({ status, at, took }) => status !== 503 && at - took > leftAt + PROMISED && at < backAt,
    );
    report.promise(`${way}: ready in spite of it`, ...none(green.length));
    report.promise(
      `${way}: ready again after`,
      ...below(PROMISED, first('ready', 200, acceptsAt).at - acceptsAt),
      'ms',
    );
    const created = () => load.outcomes.find(({ status, at }) => status === 201 && at > acceptsAt);
    await until('a creation', created, { every: 10 });
    report.promise(`${way}: creates again after`, ...below(PROMISED, created().at - acceptsAt), 'ms');
    await delay(BETWEEN);
  }

  say(`outage: connections are cut in the middle of creations; ${load.outcomes.length} requests so far`);
  let cuts = 0;
  for (const end = Date.now() + AWAY; Date.now() < end; await delay(Math.random() * 40)) cuts += await postgres.cut();
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
  report.promise('of them without Error or Retry-After', ...none(impatient));
  report.promise('neither success nor 503', Object.keys(others).length === 0, others);
  report.promise('slowest answer', ...below(PROMISED, slowest), 'ms');
  report.promise('pets answered with 201', created > 0, created);
  report.promise('of them not stored', ...none(lost));
  report.promise('pets stored twice', ...none(twice));
  const dead = health.live.filter(({ status }) => status !== 200);
  report.promise(`of ${health.live.length} looks for life, in vain`, ...none(dead.length));
}

const below = (limit, value) => [value < limit, value];
const none = (count) => [count === 0, count];
