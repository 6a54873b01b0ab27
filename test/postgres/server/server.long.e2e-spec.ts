import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { createDataSource } from '../../../src/data-source.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { ServedDatabase } from '../../../src/platform/database/served/served-database.js';
import { temporaryDirectory } from '../../support/built-service.js';
import { expectRetry, PROMISED } from '../../support/outages.js';
import { livedTime } from '../../support/lived-time.js';
import { DATABASE_UNAVAILABLE } from '../../properties/outcome.js';
import { type Pet, walk } from '../../support/pets.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import { Authority, canCertify } from '../../support/http/certificates.js';
import { type RunningPostgres, runPostgres } from '../../support/databases/run-postgres.js';
import { startApp, type StartedApp } from '../../support/start-app.js';
import { patientConfig, STRETCHED } from '../../support/databases/time-limits.js';

const RUN_POSTGRES = new URL('../../support/databases/run-postgres.js', import.meta.url);
/** The user nobody, which owns no files. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** A directory that PostgreSQL's user can access. */
const newDirectory = (): string => join(process.env.TEST_RUN_DIRECTORY!, `postgres-${randomBytes(4).toString('hex')}`);

/** The directory of this spec's own server, which it may stop and kill. */
let directory: string;
let server: RunningPostgres;

beforeAll(async () => {
  directory = newDirectory();
  server = await runPostgres(directory);
  const dataSource = await openDatabase(createDataSource, patientConfig(server.url), { migrate: true });
  await dataSource.destroy();
}, 120_000);

afterAll(() => server.stop());

const mainProcess = (): number => Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);

async function run<Row extends object>(statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<Row>(statement);
  await client.end();
  return rows;
}

/** All processes of the server. */
async function processes(): Promise<number[]> {
  const rows = await run<{ pid: number }>('SELECT "pid" FROM "pg_stat_activity" WHERE "pid" <> pg_backend_pid()');
  return [mainProcess(), ...rows.map(({ pid }) => pid)];
}

async function becomesReady({ api }: StartedApp): Promise<boolean> {
  for (const end = Date.now() + 30_000; Date.now() < end; await delay(20)) {
    if ((await api.get('/ready')).status === 200) return true;
  }
  return false;
}

describe('a service whose PostgreSQL is suspended', () => {
  it('returns 503 for every request in time, and recovers', async () => {
    // Everything takes twice as long: a slow machine needs a second or two for so many requests at once.
    const service = await startApp({
      databaseUrl: server.url,
      databaseConnectTimeout: 2 * STRETCHED.databaseConnectTimeout,
      databaseStatementTimeout: 2 * STRETCHED.databaseStatementTimeout,
    });
    await Promise.all(Array.from({ length: 20 }, () => service.api.get('/v1/pets')));
    const all = await processes();
    for (const pid of all) process.kill(pid, 'SIGSTOP');
    try {
      const start = livedTime();
      const calls = Array.from({ length: 30 }, (_, index) =>
        index % 2 ? service.api.get('/v1/pets/1') : service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 }),
      );
      const ready = service.api.get('/ready');
      for (const response of await Promise.all(calls)) expectRetry(response, DATABASE_UNAVAILABLE);
      expect((await ready).status).toBe(503);
      expect(livedTime() - start).toBeLessThan(2 * PROMISED);
    } finally {
      for (const pid of all) process.kill(pid, 'SIGCONT');
    }
    expect(await becomesReady(service)).toBe(true);
    await service.close();
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a service whose PostgreSQL crashes during creations', () => {
  it('keeps every pet acknowledged with 201, and returns 503 for the other creations', async () => {
    const service = await startApp({ databaseUrl: server.url, ...STRETCHED });
    const acknowledged: Pet[] = [];
    const rejected: HttpResponse[] = [];
    const stopping = new AbortController();
    const write = async (writer: number): Promise<void> => {
      for (let count = 0; !stopping.signal.aborted; count += 1) {
        const response = await service.api.post('/v1/pets', { name: `pet ${count} of ${writer}`, categoryId: 7 });
        if (response.status === 201) acknowledged.push(response.json as Pet);
        else rejected.push(response);
      }
    };
    const writers = Array.from({ length: 16 }, (_, writer) => write(writer));
    // A crash during which this process did nothing goes unnoticed.
    for (let crash = 0; crash < 3 || rejected.length === 0; crash += 1) {
      const before = acknowledged.length;
      await delay(500);
      while (acknowledged.length <= before + 50) await delay(20);
      // When a backend is killed, the server ends all connections and recovers from its log.
      const [victim] = await run<{ pid: number }>(
        `SELECT "pid" FROM "pg_stat_activity" WHERE "application_name" = 'pet-store' LIMIT 1`,
      );
      process.kill(victim!.pid, 'SIGKILL');
      while (isRunning(victim!.pid)) await delay(5);
      expect(await becomesReady(service)).toBe(true);
    }
    stopping.abort();
    await Promise.all(writers);
    for (const response of rejected) expectRetry(response, DATABASE_UNAVAILABLE);
    const stored = new Map((await walk(service.api, '/v1/pets?limit=100')).map((pet) => [pet.id, pet]));
    expect(acknowledged.filter((pet) => stored.get(pet.id)?.name !== pet.name)).toEqual([]);
    await service.close();
  }, 120_000);
});

const describeTls = canCertify() || process.env.CI ? describe : describe.skip;

describeTls('sslmode=verify-full in the address', () => {
  let trusted: Authority;
  let untrusted: Authority;

  /** Gives the server the certificate of a host. */
  async function certify(host: string): Promise<void> {
    const { uid, gid } = statSync(directory);
    const { certificate, key } = trusted.certify(host);
    for (const [from, to] of [
      [certificate, 'server.crt'],
      [key, 'server.key'],
    ] as const) {
      copyFileSync(from, join(directory, to));
      chownSync(join(directory, to), uid, gid);
    }
    const loadedAt = 'SELECT pg_conf_load_time()::text AS "at"';
    const [before] = await run<{ at: string }>(loadedAt);
    await run('ALTER SYSTEM SET ssl = on');
    await run('SELECT pg_reload_conf()');
    while ((await run<{ at: string }>(loadedAt))[0]!.at === before!.at) await delay(20);
  }

  function address(authority: Authority): string {
    const url = new URL(server.url);
    url.hostname = 'localhost';
    url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: authority.file }).toString();
    return url.href;
  }

  const openError = (databaseUrl: string): Promise<string> =>
    openDatabase(createDataSource, patientConfig(databaseUrl), { migrate: false }).then(
      () => 'none',
      (error: Error) => error.message,
    );

  beforeAll(async () => {
    const place = temporaryDirectory();
    trusted = new Authority(place, 'trusted');
    untrusted = new Authority(place, 'untrusted');
    await certify('localhost');
  });

  it('encrypts the connections', async () => {
    const service = await startApp({ databaseUrl: address(trusted) });
    expect((await service.api.get('/v1/pets?limit=1')).status).toBe(200);
    const rows = await service.app
      .get(ServedDatabase)
      .dataSource.query('SELECT "ssl", "version" FROM "pg_stat_ssl" WHERE "pid" = pg_backend_pid()');
    expect(rows).toEqual([{ ssl: true, version: 'TLSv1.3' }]);
    await service.close();
  });

  it('prevents the start when another authority signed the certificate', async () => {
    const { port } = new URL(server.url);
    expect(await openError(address(untrusted))).toMatch(
      new RegExp(`^The database postgres://localhost:${port}/postgres cannot be opened: [^\\n]*certificate[^\\n]*\\.$`),
    );
  });

  it('prevents the start when the certificate is for another host', async () => {
    await certify('database.example');
    expect(await openError(address(trusted))).toMatch(
      /^The database postgres:\/\/localhost\S+ cannot be opened: .*altname/,
    );
    await certify('localhost');
  });
});

/** Starts a process that starts a PostgreSQL and prints its address. */
async function startParent(place: string, user: { uid?: number; gid?: number } = {}) {
  const script = `const { runPostgres } = await import(${JSON.stringify(RUN_POSTGRES.href)});
    console.log((await runPostgres(${JSON.stringify(place)})).url);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    ...user,
    cwd: tmpdir(),
    // Another user may not write to the directory of the run.
    env: { ...process.env, TMPDIR: dirname(place) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await Promise.race([once(parent.stdout, 'data'), once(parent, 'exit')])) as [Buffer | number];
  return { parent, connectionString: String(line).trim() };
}

const canRunAsNobody = (): boolean =>
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, [fileURLToPath(RUN_POSTGRES)], { ...NOBODY, cwd: tmpdir() }).status === 0;

describe('the PostgreSQL of the tests', () => {
  // When an unprivileged user runs the tests, all other tests prove it.
  const itAsNobody = canRunAsNobody() ? it : it.skip;

  itAsNobody(
    'can be run by an unprivileged user',
    async () => {
      const place = newDirectory();
      mkdirSync(place);
      chownSync(place, NOBODY.uid, NOBODY.gid);
      const { parent, connectionString } = await startParent(join(place, 'data'), NOBODY);
      const client = new Client({ connectionString });
      client.on('error', () => {});
      await client.connect();
      expect((await client.query(`SELECT 1 AS "one"`)).rows).toEqual([{ one: 1 }]);
      expect(statSync(join(place, 'data')).uid).toBe(NOBODY.uid);
      parent.kill('SIGKILL');
      while (existsSync(join(place, 'data'))) await delay(50);
      expect(readdirSync(place)).toEqual([]);
    },
    120_000,
  );

  it('stops and removes its data when the process that started it is killed', async () => {
    const place = newDirectory();
    const { parent, connectionString } = await startParent(place);
    const client = new Client({ connectionString });
    client.on('error', () => {});
    await client.connect();
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    expect(existsSync(place)).toBe(true);
    parent.kill('SIGKILL');
    await ended;
    while (existsSync(place)) await delay(50);
    await expect(new Client({ connectionString }).connect()).rejects.toThrow(/ECONNREFUSED/);
  }, 120_000);
});
