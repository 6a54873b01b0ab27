import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { ServedDatabase } from '../../../src/platform/database/served/served-database.js';
import { openStoredRequests } from '../../../src/platform/database/keyed/open-stored-requests.js';
import { Pruning } from '../../../src/platform/database/keyed/pruning.js';
import type { StoredRequests } from '../../../src/platform/idempotency/stored-response.js';
import { ENGINE } from '../../support/databases/databases.js';
import { closeDatabase } from '../../support/outages.js';
import { type StartedApp, startApp } from '../../support/start-app.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const ignore = () => undefined;

describe('the responses to requests with an Idempotency-Key', () => {
  let service: StartedApp;
  let requests: StoredRequests;

  beforeEach(async () => {
    service = await startApp();
    requests = openStoredRequests(service.app.get(ServedDatabase));
    steps = [];
    await addTo(service);
  });

  async function addTo({ app }: StartedApp): Promise<void> {
    // 450 that have expired, 50 that will in an hour.
    const now = Date.now();
    const rows = Array.from({ length: 500 }, (_, index) => {
      const storedAt = index < 450 ? now - DAY - index : now - DAY + HOUR;
      return `('hash ${index}', 'f', 201, '[]', NULL, ${storedAt})`;
    });
    await app.get(ServedDatabase).dataSource.query(`INSERT INTO "idempotency_keys" VALUES ${rows.join(', ')}`);
  }

  afterEach(async () => {
    await service.close();
  });

  const count = async ({ app } = service) => {
    const [row] = await app
      .get(ServedDatabase)
      .dataSource.query<{ count: string }[]>('SELECT COUNT(*) AS "count" FROM "idempotency_keys"');
    return Number(row!.count);
  };

  let steps: (number | 'failed')[];
  const observed: StoredRequests = {
    find: (key) => requests.find(key),
    prune: async (limit) => {
      let step: number | 'failed' = 'failed';
      try {
        return (step = await requests.prune(limit));
      } finally {
        steps.push(step);
      }
    },
  };

  it('are removed when they have expired, at most as many as asked for at once', async () => {
    expect(await requests.prune(200)).toBe(200);
    expect(await requests.prune(200)).toBe(200);
    expect(await requests.prune(200)).toBe(50);
    expect(await requests.prune(200)).toBe(0);
    expect(await count()).toBe(50);
    expect(await requests.find('hash 0')).toBeUndefined();
    expect(await requests.find('hash 450')).toMatchObject({ fingerprint: 'f', response: { status: 201, body: null } });
  });

  if (ENGINE === 'postgres') {
    it('are kept when the clock of a replica is ahead', async () => {
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => new Date().getTime() + 2 * DAY);
      try {
        expect(await requests.prune(500)).toBe(450);
        expect(await requests.find('hash 450')).toMatchObject({ fingerprint: 'f' });
      } finally {
        clock.mockRestore();
      }
    });
  }

  it('are removed by several processes at once', async () => {
    const removed = await Promise.all(Array.from({ length: 5 }, () => requests.prune(100)));
    // Each skips the rows of the others.
    expect(removed.reduce((sum, one) => sum + one, 0) + (await count())).toBe(500);
    while ((await requests.prune(100)) > 0);
    expect(await count()).toBe(50);
  });

  it('are removed in small steps', async () => {
    const pruning = new Pruning(observed, { step: 1, look: 1 });
    pruning.onModuleInit();
    while (steps.length < 4) await delay(5);
    await pruning.onModuleDestroy();
    expect(steps.slice(0, 4)).toEqual([200, 200, 50, 0]);
    expect(await count()).toBe(50);
  });

  it('are removed by the service itself, within a minute and a half', async () => {
    const timeouts = jest.spyOn(globalThis, 'setTimeout');
    const other = await startApp();
    // The first look is the only pause of about a minute that differs between replicas.
    const looks = timeouts.mock.calls.filter(([, pause = 0]) => pause >= 30_000 && pause <= 90_000 && pause % 1 > 0);
    timeouts.mockRestore();
    expect(looks).toHaveLength(1);
    await addTo(other);
    looks[0]![0]();
    for (let attempt = 0; attempt < 2_000 && (await count(other)) > 300; attempt += 1) await delay(5);
    expect(await count(other)).toBeLessThanOrEqual(300);
    await other.close();
  });

  it('are not removed any more once a stop has begun', async () => {
    let stop = Promise.resolve();
    const pruning = new Pruning(
      {
        ...observed,
        prune: (limit) => {
          stop = pruning.onModuleDestroy();
          return observed.prune(limit);
        },
      },
      { step: 1, look: 1 },
    );
    pruning.onModuleInit();
    while (steps.length === 0) await delay(5);
    await stop;
    expect(await count()).toBe(300);
    await delay(100);
    expect(steps).toEqual([200]);
  });

  it('are removed later when the database was unavailable, which is logged once and without a stack', async () => {
    const warnings: unknown[] = [];
    Logger.overrideLogger({ log: ignore, error: ignore, warn: (...entry: unknown[]) => warnings.push(entry) });
    await closeDatabase(service);
    const pruning = new Pruning(observed, { step: 1, look: 1 });
    pruning.onModuleInit();
    while (steps.length < 3) await delay(5);
    await pruning.onModuleDestroy();
    expect(steps.slice(0, 3)).toEqual(['failed', 'failed', 'failed']);
    const cause = { reason: expect.any(String) };
    expect(warnings).toEqual([[cause, 'Old Idempotency-Keys cannot be removed; trying again.', 'Pruning']]);
  });
});
