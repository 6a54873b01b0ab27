import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Connection } from 'pg';
import { DATABASE_UNAVAILABLE, outcome } from '../properties/outcome.js';
import { type PostgresOptions, type RunningPostgres, runPostgres } from '../support/databases/run-postgres.js';
import { canMountDisk, SmallDisk } from '../support/databases/small-disk.js';
import type { HttpResponse } from '../support/http/http-response.js';
import { expectRetry } from '../support/outages.js';
import { addPet, type Pet, walk } from '../support/pets.js';
import { startApp, type StartedApp } from '../support/start-app.js';

/** Where mounts are not permitted, as in most containers, these tests are skipped. */
const describeOnSmallDisk = canMountDisk() ? describe : describe.skip;

let disk: SmallDisk;
let postgres: RunningPostgres | undefined;
let service: StartedApp | undefined;

beforeEach(() => {
  disk = new SmallDisk(128);
});

afterEach(async () => {
  await service?.close();
  await postgres?.stop();
  disk.remove();
});

async function start(directory: string, options?: PostgresOptions): Promise<StartedApp> {
  postgres = await runPostgres(directory, options);
  return (service = await startApp({ databaseUrl: postgres.url, migrateOnStart: true }));
}

/** Creates pets concurrently until that many requests were rejected; their names do not fit into a page of the table. */
async function createUntilRejected(
  { api }: StartedApp,
  count: number,
): Promise<{ added: Pet[]; rejected: HttpResponse[] }> {
  const added: Pet[] = [];
  const rejected: HttpResponse[] = [];
  const write = async (): Promise<void> => {
    while (rejected.length < count) {
      const response = await api.post('/v1/pets', { name: randomBytes(5_000).toString('hex'), categoryId: 7 });
      if (response.status === 201) added.push(response.json as Pet);
      else rejected.push(response);
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
  return { added, rejected };
}

/** Frees the disk and expects that the service recovers by itself and has lost no pet. */
async function expectRecovery({ api }: StartedApp, added: readonly Pet[]): Promise<void> {
  disk.free();
  let response: HttpResponse;
  do {
    response = await api.post('/v1/pets', { name: 'last', categoryId: 7 });
    if (response.status === 503) await delay(20);
  } while (response.status === 503);
  expect(response.status).toBe(201);
  expect((await api.get('/ready')).status).toBe(200);
  const acknowledged = [...added, response.json as Pet];
  const stored = new Map((await walk(api, '/v1/pets?limit=100')).map((pet) => [pet.id, pet]));
  expect(acknowledged.filter((pet) => stored.get(pet.id)?.name !== pet.name)).toEqual([]);
}

describeOnSmallDisk('a PostgreSQL whose disk is full', () => {
  it('rejects creations with 503 and serves reads, and accepts creations when there is space again', async () => {
    const started = await start(join(disk.directory, 'data'));
    const rex = await addPet(started.api);
    disk.fill();
    const { added, rejected } = await createUntilRejected(started, 40);
    for (const response of rejected) expectRetry(response, DATABASE_UNAVAILABLE);
    expect(outcome(await started.api.get('/v1/pets?limit=1'))).toEqual({ status: 200, body: [rex] });
    await expectRecovery(started, [rex, ...added]);
  }, 120_000);

  it('rejects creations with 503 also when that ends PostgreSQL, and recovers with it', async () => {
    const started = await start(`${disk.directory}-data`, { walDirectory: join(disk.directory, 'wal') });
    const other = new Connection(postgres!.url).on('error', () => {});
    await other.connect();
    const ended = new Promise<void>((resolve) => other.once('end', resolve));
    disk.fill();
    const { added, rejected } = await createUntilRejected(started, 40);
    for (const response of rejected) expectRetry(response, DATABASE_UNAVAILABLE);
    await ended;
    await expectRecovery(started, added);
  }, 120_000);
});
