// Two replicas behind HAProxy are overloaded, and then restarted alternately under load.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { migrate, startService } from './cluster/service/service.mjs';
import { storedPets } from './cluster/service/stored-pets.mjs';
import { until } from './cluster/until.mjs';
import { freePort } from './free-port.mjs';
import { Haproxy } from './haproxy.mjs';
import { Load } from './load.mjs';
import { Postgres } from './postgres.mjs';
import { tally } from './tally.mjs';

/** The number of clients that overload the replicas, and for how many milliseconds. */
const CROWD = 220;
const WHILE = 5_000;
const RESTARTS = 20;
const KEY = 'key-of-the-rolling-update';
const COMPOSE = new URL('../../deploy/compose.yaml', import.meta.url);
/** The deployed settings. */
const { DATABASE_URL: _, ...SETTINGS } = parse(readFileSync(COMPOSE, 'utf8'), { merge: true }).services['pets-a']
  .environment;
const DEADLINE = Number(SETTINGS.SHUTDOWN_GRACE_MS) + Number(SETTINGS.SHUTDOWN_TIMEOUT_MS);

export async function rollingUpdate(report, say, cleanup) {
  const postgres = new Postgres();
  cleanup.add(() => postgres.remove());
  await postgres.create();
  migrate(postgres.url);

  const ports = { a: await freePort(), b: await freePort() };
  const replicas = {};
  const start = async (name) => {
    const variables = { ...SETTINGS, DATABASE_URL: postgres.url, API_KEYS: KEY, PORT: String(ports[name]) };
    replicas[name] = await startService(variables);
  };
  cleanup.add(() => Promise.all(Object.values(replicas).map(({ stop }) => stop())));
  await start('a');
  await start('b');
  const port = await freePort();
  const haproxy = new Haproxy({ port, ...ports });
  cleanup.add(() => haproxy.stop());
  for (const name of ['a', 'b']) await until(`HAProxy to find ${name}`, () => haproxy.isUp(name));

  const first = await fetch(`http://127.0.0.1:${port}/v1/pets`, { headers: { Authorization: `Bearer ${KEY}` } });
  const announced = first.headers.get('keep-alive');

  say(`rolling update: ${CROWD} clients at once, before any restart`);
  const crowd = new Load({ port, key: KEY }, { keeping: CROWD, connecting: 0 });
  cleanup.add(() => crowd.stop());
  await delay(WHILE);
  await crowd.stop();

  const load = new Load({ port, key: KEY });
  cleanup.add(() => load.stop());
  await delay(1_000);
  const began = performance.now();
  const codes = [];
  let longestStop = 0;
  for (let restart = 1; restart <= RESTARTS; restart += 1) {
    const name = restart % 2 ? 'a' : 'b';
    say(`rolling update: restart ${restart} of ${RESTARTS}, of ${name}; ${load.outcomes.length} requests so far`);
    const stopAt = performance.now();
    codes.push(await replicas[name].stop());
    longestStop = Math.max(longestStop, performance.now() - stopAt);
    await start(name);
    await until(`HAProxy to find ${name} again`, () => haproxy.isUp(name), { every: 50 });
  }
  const time = performance.now() - began;
  await load.stop();

  const idleFrom = performance.now();
  const idle = await startService({ ...SETTINGS, DATABASE_URL: postgres.url, API_KEYS: KEY, SHUTDOWN_GRACE_MS: '0' });
  const idleAt = performance.now();
  codes.push(await idle.stop());
  const idleStop = performance.now() - idleAt;

  const stored = await storedPets(postgres.url);
  const crowded = tally(crowd.outcomes, stored);
  const calm = tally(load.outcomes, stored);
  const { requests, created, lost, twice, slowest } = calm;
  const errors = load.outcomes.filter(({ status }) => status === 0);
  const { BACKEND } = await haproxy.replicas();
  report.none("responses with a replica's Keep-Alive", announced === null ? 0 : 1);
  report.promise(`requests of ${CROWD} clients at once`, crowded.created > 0, crowded.requests);
  reportFailures(report, 'of them failed', crowded);
  report.figure('restarts', RESTARTS);
  report.figure('total time', time, 'ms');
  report.figure('requests', requests);
  reportFailures(report, 'failed requests', calm);
  report.none('connection resets and errors', errors.length);
  report.promise('creations with 201', created > 0, created);
  report.none('of them not stored', lost);
  report.none('pets stored twice', twice);
  report.promise(
    'exit codes other than 0',
    codes.every((code) => code === 0),
    codes.filter((code) => code !== 0).length,
  );
  report.promise('longest stop', longestStop < DEADLINE, longestStop, 'ms');
  // Compared with its start, because absolute times depend on the machine.
  report.promise('stop of an idle replica, faster than its start', idleStop < idleAt - idleFrom, idleStop, 'ms');
  report.figure('slowest response', slowest, 'ms');
  report.figure('requests retried by HAProxy', Number(BACKEND.wretr) + Number(BACKEND.wredis));
}

function reportFailures(report, what, { unavailable, others }) {
  const failures = { ...others, ...(unavailable && { 503: unavailable }) };
  report.promise(what, Object.keys(failures).length === 0, failures);
}
