import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { AcceptedKeys } from '../../src/auth/accepted-keys.js';
import { hashApiKey } from '../../src/auth/api-key.js';
import { ApiKeys } from '../../src/auth/api-keys.js';
import { createDataSource } from '../../src/data-source.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { LimitApiKeys1795305600000 } from '../../src/migrations/1795305600000-limit-api-keys.js';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import { INVALID_KEY, outcome, rejection } from '../properties/outcome.js';
import { createDatabase } from '../support/databases/databases.js';
import { undoAll } from '../support/migrated.js';
import { type StartedApp, startApp } from '../support/start-app.js';
import { patientConfig } from '../support/databases/time-limits.js';

const REX = { name: 'Rex', categoryId: 7 };
const HOUR = 3_600_000;
const TEXT = 'a-key-that-is-inserted-by-hand';
const OTHER = 'a-key-that-replaces-another';
const READ_ONLY = rejection(403, 'FORBIDDEN', 'The API key may only read; use one of the scope "write".');

let services: StartedApp[] = [];

/** Nest has one logger per process: a service that still ran would log its keys in the next test. */
afterEach(async () => {
  await Promise.all(services.map((service) => service.close()));
  services = [];
});

/** A service, its keys, and a function that makes it notice their changes. */
async function start() {
  const service = await startApp();
  services.push(service);
  const accepted = service.app.get(AcceptedKeys);
  return { service, keys: service.app.get(ApiKeys), accepted, notice: () => accepted.refresh() };
}

async function statusOf({ api }: StartedApp, key: string): Promise<number> {
  return (await api.get('/v1/pets', { key })).status;
}

describe('an API key of the scope read', () => {
  it('may read, and gets 403 for a creation before anything of its body is checked', async () => {
    const { service, keys, notice } = await start();
    const { api } = service;
    const key = (await keys.create('shop', { scope: 'read' }))!;
    await notice();
    expect((await api.get('/v1/pets', { key })).status).toBe(200);
    expect((await api.get('/v1/pets/1', { key })).status).toBe(404);
    expect((await api.request('HEAD', '/v1/pets', { key })).status).toBe(200);
    for (const body of [REX, '{']) {
      const response = await api.post('/v1/pets', body, { key });
      expect(outcome(response)).toStrictEqual(READ_ONLY);
      expect(response.header('www-authenticate')).toBe(
        'Bearer realm="pets", error="insufficient_scope", scope="write"',
      );
    }
    expect((await api.post('/v1/pets', REX)).status).toBe(201);
  });

  it('keeps its scope and its lifetime when it is rotated', async () => {
    const { service, keys, notice } = await start();
    await keys.create('shop', { scope: 'read', lifetime: 2 * HOUR });
    const next = (await keys.rotate('shop', 0))!;
    await notice();
    expect(outcome(await service.api.post('/v1/pets', REX, { key: next }))).toStrictEqual(READ_ONLY);
    const status = (await keys.list()).at(-1)!;
    expect(status.expiresAt!.getTime() - status.createdAt.getTime()).toBe(2 * HOUR);
  });
});

describe('an API key with an end', () => {
  it('is rejected from its end on, although the keys are not refreshed', async () => {
    const { service, keys, accepted, notice } = await start();
    const key = (await keys.create('shop', { lifetime: HOUR }))!;
    await notice();
    accepted.onApplicationShutdown();
    expect(await statusOf(service, key)).toBe(200);
    const end = (await keys.list()).at(-1)!.expiresAt!.getTime();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => end - 1);
    try {
      expect(await statusOf(service, key)).toBe(200);
      clock.mockImplementation(() => end);
      expect(outcome(await service.api.get('/v1/pets', { key }))).toStrictEqual(INVALID_KEY);
    } finally {
      clock.mockRestore();
    }
  });

  it('frees its name', async () => {
    const { keys } = await start();
    await keys.create('shop', { lifetime: 1 });
    await delay(2);
    expect(await keys.create('shop')).toMatch(/^pets_/);
  });
});

it.each<[string, (keys: ApiKeys) => Promise<unknown>]>([
  ['revoked', (keys) => keys.revoke('shop')],
  ['rotated without a grace', (keys) => keys.rotate('shop', 0)],
])('a key that was %s stays invalid when the clock is set back', async (_, end) => {
  const { service, keys, notice } = await start();
  const key = (await keys.create('shop'))!;
  await end(keys);
  const earlier = Date.now() - HOUR;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => earlier);
  try {
    await notice();
    expect(await statusOf(service, key)).toBe(401);
    // The list must not say that it will end in an hour.
    expect((await keys.list()).find(({ revokedAt }) => revokedAt)).toMatchObject({ revokedAt: new Date(earlier) });
  } finally {
    clock.mockRestore();
  }
});

describe('the last use of an API key', () => {
  it('is recorded after requests, once an hour', async () => {
    const { service, keys, accepted, notice } = await start();
    const key = (await keys.create('shop'))!;
    await notice();
    const lastUse = async () => (await keys.list())[0]!.lastUsedAt?.getTime();
    await accepted.recordUses();
    expect(await statusOf(service, key)).toBe(200);
    expect(await lastUse()).toBeUndefined();
    await accepted.recordUses();
    const first = await lastUse();
    expect(Math.abs(Date.now() - first!)).toBeLessThan(60_000);

    for (const [later, expected] of [
      [0, first],
      [HOUR - 60_000, first],
      [HOUR + 60_000, first! + HOUR + 60_000],
    ] as const) {
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => first! + later);
      await notice();
      await statusOf(service, key);
      await accepted.recordUses();
      clock.mockRestore();
      expect(await lastUse()).toBe(expected);
    }
  });

  it('is recorded by the service itself, within a minute', async () => {
    const intervals = jest.spyOn(globalThis, 'setInterval');
    const { service, keys, notice } = await start();
    const minutely = intervals.mock.calls.filter(([, pause]) => pause === 60_000);
    intervals.mockRestore();
    expect(minutely).toHaveLength(1);
    const key = (await keys.create('shop'))!;
    await notice();
    expect(await statusOf(service, key)).toBe(200);
    minutely[0]![0]();
    while ((await keys.list())[0]!.lastUsedAt === undefined) await delay(5);
  });

  it('is recorded by the next attempt when the database refuses it at first, without a further use', async () => {
    const { service, keys, accepted, notice } = await start();
    const key = (await keys.create('shop'))!;
    await notice();
    accepted.onApplicationShutdown();
    expect(await statusOf(service, key)).toBe(200);
    const { dataSource } = service.app.get(ServedDatabase);
    await dataSource.query('ALTER TABLE "api_keys" RENAME TO "moved"');
    await accepted.recordUses();
    await dataSource.query('ALTER TABLE "moved" RENAME TO "api_keys"');
    expect((await keys.list())[0]!.lastUsedAt).toBeUndefined();
    await accepted.recordUses();
    expect((await keys.list())[0]!.lastUsedAt).toBeInstanceOf(Date);
  });

  it('is no reason to fail: the log has one line when it cannot be recorded', async () => {
    const { service, keys, accepted, notice } = await start();
    const key = (await keys.create('shop'))!;
    const lines: unknown[] = [];
    await notice();
    accepted.onApplicationShutdown();
    Logger.overrideLogger({ log: () => {}, error: () => {}, warn: (...line) => void lines.push(line[1]) });
    try {
      await service.app.get(ServedDatabase).dataSource.query('ALTER TABLE "api_keys" RENAME TO "moved"');
      for (let count = 0; count < 2; count += 1) {
        expect(await statusOf(service, key)).toBe(200);
        await accepted.recordUses();
      }
    } finally {
      Logger.overrideLogger(false);
    }
    expect(lines).toEqual(['The use of API keys cannot be recorded.']);
  });
});

describe('a key of API_KEYS that the database has as well', () => {
  it('has the limits that it has there, and ends there', async () => {
    const service = await startApp({ apiKeys: [TEXT, OTHER] });
    services.push(service);
    const [keys, accepted] = [service.app.get(ApiKeys), service.app.get(AcceptedKeys)];
    expect((await service.api.post('/v1/pets', REX, { key: TEXT })).status).toBe(201);
    const { dataSource } = service.app.get(ServedDatabase);
    await dataSource.query(
      `INSERT INTO "api_keys" ("hash", "name", "createdAt", "scope") VALUES ('${hashApiKey(TEXT)}', 'shop', 1, 'read')`,
    );
    await accepted.refresh();
    expect(outcome(await service.api.post('/v1/pets', REX, { key: TEXT }))).toStrictEqual(READ_ONLY);
    await keys.revoke('shop');
    await accepted.refresh();
    expect(outcome(await service.api.get('/v1/pets', { key: TEXT }))).toStrictEqual(INVALID_KEY);
    expect(await statusOf(service, OTHER)).toBe(200);
  });

  it('has no use recorded once it has ended', async () => {
    const { service, keys } = await start();
    const key = (await keys.create('shop'))!;
    await keys.revoke('shop');
    const accepted = new AcceptedKeys(keys, service.app.get(ServedDatabase), [key]);
    await accepted.refresh();
    expect(accepted.find(key)).toBeUndefined();
    await accepted.recordUses();
    expect((await keys.list())[0]!.lastUsedAt).toBeUndefined();
  });

  it('is logged once when it ends by itself', async () => {
    const { service, keys } = await start();
    const key = (await keys.create('shop', { lifetime: HOUR }))!;
    const accepted = new AcceptedKeys(keys, service.app.get(ServedDatabase), [key]);
    await accepted.refresh();
    const end = Date.now() + HOUR;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => end);
    const lines = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    try {
      await accepted.refresh();
      await accepted.refresh();
      expect(lines.mock.calls).toEqual([[{ key: 'shop' }, 'An API key is no longer accepted.']]);
    } finally {
      lines.mockRestore();
      clock.mockRestore();
    }
  });

  it('is refused by the next start too, which asks to remove it', async () => {
    const { service, keys } = await start();
    const key = (await keys.create('shop'))!;
    await keys.revoke('shop');
    const warnings = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    try {
      const next = new AcceptedKeys(keys, service.app.get(ServedDatabase), [OTHER, key]);
      await next.refresh();
      expect(next.find(key)).toBeUndefined();
      expect(next.find(OTHER)).toMatchObject({ name: 'API_KEYS 1' });
      expect(warnings.mock.calls).toEqual([
        [{ key: 'API_KEYS 2' }, 'A key of API_KEYS has ended in the database: remove it from API_KEYS.'],
      ]);
    } finally {
      warnings.mockRestore();
    }
  });
});

describe('the valid keys', () => {
  it('are read again only after a change, of any kind', async () => {
    const { service, keys, accepted } = await start();
    accepted.onApplicationShutdown();
    const query = (text: string) => service.app.get(ServedDatabase).dataSource.query(text);
    await keys.create('shop');
    await keys.create('office', { lifetime: HOUR });
    const hash = hashApiKey(TEXT);
    const changes: [string, () => Promise<unknown>][] = [
      ['a new key', () => keys.create('stable')],
      ['a key that is revoked', () => keys.revoke('stable')],
      ['a rotation without a grace', () => keys.rotate('shop', 0)],
      ['a rotation with a grace', () => keys.rotate('shop', HOUR)],
      [
        'a grace that is cut short',
        () => query(`UPDATE "api_keys" SET "revokedAt" = "revokedAt" - 1 WHERE "revokedAt" > ${Date.now()}`),
      ],
      ['another end', () => query(`UPDATE "api_keys" SET "expiresAt" = "expiresAt" + 1048576 WHERE "name" = 'office'`)],
      ['another scope', () => query(`UPDATE "api_keys" SET "scope" = 'read' WHERE "name" = 'office'`)],
      [
        'a scope that two keys swap',
        () => query(`UPDATE "api_keys" SET "scope" = CASE WHEN "scope" IS NULL THEN 'read' END`),
      ],
      ['another name', () => query(`UPDATE "api_keys" SET "name" = 'den' WHERE "name" = 'office'`)],
      ['the old name', () => query(`UPDATE "api_keys" SET "name" = 'office' WHERE "name" = 'den'`)],
      ['another hash', () => query(`UPDATE "api_keys" SET "hash" = '${hashApiKey(OTHER)}' WHERE "name" = 'office'`)],
      ['a use', () => query(`UPDATE "api_keys" SET "lastUsedAt" = 1 WHERE "name" = 'office'`)],
      ['a deleted key', () => query(`DELETE FROM "api_keys" WHERE "name" = 'office'`)],
      [
        'a key inserted by hand',
        () => query(`INSERT INTO "api_keys" ("hash", "name", "createdAt") VALUES ('${hash}', 'mine', 1)`),
      ],
      ['a key that is removed', () => keys.remove(TEXT)],
    ];
    for (const [change, happen] of changes) {
      const before = await keys.valid();
      expect([change, await keys.valid()]).toEqual([change, before]);
      expect(await keys.valid()).toBe(before);
      await happen();
      const after = await keys.valid();
      expect([change, after]).not.toEqual([change, before]);
      expect(await new ApiKeys(service.app.get(ServedDatabase).dataSource).valid()).toEqual(after);
    }
  });

  it('follow the clock without a change in the database', async () => {
    const { keys } = await start();
    await keys.create('shop');
    await keys.create('office', { lifetime: HOUR });
    const namesAt = async (time: number) => {
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => time);
      const names = (await keys.valid()).map(({ name }) => name).toSorted();
      clock.mockRestore();
      return names;
    };
    const now = Date.now();
    for (const [later, names] of [
      [0, ['office', 'shop']],
      [2 * HOUR, ['shop']],
      [0, ['office', 'shop']],
    ] as const) {
      expect(await namesAt(now + later)).toEqual(names);
    }
  });
});

it('a service logs each change of a key in one line, with its name and never with the key', async () => {
  const { keys, accepted, notice } = await start();
  accepted.onApplicationShutdown();
  const lines: unknown[][] = [];
  Logger.overrideLogger({ log: (...line) => void lines.push(line), error: () => {}, warn: () => {} });
  try {
    await keys.create('shop', { scope: 'read' });
    await notice();
    await keys.rotate('shop', HOUR);
    await notice();
    await keys.revoke('shop');
    await notice();
    await notice();
  } finally {
    Logger.overrideLogger(false);
  }
  const key = 'shop';
  const changes = lines.map(([details, message]) => [details, message]);
  expect(changes[0]).toEqual([{ key, scope: 'read' }, 'An API key is accepted.']);
  expect(changes.slice(1, 3)).toEqual(
    expect.arrayContaining([
      [{ key, scope: 'read' }, 'An API key is accepted.'],
      [{ key, scope: 'read', endsAt: expect.any(String) }, 'An API key ends at another time.'],
    ]),
  );
  expect(changes.slice(3)).toEqual(Array.from({ length: 2 }, () => [{ key }, 'An API key is no longer accepted.']));
  expect(JSON.stringify(lines)).not.toContain('pets_');
});

it('keys with limits are revoked where the migration that limits keys is undone', async () => {
  const { url: databaseUrl } = await createDatabase();
  const dataSource = await openDatabase(createDataSource, patientConfig(databaseUrl), { migrate: true });
  const keys = new ApiKeys(dataSource);
  const limited = [await keys.create('reader', { scope: 'read' }), await keys.create('guest', { lifetime: HOUR })];
  const other = await keys.create('app');
  await dataSource.destroy();
  await undoAll(databaseUrl, LimitApiKeys1795305600000.name);
  const migrated = await openDatabase(createDataSource, patientConfig(databaseUrl), { migrate: true });
  await migrated.destroy();

  const service = await startApp({ databaseUrl });
  // No other key has these names, so each was created.
  expect(await Promise.all([...limited, other].map((key) => statusOf(service, key!)))).toEqual([401, 401, 200]);
});

it('keys of the previous release stay what they are, also those that it changes beside this one', async () => {
  const { url: databaseUrl } = await createDatabase();
  const config = patientConfig(databaseUrl);
  const previous = await openDatabase(createDataSource, config, { migrate: true });
  await previous.undoLastMigration();
  const now = Date.now();
  const insert = (name: string, revokedAt: number | null) =>
    previous.query(
      `INSERT INTO "api_keys" ("hash", "name", "createdAt", "revokedAt") VALUES ('${hashApiKey(name)}', '${name}', ${now - 1000}, ${revokedAt})`,
    );
  await insert('valid', null);
  await insert('revoked', now - 500);
  await insert('in-grace', now + HOUR);
  await previous.runMigrations();

  const service = await startApp({ databaseUrl });
  expect((await service.api.post('/v1/pets', REX, { key: 'valid' })).status).toBe(201);
  expect((await service.api.post('/v1/pets', REX, { key: 'in-grace' })).status).toBe(201);
  expect(await statusOf(service, 'revoked')).toBe(401);
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now - HOUR);
  await service.app.get(AcceptedKeys).refresh();
  clock.mockRestore();
  expect(await statusOf(service, 'revoked')).toBe(401);

  await insert('later', null);
  await previous.query(`UPDATE "api_keys" SET "revokedAt" = ${now} WHERE "name" = 'valid'`);
  await service.app.get(AcceptedKeys).refresh();
  expect(await Promise.all(['later', 'valid'].map((key) => statusOf(service, key)))).toEqual([200, 401]);
  await previous.destroy();
});
