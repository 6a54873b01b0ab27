import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { openTable } from '../../../src/platform/database/open-table.js';
import { Standbys } from '../../../src/platform/database/standbys/standbys.js';
import { openStock, servedOf, ShelfEntity, SightingEntity, type Stock } from '../../database/support/stock.js';
import { patientConfig } from '../../support/databases/time-limits.js';

let primary: Stock;
/** In the place of a standby, with other rows: they show which of the two was read. A schema of the same database. */
const OTHER = 'other';
let standbys: Standbys;
let onStandby: jest.Spied<Standbys['read']>;

beforeAll(async () => {
  Logger.overrideLogger(false);
  primary = await openStock();
  const { shelves, sightings, dataSource } = primary;
  await shelves.insert({ label: 'primary', count: 0n });
  await sightings.insert({ place: 'primary' });
  await dataSource.query(`CREATE SCHEMA "${OTHER}"`);
  for (const { tableName } of dataSource.entityMetadatas)
    await dataSource.query(`CREATE TABLE "${OTHER}"."${tableName}" AS TABLE "public"."${tableName}"`);
  await dataSource.query(`UPDATE "${OTHER}"."shelves" SET "label" = 'other'`);
  await dataSource.query(`UPDATE "${OTHER}"."sightings" SET "place" = 'other'`);
  const address = new URL(primary.url);
  address.searchParams.set('options', `-c search_path=${OTHER}`);
  standbys = await Standbys.of(await servedOf(primary.dataSource), {
    ...patientConfig(primary.url),
    databaseReadUrls: [address.href],
  });
  standbys.onModuleInit();
  while (!(await standbys.read(async () => true))) await delay(10);
  onStandby = jest.spyOn(standbys, 'read');
});

afterAll(async () => {
  await standbys.onApplicationShutdown();
  await primary.close();
});

/** The result of a read that asks no standby, or one that answers: on a busy machine, its 300 ms may pass. */
async function answered<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    onStandby.mockClear();
    const result = await read();
    const asked = onStandby.mock.results.at(-1);
    if (!asked || (await asked.value) !== undefined) return result;
    await delay(10);
  }
}

describe('a table beside a standby', () => {
  it('reads rows that never change from the standby', async () => {
    const sightings = openTable(primary.dataSource, SightingEntity, standbys);
    expect(await answered(() => sightings.find(1n))).toEqual({ id: 1n, place: 'other' });
    const page = await answered(() => sightings.page({ where: {}, limit: 1 }));
    expect(page).toEqual([{ id: 1n, place: 'other' }]);
  });

  it('reads from the primary what the request held when it was made', async () => {
    const sightings = openTable(primary.dataSource, SightingEntity, standbys);
    await primary.sightings.insert({ place: 'second' });
    await primary.dataSource.query(`INSERT INTO "${OTHER}"."sightings" ("id", "place") VALUES (2, 'second')`);
    const where = { place: 'second' };
    const request = { where, limit: 9, from: 1n };
    const reading = sightings.page(request);
    Object.assign(where, { place: 'primary' });
    Object.assign(request, { limit: 1, from: 3n });
    expect(await reading).toEqual([{ id: 2n, place: 'second' }]);
  });

  it('reads from the primary what the standby does not have yet', async () => {
    const sightings = openTable(primary.dataSource, SightingEntity, standbys);
    const id = await primary.sightings.insert({ place: 'new' });
    // Until a check has found it, no read asks the standby.
    while (!standbys.isShown('sightings', id)) await delay(10);
    expect(await sightings.find(id)).toEqual({ id, place: 'new' });
  });

  it('reads from the primary what it may still hide from everybody', async () => {
    const sightings = openTable(primary.dataSource, SightingEntity, standbys);
    await primary.dataSource.query(`INSERT INTO "${OTHER}"."sightings" ("id", "place") VALUES (1000, 'hidden')`);
    expect(await answered(() => sightings.find(1000n))).toBeUndefined();
    expect(await answered(() => sightings.page({ where: { place: 'hidden' }, limit: 1 }))).toEqual([]);
  });

  it('keeps its standby when a request makes no sense', async () => {
    const sightings = openTable(primary.dataSource, SightingEntity, standbys);
    await expect(sightings.page({ where: {}, limit: -1 })).rejects.toThrow('cannot have -1 rows');
    expect(standbys.servers.map(({ isFit }) => isFit)).toEqual([true]);
  });

  it('reads rows that change from the primary', async () => {
    const shelves = openTable(primary.dataSource, ShelfEntity, standbys);
    expect(await answered(() => shelves.find(1n))).toMatchObject({ label: 'primary' });
    const page = await answered(() => shelves.page({ where: {}, limit: 1 }));
    expect(page).toMatchObject([{ label: 'primary' }]);
  });
});
