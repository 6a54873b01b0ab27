import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Connection } from 'pg';
import { createDataSource } from '../../../src/data-source.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { Standbys } from '../../../src/platform/database/standbys/standbys.js';
import { outcome } from '../../properties/outcome.js';
import { ARE_PETS_APPEND_ONLY } from '../../support/append-only-pets.js';
import { type RunningPostgres, runPostgres } from '../../support/databases/run-postgres.js';
import { patientConfig } from '../../support/databases/time-limits.js';
import { addPet, addPets, idOf, numbered } from '../../support/pets.js';
import { startApp } from '../../support/start-app.js';

/** The name of the synchronous standby. */
const SYNCHRONOUS = 'synchronous';

const newDirectory = (): string => join(process.env.TEST_RUN_DIRECTORY!, `postgres-${randomBytes(4).toString('hex')}`);

let directory: string;
let primary: RunningPostgres;
let standby: RunningPostgres;
let synchronous: RunningPostgres;

/** Another server that follows the primary, under a name. */
function follow(name: string): Promise<RunningPostgres> {
  const url = new URL(primary.url);
  url.searchParams.set('application_name', name);
  return runPostgres(newDirectory(), { primary: { url: url.href, directory } });
}

beforeAll(async () => {
  directory = newDirectory();
  primary = await runPostgres(directory, { settings: { synchronous_standby_names: SYNCHRONOUS } });
  synchronous = await follow(SYNCHRONOUS);
  standby = await follow('other');
  const dataSource = await openDatabase(createDataSource, patientConfig(primary.url), { migrate: true });
  await dataSource.destroy();
}, 120_000);

afterAll(async () => {
  await Promise.all([standby?.stop(), synchronous?.stop()]);
  await primary?.stop();
});

async function hasPet({ url }: RunningPostgres, id: number): Promise<boolean> {
  const connection = new Connection(url);
  await connection.connect();
  try {
    return (await connection.query(`SELECT FROM "pets" WHERE "id" = ${id}`)).rows.length > 0;
  } finally {
    await connection.end();
  }
}

(ARE_PETS_APPEND_ONLY ? describe : describe.skip)('a creation that waits for the synchronous standby', () => {
  it('is read by nobody before it is confirmed, although another standby has replayed it', async () => {
    const limits = { databaseReadMaxLag: 60_000, databaseStatementTimeout: 120_000 };
    const service = await startApp({ databaseUrl: primary.url, databaseReadUrls: [standby.url], ...limits });
    const { api } = service;
    const pets = await addPets(api, numbered(3, { status: 'sold' }));
    const standbys = service.app.get(Standbys);
    while (!standbys.servers[0]?.isFit) await delay(20);

    await synchronous.stop();
    const adding = addPet(api, { status: 'sold' });
    const id = idOf(pets.at(-1)!) + 1;
    while (!(await hasPet(standby, id))) await delay(20);
    expect(await hasPet(primary, id)).toBe(false);
    // Longer than the time between two checks of the primary.
    for (const end = performance.now() + 1500; performance.now() < end; await delay(100)) {
      expect((await api.get(`/v1/pets/${id}`)).status).toBe(404);
      // The standby has one pet more, and so another page.
      const page = await api.get(`/v1/pets?status=sold&limit=${pets.length}`);
      expect(outcome(page)).toStrictEqual({ status: 200, body: pets });
      expect(page.header('link')).toBeUndefined();
    }

    synchronous = await follow(SYNCHRONOUS);
    const added = await adding;
    expect(outcome(await api.get(`/v1/pets/${id}`))).toStrictEqual({ status: 200, body: added });
    // Once the next check has found that the primary shows it, the standby serves it.
    const onStandby = jest.spyOn(standbys, 'read').mock;
    do await api.get(`/v1/pets/${id}`);
    while ((await onStandby.results.at(-1)?.value) === undefined);
    await service.close();
  }, 240_000);
});
