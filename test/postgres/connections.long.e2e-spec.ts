import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Connection, Pool } from 'pg';
import { AcceptedKeys } from '../../src/auth/accepted-keys.js';
import { postgresFault } from '../../src/platform/database/postgres/postgres-fault.js';
import { DatabaseUnavailable } from '../../src/platform/database/tables/database-unavailable.js';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import { startService, stopService } from '../support/built-service.js';
import { livedTime } from '../support/lived-time.js';
import { expectRetry, whileLocked } from '../support/outages.js';
import { DATABASE_UNAVAILABLE } from '../properties/outcome.js';
import { addPet } from '../support/pets.js';
import { untilServed } from '../support/http/until-served.js';
import { createDatabase, onServer, type TestDatabase } from '../support/databases/databases.js';
import { startApp } from '../support/start-app.js';
import { UnsteadyNetwork } from '../support/http/unsteady-network.js';

/** Linux lists its connections here, with their states and timers. */
const SOCKETS = '/proc/net/tcp';
const ESTABLISHED = '01';
const NO_TIMER = '00';
const itOnLinux = existsSync(SOCKETS) ? it : it.skip;

let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase();
});

afterEach(() => database.drop());

async function connections(condition = 'true'): Promise<number> {
  const name = new URL(database.url).pathname.slice(1);
  const rows = await onServer(`SELECT FROM "pg_stat_activity" WHERE "datname" = $1 AND ${condition}`, [name]);
  return rows.length;
}

/** Whether the system keeps alive each established connection to an address: otherwise an idle one has no timer. */
function keptAlive(url: string): boolean[] {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const sockets = readFileSync(SOCKETS, 'utf8').split('\n').slice(1);
  return sockets
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remote = '', state]) => remote.endsWith(`:${port}`) && state === ESTABLISHED)
    .map(([, , , , , timer = '']) => !timer.startsWith(NO_TIMER));
}

/** Milliseconds: longer than the default of either limit. */
const LIMIT = 2000;

/** Milliseconds until the work is done, and those of them that this process lived. */
async function timeOf(work: Promise<unknown>): Promise<{ time: number; lived: number }> {
  const [start, before] = [performance.now(), livedTime()];
  await work;
  return { time: performance.now() - start, lived: livedTime() - before };
}

describe('a service on PostgreSQL', () => {
  it('opens at most DATABASE_POOL_SIZE connections, however many requests are concurrent', async () => {
    const { app, api } = await startApp({
      databaseUrl: database.url,
      databasePoolSize: 3,
      databaseConnectTimeout: 60_000,
      databaseStatementTimeout: 60_000,
    });
    const migration = new Connection(database.url);
    await migration.connect();
    await migration.query('BEGIN; LOCK TABLE "pets" IN ACCESS EXCLUSIVE MODE');
    const work = Promise.all(Array.from({ length: 500 }, () => untilServed(() => api.get('/v1/pets'))));
    // Wait until every connection waits for the table.
    while ((await connections(`"wait_event_type" = 'Lock'`)) < 3) await delay(5);
    await delay(200);
    const opened = await connections(`"application_name" = 'pet-store'`);
    await migration.end();
    expect(opened).toBe(3);
    expect((await work).map(({ status }) => status)).toEqual(Array.from({ length: 500 }, () => 200));
    await app.close();
  });

  it('reports a pool without a free connection as unavailable', async () => {
    const pool = new Pool({ connectionString: database.url, max: 1 });
    // A connection that is still closing when the database is dropped.
    pool.on('error', () => {});
    const client = await pool.connect();
    // Only now: a slow machine may take longer to connect.
    pool.options.connectionTimeoutMillis = 50;
    const error: unknown = await pool.connect().catch((caught: unknown) => caught);
    client.release();
    await pool.end();
    expect(postgresFault(error, true)).toBeInstanceOf(DatabaseUnavailable);
  });

  it('returns 503 when no connection is available within DATABASE_CONNECT_TIMEOUT_MS', async () => {
    const network = await UnsteadyNetwork.to(database.url);
    const { app, api } = await startApp({ databaseUrl: network.url, databaseConnectTimeout: LIMIT });
    network.cut();
    network.jam();
    await delay(50);
    const { time, lived } = await timeOf(
      api.get('/v1/pets').then((response) => expectRetry(response, DATABASE_UNAVAILABLE)),
    );
    expect(time).toBeGreaterThan(0.9 * LIMIT);
    expect(lived).toBeLessThan(2 * LIMIT);
    network.clear();
    await app.close();
    await network.close();
  });

  it('returns 503 after DATABASE_STATEMENT_TIMEOUT_MS, and the server cancels the statement', async () => {
    const { app, api } = await startApp({ databaseUrl: database.url, databaseStatementTimeout: LIMIT });
    const [before] = await app.get(ServedDatabase).dataSource.query('SHOW statement_timeout');
    expect(before).toEqual({ statement_timeout: `${LIMIT / 1000}s` });
    await whileLocked(database.url, async () => {
      const { time, lived } = await timeOf(
        api
          .post('/v1/pets', { name: 'Rex', categoryId: 7 })
          .then((response) => expectRetry(response, DATABASE_UNAVAILABLE)),
      );
      expect(time).toBeGreaterThan(0.9 * LIMIT);
      expect(lived).toBeLessThan(2 * LIMIT);
      while ((await connections(`"wait_event_type" = 'Lock'`)) > 0) await delay(5);
    });
    expect((await api.get('/v1/pets')).json).toEqual([]);
    await app.close();
  });

  it('prepares each statement once and then executes it by name', async () => {
    const { app, api } = await startApp({ databaseUrl: database.url });
    // A refresh of the API keys during a request would use another connection.
    app.get(AcceptedKeys).onApplicationShutdown();
    for (let count = 0; count < 3; count += 1) {
      await addPet(api);
      for (const target of ['/v1/pets', '/v1/pets?status=sold&limit=2', '/v1/pets/1']) {
        expect((await api.get(target)).status).toBe(200);
      }
    }
    // Sequential requests use the same connection, and so does this query.
    const prepared = await app
      .get(ServedDatabase)
      .dataSource.query(
        `SELECT split_part("name", ' ', 1) AS "name", ("generic_plans" + "custom_plans")::int AS "runs" FROM "pg_prepared_statements" ORDER BY "name" COLLATE "C"`,
      );
    expect(prepared).toEqual(
      ['pets_find', 'pets_insert', 'pets_page_128', 'pets_page_status_128'].map((name) => ({ name, runs: 3 })),
    );
    await app.close();
  });

  itOnLinux('keeps its connections alive, so that a network does not drop one that is idle', async () => {
    const [primary, standby] = [await UnsteadyNetwork.to(database.url), await UnsteadyNetwork.to(database.url)];
    const { app, api } = await startApp({ databaseUrl: primary.url, databaseReadUrls: [standby.url] });
    expect((await api.get('/v1/pets')).status).toBe(200);
    for (const { url } of [primary, standby]) {
      const areKept = () => keptAlive(url).length > 0 && keptAlive(url).every(Boolean);
      // A new connection is not kept alive yet.
      for (let waits = 0; waits < 200 && !areKept(); waits += 1) await delay(50);
      expect(new Set(keptAlive(url))).toEqual(new Set([true]));
    }
    await app.close();
    await primary.close();
    await standby.close();
  });

  it('continues when its idle connections to the primary or to a standby end', async () => {
    const networks = [await UnsteadyNetwork.to(database.url), await UnsteadyNetwork.to(database.url)] as const;
    const env = { DATABASE_READ_URL: networks[1].url, LOG_LEVEL: 'info' };
    const service = await startService(networks[0].url, env);
    while (!service.output.stderr.includes('serves reads')) await delay(20);
    for (const network of networks) {
      await service.api.get('/v1/pets');
      network.cut();
      // A connection that ends without a listener for its error ends the process.
      expect(await Promise.race([service.exit, delay(300, 'running')])).toBe('running');
    }
    while ((await service.api.get('/v1/pets')).status !== 200) await delay(20);
    await stopService(service);
    for (const network of networks) await network.close();
  }, 180_000);
});
