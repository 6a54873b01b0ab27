// A lagging standby serves reads, dies, restarts, and outlives the primary.
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { send } from './cluster/service/send.mjs';
import { migrate, startService } from './cluster/service/service.mjs';
import { storedPets } from './cluster/service/stored-pets.mjs';
import { until } from './cluster/until.mjs';
import { Load } from './load.mjs';
import { Postgres } from './postgres.mjs';
import { tally } from './tally.mjs';

/** Milliseconds by which the standby lags. */
const LAG = 1_500;
/** Milliseconds of each phase. */
const WHILE = 4_000;
const CREATORS = 8;
/** Reads that show that a standby serves them. */
const ENOUGH = 100;
const KEY = 'key-of-the-standbys';

export async function standbys(report, say, cleanup) {
  const primary = new Postgres();
  cleanup.add(() => primary.remove());
  await primary.create();
  migrate(primary.url);
  const standby = new Postgres();
  cleanup.add(() => standby.remove());
  await standby.follow(primary, LAG);
  const start = async () => {
    const { port, stop } = await startService({
      DATABASE_URL: primary.url,
      DATABASE_READ_URL: standby.url,
      API_KEYS: KEY,
    });
    cleanup.add(stop);
    return { port, key: KEY };
  };
  const [one, other] = await Promise.all([start(), start()]);

  say('standbys: reading each creation from another replica of the service');
  const { created, missing } = await readCreations(one, other);
  report.promise('creations read at once', created > 100, created);
  report.none('of them not found', missing);
  const page = () => send(other, 'GET', '/v1/pets?limit=1');
  await until('the standby to serve reads', async () => {
    await page();
    return (await standby.reads()) > 0;
  });

  say('standbys: killing the standby under load, starting a replica without it, restarting it');
  const load = new Load(other);
  cleanup.add(() => load.stop());
  await delay(WHILE);
  await standby.crash();
  const late = await start();
  const { status: lateStatus } = await send(late, 'GET', '/v1/pets?limit=1');
  report.promise('status from a replica started without it', lateStatus === 200, lateStatus);
  await delay(WHILE);
  await standby.start();
  // How long that takes depends on the machine.
  await until('the standby to serve reads again', async () => (await standby.reads()) > ENOUGH);
  await load.stop();
  const { requests, unavailable, others, lost, slowest } = tally(load.outcomes, await storedPets(primary.url));
  report.figure('requests', requests);
  report.none('responses with 503', unavailable);
  report.promise('other failures', Object.keys(others).length === 0, others);
  report.none('creations lost', lost);
  report.inTime('slowest response', slowest);
  const reads = await standby.reads();
  report.promise('reads by the standby since its restart', reads > ENOUGH, reads);

  say('standbys: killing the primary');
  await primary.crash();
  const statuses = { list: [], creation: [] };
  for (const end = performance.now() + WHILE; performance.now() < end;) {
    statuses.list.push((await page()).status);
    statuses.creation.push((await send(other, 'POST', '/v1/pets', { name: 'Rex', categoryId: 7 })).status);
  }
  const listed = statuses.list.filter((status) => status === 200).length;
  report.promise('full pages while the primary is down', listed === statuses.list.length, listed);
  const notUnavailable = statuses.creation.filter((status) => status !== 503).length;
  report.none('creations with a status other than 503', notUnavailable);
}

/** Creates pets on one replica, and reads each from the other one at once. */
async function readCreations(one, other) {
  const agents = [one, other].map((target) => ({ ...target, agent: new Agent({ keepAlive: true }) }));
  let created = 0;
  let missing = 0;
  const end = performance.now() + WHILE;
  const create = async () => {
    while (performance.now() < end) {
      const name = `pet ${randomBytes(8).toString('hex')}`;
      const { status, id } = await send(agents[0], 'POST', '/v1/pets', { name, categoryId: 7 });
      if (status !== 201) continue;
      created += 1;
      if ((await send(agents[1], 'GET', `/v1/pets/${id}`)).status !== 200) missing += 1;
    }
  };
  await Promise.all(Array.from({ length: CREATORS }, create));
  for (const { agent } of agents) agent.destroy();
  return { created, missing };
}
