import { expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Connection } from 'pg';
import { AcceptedKeys } from '../../../src/auth/accepted-keys.js';
import { postgresPool } from '../../../src/platform/database/postgres/postgres.js';
import { ServedDatabase } from '../../../src/platform/database/served/served-database.js';
import { metricsOf, type Series } from '../../observability/metrics.js';
import { onServer } from '../../support/databases/databases.js';
import { whileLocked } from '../../support/outages.js';
import { startApp } from '../../support/start-app.js';

/** Milliseconds for which a commit waits for a lock. */
const HELD = 300;
/** More than enough creations, one after another, for some to arrive during the commit of others. */
const CREATIONS = 100;
const PET = { name: 'Rex', categoryId: 7 };

it('the metrics report the rows that wait while a commit is blocked, and the seconds that it takes', async () => {
  const { app, api, databaseUrl } = await startApp({ adminPort: 0 });
  const queue = async () => (await metricsOf(app)).get('database_commit_queue_length');
  const creations: Promise<unknown>[] = [];
  const start = performance.now();
  const longest = await whileLocked(databaseUrl, async () => {
    let length: number | undefined;
    do {
      creations.push(api.post('/v1/pets', PET));
      length = await queue();
    } while (length === 0 && creations.length < CREATIONS);
    await delay(HELD);
    return length;
  });
  await Promise.all(creations);
  const series = await metricsOf(app);
  const seconds = (performance.now() - start) / 1000;
  expect(longest).toBeGreaterThan(0);
  expect(series.get('database_commit_queue_length')).toBe(0);
  const duration = series.get('database_commit_duration_seconds_sum');
  // A timer may be a millisecond early.
  expect(duration).toBeGreaterThan((0.9 * HELD) / 1000);
  // Commits follow each other.
  expect(duration).toBeLessThan(seconds);
});

it('the metrics report used and idle connections, and the statements that wait for one', async () => {
  const { app, api, databaseUrl } = await startApp({ adminPort: 0, databasePoolSize: 2 });
  // It would use a connection as well.
  app.get(AcceptedKeys).onApplicationShutdown();
  const pool = postgresPool(app.get(ServedDatabase).dataSource);
  const poolOf = (series: Series) => ({
    used: series.get('database_pool_connections{server="primary",state="used"}'),
    idle: series.get('database_pool_connections{server="primary",state="idle"}'),
    waiting: series.get('database_pool_waiting{server="primary"}'),
  });
  const untilWaiting = async (count: number) => {
    while (pool.waitingCount < count) await delay(5);
  };
  const other = new Connection(databaseUrl);
  await other.connect();
  await other.query('BEGIN; LOCK TABLE "pets" IN ACCESS EXCLUSIVE MODE');
  const taken = await pool.connect();
  const lists = [api.get('/v1/pets')];
  const name = new URL(databaseUrl).pathname.slice(1);
  const blocked = `SELECT FROM "pg_stat_activity" WHERE "datname" = $1 AND "wait_event_type" = 'Lock'`;
  while ((await onServer(blocked, [name])).length === 0) await delay(5);
  // Its two checks of readiness come before the lists behind it.
  const scraped = metricsOf(app);
  await untilWaiting(2);
  for (let count = 0; count < 3; count += 1) lists.push(api.get('/v1/pets'));
  await untilWaiting(5);
  // It serves both checks, and then a list, which waits for the table.
  taken.release();
  const during = poolOf(await scraped);
  await other.end();
  await Promise.all(lists);
  const after = poolOf(await metricsOf(app));
  expect(during).toEqual({ used: 2, idle: 0, waiting: 2 });
  expect(after).toEqual({ used: 0, idle: 2, waiting: 0 });
});
