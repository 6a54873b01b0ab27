import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Connection } from 'pg';
import { createDataSource } from '../../../src/data-source.js';
import type { Config } from '../../../src/config.js';
import { postgresName } from '../../../src/platform/database/postgres/postgres.js';
import { Standbys } from '../../../src/platform/database/standbys/standbys.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { metricsOf } from '../../observability/metrics.js';
import { ARE_PETS_APPEND_ONLY } from '../../support/append-only-pets.js';
import { livedTime } from '../../support/lived-time.js';
import { expectRetry, PROMISED } from '../../support/outages.js';
import { DATABASE_UNAVAILABLE, outcome } from '../../properties/outcome.js';
import { addPet, addPets, idOf, nextTarget, numbered, walk } from '../../support/pets.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import type { Client } from '../../support/http/client.js';
import { untilServed } from '../../support/http/until-served.js';
import { createDatabase } from '../../support/databases/databases.js';
import { type RunningPostgres, runPostgres } from '../../support/databases/run-postgres.js';
import { startApp, type StartedApp } from '../../support/start-app.js';
import { UnsteadyNetwork } from '../../support/http/unsteady-network.js';
import { expectExact, type Walk, walkPast } from '../walks.js';
import { patientConfig, STRETCHED } from '../../support/databases/time-limits.js';

/** Milliseconds by which the standby lags. */
const LAG = 1500;

const LOCKED = `SELECT FROM "pg_locks" WHERE "relation" = '"pets"'::regclass AND "mode" = 'AccessExclusiveLock' AND "granted"`;

/** What must not be read from a standby is in `changing-rows`. */
const describeReads = ARE_PETS_APPEND_ONLY ? describe : describe.skip;

const newDirectory = (): string => join(process.env.TEST_RUN_DIRECTORY!, `postgres-${randomBytes(4).toString('hex')}`);

let primary: RunningPostgres;
let primaryDirectory: string;
let standby: RunningPostgres;
let toPrimary: UnsteadyNetwork;
let toStandby: UnsteadyNetwork;
let service: StartedApp;
let api: Client;

beforeAll(async () => {
  primaryDirectory = newDirectory();
  primary = await runPostgres(primaryDirectory);
  const dataSource = await openDatabase(createDataSource, patientConfig(primary.url), { migrate: true });
  await dataSource.destroy();
  // More than a full page, which the standby may serve.
  service = await startApp({ databaseUrl: primary.url });
  await addPets(service.api, numbered(60, { status: 'pending' }));
  await service.close();
  standby = await runPostgres(newDirectory(), {
    primary: { url: primary.url, directory: primaryDirectory },
    settings: { recovery_min_apply_delay: LAG },
  });
}, 120_000);

afterAll(async () => {
  await standby?.stop();
  await primary?.stop();
});

beforeEach(async () => {
  toPrimary = await UnsteadyNetwork.to(primary.url);
  toStandby = await UnsteadyNetwork.to(standby.url);
});

afterEach(async () => {
  await service?.close();
  await Promise.all([toPrimary.close(), toStandby.close()]);
});

async function on<Row extends object>({ url }: { readonly url: string }, statement: string): Promise<Row[]> {
  const connection = new Connection(url);
  await connection.connect();
  try {
    return (await connection.query<Row>(statement)).rows;
  } finally {
    await connection.end();
  }
}

/** The text of all pages. */
async function pagesOf(client: Client): Promise<string[]> {
  const texts: string[] = [];
  for (let target: string | undefined = '/v1/pets?limit=50'; target !== undefined;) {
    const response: HttpResponse = await client.get(target);
    texts.push(response.text);
    target = nextTarget(response);
  }
  return texts;
}

async function untilReplayed(): Promise<void> {
  const [row] = await on<{ lsn: string }>(primary, 'SELECT pg_current_wal_lsn() AS "lsn"');
  const replayed = async () => {
    const rows = await on<{ done: boolean }>(standby, `SELECT pg_last_wal_replay_lsn() >= '${row!.lsn}' AS "done"`);
    return rows[0]!.done;
  };
  while (!(await replayed())) await delay(20);
}

async function promote(server: RunningPostgres): Promise<void> {
  // Recovery would cancel a statement that waits for its end.
  await on(server, 'SELECT pg_promote(false)');
  const isPromoted = async () => {
    const [row] = await on<{ is: boolean }>(server, 'SELECT NOT pg_is_in_recovery() AS "is"');
    return row!.is;
  };
  while (!(await isPromoted())) await delay(20);
}

/** Another server that follows the primary, without a lag. */
function follower(): Promise<RunningPostgres> {
  return runPostgres(newDirectory(), { primary: { url: primary.url, directory: primaryDirectory } });
}

/** As an address that leads to whatever server is the primary. */
async function leadToPrimary(server: RunningPostgres): Promise<void> {
  await toPrimary.close();
  toPrimary = await UnsteadyNetwork.to(server.url);
}

async function start(overrides: Partial<Config> = {}): Promise<void> {
  const standbys = { databaseReadUrls: [toStandby.url], databaseReadMaxLag: 60_000 };
  service = await startApp({ databaseUrl: toPrimary.url, ...STRETCHED, ...standbys, ...overrides });
  api = service.api;
}

async function withoutPrimary<T>(work: () => Promise<T>): Promise<T> {
  await toPrimary.close();
  try {
    return await work();
  } finally {
    await toPrimary.open();
  }
}

/** Whether a target, by default a full page, is served while the primary is down. */
async function standbyServes(target = '/v1/pets?limit=1'): Promise<boolean> {
  const { status } = await withoutPrimary(() => api.get(target));
  return status === 200;
}

/** The response while the primary is down. On a busy machine a slow standby may serve no reads for a moment: retries. */
async function fromStandby(target: string): Promise<HttpResponse> {
  for (;;) {
    const response = await api.get(target);
    if (response.status !== 503) return response;
    await delay(200);
  }
}

async function untilStandbyServes(is = true): Promise<void> {
  while ((await standbyServes()) !== is) await delay(200);
}

/** Whether a condition becomes true within a time after which it never will. */
async function becomesTrue(condition: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + 20_000; Date.now() < end; await delay(200)) if (await condition()) return true;
  return false;
}

/** Locks the table as a migration does, on the standby too, until the returned function is called. */
async function lockBoth(): Promise<() => Promise<void>> {
  const migration = new Connection(primary.url);
  await migration.connect();
  await migration.query('BEGIN; LOCK TABLE "pets" IN ACCESS EXCLUSIVE MODE');
  // The standby receives the lock with the write-ahead log.
  await on(primary, `SELECT pg_switch_wal()`);
  while ((await on(standby, LOCKED)).length === 0) await delay(20);
  return () => migration.end();
}

/** The responses to many concurrent reads, and the time until the last one. */
async function readMany(): Promise<{ statuses: number[]; milliseconds: number }> {
  const startedAt = livedTime();
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, index) => untilServed(() => api.get(index % 2 ? '/v1/pets?limit=2' : '/v1/pets/1'))),
  );
  return { statuses: [...new Set(responses.map(({ status }) => status))], milliseconds: livedTime() - startedAt };
}

describeReads('a service with a lagging standby', () => {
  it('has in its metrics how far the standby lags', async () => {
    await start({ adminPort: 0 });
    await untilStandbyServes();
    const name = `database_standby_lag_seconds{server="${postgresName(toStandby.url)}"}`;
    const lag = async () => (await metricsOf(service.app)).get(name);
    const lags = async () => {
      await addPet(api);
      return ((await lag()) ?? 0) >= 1;
    };
    expect(await becomesTrue(lags)).toBe(true);
    await untilReplayed();
    expect(await becomesTrue(async () => (await lag()) === 0)).toBe(true);
  });

  it('shows each creation at once, whichever service created it', async () => {
    await start();
    await untilStandbyServes();
    const other = await startApp({ databaseUrl: primary.url, databaseReadUrls: [toStandby.url] });
    let behind = 0;
    for (const pet of numbered(20, { status: 'sold' })) {
      const added = await addPet(other.api, pet);
      const rows = await on(standby, `SELECT FROM "pets" WHERE "id" = ${added.id}`);
      if (rows.length === 0) behind += 1;
      expect(outcome(await api.get(`/v1/pets/${added.id}`))).toStrictEqual({ status: 200, body: added });
      expect((await walk(api, '/v1/pets?limit=100')).at(-1)).toStrictEqual(added);
      expect((await walk(api, '/v1/pets?limit=7&status=sold')).at(-1)).toStrictEqual(added);
    }
    // The test is only meaningful if the standby lags.
    expect(behind).toBeGreaterThan(0);
    await other.close();
  });

  it('returns the same bytes as the primary during creations', async () => {
    await start();
    await untilStandbyServes();
    const alone = await startApp({ databaseUrl: primary.url });
    const stopping = new AbortController();
    const write = async () => {
      while (!stopping.signal.aborted) await addPet(alone.api, { status: 'pending' });
    };
    const writing = Promise.all([write(), write()]);
    for (let count = 0; count < 6; count += 1) {
      const [first, second] = await Promise.all([pagesOf(api), pagesOf(alone.api)]);
      const common = Math.min(first.length, second.length) - 1;
      expect(common).toBeGreaterThan(0);
      expect(first.slice(0, common)).toStrictEqual(second.slice(0, common));
    }
    stopping.abort();
    await writing;
    await alone.close();
  });

  it('misses no acknowledged pet on a walk while another service creates pets', async () => {
    await start();
    await untilStandbyServes();
    const other = await startApp({ databaseUrl: primary.url });
    const stopping = new AbortController();
    const acknowledged: number[] = [];
    const walks: Walk[] = [];
    const write = async () => {
      while (!stopping.signal.aborted) acknowledged.push(idOf(await addPet(other.api)));
    };
    const writing = Promise.all(Array.from({ length: 6 }, write));
    // Longer than the lag, so that the later walks read pets from the standby that were created during the earlier ones.
    for (const end = Date.now() + 2 * LAG; Date.now() < end || walks.length < 3;)
      walks.push(await walkPast(api, '/v1/pets?limit=20', acknowledged));
    stopping.abort();
    await writing;
    await expectExact(walks, other.api);
    await other.close();
  }, 120_000);

  it('serves full pages and stored pets while the primary is down, and returns 503 for everything else', async () => {
    await start();
    const pets = await addPets(api, numbered(3));
    // Replayed, and known to be shown by the primary.
    while (!(await standbyServes(`/v1/pets/${idOf(pets.at(-1)!)}`))) await delay(200);
    await withoutPrimary(async () => {
      const [first] = pets;
      expect(outcome(await fromStandby(`/v1/pets/${first!.id}`))).toStrictEqual({ status: 200, body: first });
      const page = await fromStandby('/v1/pets?limit=1');
      expect(page.status).toBe(200);
      expect(page.header('link')).toBeDefined();
      // A page that is not full may have changed.
      for (const target of ['/v1/pets/9223372036854775807', '/v1/pets?limit=100&status=available']) {
        expectRetry(await api.get(target), DATABASE_UNAVAILABLE);
      }
      expectRetry(await api.post('/v1/pets', { name: 'Tom', categoryId: 7 }), DATABASE_UNAVAILABLE);
      expect((await api.get('/ready')).status).toBe(503);
    });
  });
});

describeReads('a standby that fails', () => {
  it('fails no request when it refuses connections, and does not prevent a start', async () => {
    await toStandby.close();
    await start();
    const { statuses } = await readMany();
    expect(statuses).toStrictEqual([200]);
    await toStandby.open();
    await untilStandbyServes();
  });

  it('fails no request when it dies under load, and serves reads again when it is back', async () => {
    await start();
    await untilStandbyServes();
    const reading = Promise.all(Array.from({ length: 20 }, () => readMany()));
    await delay(20);
    await toStandby.close();
    for (const { statuses } of await reading) expect(statuses).toStrictEqual([200]);
    await toStandby.open();
    await untilStandbyServes();
  });

  it('fails no request when it does not respond', async () => {
    await start();
    await untilStandbyServes();
    toStandby.jam();
    const { statuses, milliseconds } = await readMany();
    expect(statuses).toStrictEqual([200]);
    expect(milliseconds).toBeLessThan(PROMISED);
    toStandby.clear();
    await untilStandbyServes();
  });

  it('causes 503 within two seconds when the primary does not respond either', async () => {
    await start();
    await untilStandbyServes();
    toPrimary.jam();
    toStandby.jam();
    const { statuses, milliseconds } = await readMany();
    expect(statuses).toStrictEqual([503]);
    expect(milliseconds).toBeLessThan(PROMISED);
    toPrimary.clear();
  });

  it('causes 503 within two seconds for many reads when the table is locked on both servers', async () => {
    await start();
    await untilStandbyServes();
    const unlock = await lockBoth();
    const reads: Promise<{ status: number; milliseconds: number }>[] = [];
    for (let count = 0; count < 150; count += 1) {
      const startedAt = livedTime();
      reads.push(
        api.get('/v1/pets?limit=50').then(({ status }) => ({ status, milliseconds: livedTime() - startedAt })),
      );
      await delay(20);
    }
    const responses = await Promise.all(reads);
    await unlock();
    expect(responses.filter(({ status }) => status !== 503)).toEqual([]);
    expect(Math.max(...responses.map(({ milliseconds }) => milliseconds))).toBeLessThan(PROMISED);
  });

  it('does not make reads wait for each other when the table is locked on both servers', async () => {
    // If each request waited for a connection and a statement, the reads would take the primary 15 turns.
    await start({ databaseConnectTimeout: 60_000, databasePoolSize: 2 });
    await untilStandbyServes();
    const unlock = await lockBoth();
    // The standby may serve the first reads, because the lock reaches it a moment later.
    const { statuses, milliseconds } = await readMany();
    await unlock();
    expect(statuses).toStrictEqual([503]);
    expect(milliseconds).toBeLessThan(10 * STRETCHED.databaseStatementTimeout);
  });

  it('leaves reads to the other standbys', async () => {
    const dead = await UnsteadyNetwork.to(standby.url);
    await dead.close();
    await start({ databaseReadUrls: [dead.url, toStandby.url] });
    await untilStandbyServes();
    let statuses: number[];
    // On a busy machine, a slow standby may also be skipped for a moment.
    do ({ statuses } = await withoutPrimary(() => readMany()));
    while (statuses.includes(503));
    expect(statuses).toStrictEqual([200]);
  });
});

describeReads('a standby that lags too far', () => {
  it('gets no reads until it has caught up', async () => {
    await start({ databaseReadMaxLag: 500 });
    await untilStandbyServes();
    await on(standby, 'SELECT pg_wal_replay_pause()');
    try {
      await addPet(api);
      await untilStandbyServes(false);
      const { statuses } = await readMany();
      expect(statuses).toStrictEqual([200]);
    } finally {
      await on(standby, 'SELECT pg_wal_replay_resume()');
    }
    await untilStandbyServes();
  });

  it('gets none although its lag is less than twice DATABASE_READ_MAX_LAG_MS', async () => {
    await start({ databaseReadMaxLag: (LAG * 2) / 3 });
    await untilStandbyServes();
    // The standby replays each of them after `LAG`.
    const end = new AbortController();
    const writes = (async () => {
      while (!end.signal.aborted) await addPet(api);
    })();
    const isUnfit = () => Promise.resolve(service.app.get(Standbys).servers.every(({ isFit }) => !isFit));
    const becameUnfit = await becomesTrue(isUnfit);
    end.abort();
    await writes;
    expect(becameUnfit).toBe(true);
  });
});

describe('a service whose database is a standby', () => {
  it('is not ready, and serves neither writes nor reads', async () => {
    await untilReplayed();
    await start({ databaseUrl: standby.url, databaseReadUrls: [] });
    expect((await api.post('/v1/pets', { name: 'Tom', categoryId: 7 })).status).toBe(503);
    expect((await api.get('/v1/pets/1')).status).toBe(503);
    expect(outcome(await api.get('/ready'))).toStrictEqual({
      status: 503,
      body: {
        status: 'not ready',
        checks: { database: false, migrations: false, reads: false, writes: false, notDraining: true },
      },
    });
  });
});

describeReads('creations', () => {
  it('never go to a read address, even if that server accepts writes', async () => {
    // The primary, with other tables.
    const writable = new URL(primary.url);
    writable.searchParams.set('options', '-c search_path=elsewhere');
    const copies = ['pets', 'sequences'].map(
      (table) => `CREATE TABLE "elsewhere"."${table}" (LIKE "public"."${table}" INCLUDING ALL);
        INSERT INTO "elsewhere"."${table}" SELECT * FROM "public"."${table}"`,
    );
    await on(primary, ['CREATE SCHEMA "elsewhere"', ...copies].join(';'));
    await on(primary, `UPDATE "elsewhere"."pets" SET "name" = 'stray' WHERE "id" = 1`);
    await start({ databaseReadUrls: [writable.href] });
    // Otherwise the service may not use that address at all: it serves a pet that only this one has.
    const isRead = async () => (await api.get('/v1/pets/1')).text.includes('stray');
    expect(await becomesTrue(isRead)).toBe(true);
    const added = await addPets(api, numbered(20));
    expect(outcome(await api.get(`/v1/pets/${added[0]!.id}`))).toStrictEqual({ status: 200, body: added[0] });
    const ids = added.map(({ id }) => id).join();
    expect(await on(primary, `SELECT FROM "elsewhere"."pets" WHERE "id" IN (${ids})`)).toStrictEqual([]);
    await service.close();
    await on(primary, 'DROP SCHEMA "elsewhere" CASCADE');
  });
});

describeReads('a server that does not follow the primary', () => {
  const STRAY = 8000;
  const INDEPENDENT = 'It follows no server, and is not the primary.';
  const insertStray = (server: { readonly url: string }) =>
    on(server, `INSERT INTO "pets" VALUES (${STRAY}, 'stray', 7, NULL)`);

  async function expectUnused(url: string, reason: string): Promise<void> {
    const lines: unknown[] = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((line: unknown) => void lines.push(line));
    await start({ databaseReadUrls: [url] });
    const { servers } = service.app.get(Standbys);
    while (servers[0]?.isFit === undefined) await delay(20);
    jest.restoreAllMocks();
    expect(lines).toEqual([{ reason }]);
    const pet = await addPet(api);
    expect(outcome(await api.get(`/v1/pets/${idOf(pet)}`))).toStrictEqual({ status: 200, body: pet });
    expect((await api.get(`/v1/pets/${STRAY}`)).status).toBe(404);
  }

  it('serves no reads when it has another database', async () => {
    const other = await createDatabase();
    await insertStray(other);
    await expectUnused(other.url, 'Its database is not that of the primary.');
    await service.close();
    await other.drop();
  });

  it('serves no reads when it was the primary before another server was promoted', async () => {
    const promoted = await follower();
    await promote(promoted);
    await insertStray(primary);
    await leadToPrimary(promoted);
    await expectUnused(primary.url, INDEPENDENT);
    await service.close();
    await on(primary, `DELETE FROM "pets" WHERE "id" = ${STRAY}`);
    await promoted.stop();
  });

  it('serves no more reads once it is promoted while the primary lives on', async () => {
    const promoted = await follower();
    await start({ databaseReadUrls: [promoted.url] });
    await untilStandbyServes();
    await promote(promoted);
    const { servers } = service.app.get(Standbys);
    expect(await becomesTrue(() => Promise.resolve(servers[0]?.strayReason === INDEPENDENT))).toBe(true);
    // It gives the next id to another pet.
    await on(promoted, `INSERT INTO "pets" SELECT "last" + 1, 'stray', 7, NULL FROM "sequences" WHERE "name" = 'pets'`);
    const pet = await addPet(api);
    // A check later, the primary is known to have that id.
    for (const end = livedTime() + 1500; livedTime() < end; await delay(100))
      expect(outcome(await api.get(`/v1/pets/${idOf(pet)}`))).toStrictEqual({ status: 200, body: pet });
    await service.close();
    await promoted.stop();
  });

  it('serves no reads when it was promoted as the primary was, each for itself', async () => {
    const [promoted, other] = [await follower(), await follower()];
    await promote(promoted);
    await promote(other);
    await insertStray(other);
    await leadToPrimary(promoted);
    await expectUnused(other.url, INDEPENDENT);
    await service.close();
    await Promise.all([promoted.stop(), other.stop()]);
  });
});

// The last one: afterwards the standby no longer follows the primary.
describeReads('a standby that was promoted', () => {
  it('serves reads as the primary, although it replays nothing any more', async () => {
    await promote(standby);
    await leadToPrimary(standby);
    await start();
    await addPet(api);
    expect(await becomesTrue(standbyServes)).toBe(true);
  });
});
