import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { DATABASE_DEFAULTS } from '../../../src/config.js';
import { openTable } from '../../../src/platform/database/open-table.js';
import { Standbys } from '../../../src/platform/database/standbys/standbys.js';
import { openStock, servedOf, ShelfEntity, SightingEntity, type Stock } from '../../database/support/stock.js';

let primary: Stock;
/** In the place of a standby, with other rows: they show which of the two was read. */
let other: Stock;
let standbys: Standbys;

beforeAll(async () => {
  Logger.overrideLogger(false);
  [primary, other] = [await openStock(), await openStock()];
  for (const [{ shelves, sightings }, text] of [
    [primary, 'primary'],
    [other, 'other'],
  ] as const) {
    await shelves.insert({ label: text, count: 0n });
    await sightings.insert({ place: text });
  }
  standbys = await Standbys.of(await servedOf(primary.dataSource), {
    ...DATABASE_DEFAULTS,
    databaseReadUrls: [other.url],
  });
  standbys.onModuleInit();
  while (!(await standbys.read(async () => true))) await delay(10);
});

afterAll(async () => {
  await standbys.onApplicationShutdown();
  await Promise.all([primary.close(), other.close()]);
});

describe('a table beside a standby', () => {
  it('reads rows that never change from the standby', async () => {
    const sightings = openTable(primary.dataSource, SightingEntity, standbys);
    expect(await sightings.find(1n)).toEqual({ id: 1n, place: 'other' });
    expect(await sightings.page({ where: {}, limit: 1 })).toEqual([{ id: 1n, place: 'other' }]);
  });

  it('reads rows that change from the primary', async () => {
    const shelves = openTable(primary.dataSource, ShelfEntity, standbys);
    expect(await shelves.find(1n)).toMatchObject({ label: 'primary' });
    expect(await shelves.page({ where: {}, limit: 1 })).toMatchObject([{ label: 'primary' }]);
  });
});
