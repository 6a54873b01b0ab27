import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { createDataSource } from '../../src/data-source.js';
import { ApiKeys } from '../../src/auth/api-keys.js';
import { DatabaseUnavailable } from '../../src/platform/database/tables/database-unavailable.js';
import { isPostgres } from '../../src/platform/database/postgres/postgres.js';
import { sqliteFile } from '../../src/platform/database/sqlite/sqlite.js';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import { closeDatabase, rejectWrites, allowWrites, whileLocked } from '../support/outages.js';
import { INVALID_KEY, outcome } from '../properties/outcome.js';
import { livedTime } from '../support/lived-time.js';
import { type StartedApp, startApp } from '../support/start-app.js';
import { patientConfig } from '../support/databases/time-limits.js';

/** Milliseconds within which a created or revoked key takes effect. */
const PROMISED = 5000;
/** Milliseconds without a refresh after which none will come. */
const NEVER = 20_000;

/** The value of digits in base 62. */
function valueOf(digits: string): number {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return digits.split('').reduce((value, digit) => value * 62 + alphabet.indexOf(digit), 0);
}

async function statusOf({ api }: StartedApp, key: string): Promise<number> {
  return (await api.get('/v1/pets', { key })).status;
}

/** Milliseconds until requests with the key return the status; more than PROMISED when they never do. */
async function timeUntil(service: StartedApp, key: string, status: number): Promise<number> {
  const start = livedTime();
  while ((await statusOf(service, key)) !== status && livedTime() - start <= PROMISED) await delay(25);
  return livedTime() - start;
}

/** Everything that the database has written so far. */
async function bytesOf({ app, databaseUrl }: StartedApp): Promise<Buffer> {
  if (isPostgres(databaseUrl)) {
    const dataSource = app.get(ServedDatabase).dataSource;
    const tables = dataSource.entityMetadatas.map(
      ({ tableName }) => `SELECT "t"::text AS "row" FROM "${tableName}" "t"`,
    );
    return Buffer.from(JSON.stringify(await dataSource.query(tables.join(' UNION ALL '))));
  }
  const file = sqliteFile(databaseUrl);
  return Buffer.concat([readFileSync(file), readFileSync(`${file}-wal`)]);
}

/** Returns a function that waits for the next refresh of the accepted keys to begin and to end, with success or not. */
function refreshesOf(keys: ApiKeys): () => Promise<void> {
  const { results } = jest.spyOn(keys, 'valid').mock;
  return async () => {
    const { length } = results;
    for (const end = Date.now() + NEVER; results.length === length; await delay(5)) {
      if (Date.now() > end) throw new Error('The keys are no longer refreshed.');
    }
    await Promise.allSettled([results[length]!.value]);
  };
}

async function validHashes(keys: ApiKeys): Promise<string[]> {
  return (await keys.valid()).map(({ hash }) => hash);
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}

describe('API_KEYS', () => {
  it('accepts every configured key', async () => {
    const { api } = await startApp({ apiKeys: ['first', 'second-2._~+/=='] });
    const responses = [
      await api.get('/v1/pets', { key: 'first' }),
      await api.get('/v1/pets', { key: 'second-2._~+/==' }),
      await api.get('/v1/pets', { key: 'third' }),
      await api.get('/v1/pets', { key: 'first,second-2._~+/==' }),
    ];
    expect(responses.map(({ status }) => status)).toStrictEqual([200, 200, 401, 401]);
  });

  it('accepts no key when none is configured', async () => {
    const { api } = await startApp({ apiKeys: [] });
    expect(outcome(await api.get('/v1/pets'))).toStrictEqual(INVALID_KEY);
  });
});

describe('API keys in the database', () => {
  it('have a prefix, 32 random characters and a checksum of 6', async () => {
    const { app } = await startApp();
    const keys = app.get(ApiKeys);
    const [one, other] = [await keys.create('one'), await keys.create('other')];
    expect([one, other]).toStrictEqual([
      expect.stringMatching(/^pets_[0-9A-Za-z]{38}$/),
      expect.stringMatching(/^pets_[0-9A-Za-z]{38}$/),
    ]);
    expect(one).not.toBe(other);
    expect(valueOf(one!.slice(-6))).toBe(crc32(one!.slice(0, -6)));
  });

  it('are accepted within 5 seconds of creation and rejected within 5 seconds of revocation', async () => {
    const service = await startApp();
    const keys = service.app.get(ApiKeys);
    const key = (await keys.create('shop'))!;
    expect(await timeUntil(service, key, 200)).toBeLessThan(PROMISED);
    expect(await keys.revoke('shop')).toBe(true);
    expect(await timeUntil(service, key, 401)).toBeLessThan(PROMISED);
    expect(outcome(await service.api.get('/v1/pets', { key }))).toStrictEqual(INVALID_KEY);
    expect(await statusOf(service, service.key)).toBe(200);
  });

  it('can be created, rotated and revoked by another process while the service runs', async () => {
    const service = await startApp();
    const elsewhere = await createDataSource(patientConfig(service.databaseUrl));
    await elsewhere.initialize();
    try {
      const keys = new ApiKeys(elsewhere);
      const first = (await keys.create('shop'))!;
      expect(await timeUntil(service, first, 200)).toBeLessThan(PROMISED);

      const second = (await keys.rotate('shop', 1000))!;
      expect(await timeUntil(service, second, 200)).toBeLessThan(PROMISED);
      expect(await timeUntil(service, first, 401)).toBeLessThan(PROMISED);
      expect(await statusOf(service, second)).toBe(200);

      expect(await keys.revoke('shop')).toBe(true);
      expect(await timeUntil(service, second, 401)).toBeLessThan(PROMISED);
    } finally {
      await elsewhere.destroy();
    }
  });

  it('are accepted within a second of creation and rejected within a second of revocation', async () => {
    const service = await startApp();
    const keys = service.app.get(ApiKeys);
    const valid = keys.valid.bind(keys);
    const pauses: number[] = [];
    let refreshedAt: number | undefined;
    const refreshes = jest.spyOn(keys, 'valid').mockImplementation(async () => {
      if (refreshedAt !== undefined) pauses.push(performance.now() - refreshedAt);
      const keysNow = await valid();
      refreshedAt = performance.now();
      return keysNow;
    });
    const nextRefresh = async () => {
      const { length } = refreshes.mock.results;
      while (refreshes.mock.results.length === length) await delay(5);
      await refreshes.mock.results[length]!.value;
    };
    for (const name of ['shop', 'office', 'stable']) {
      const key = (await keys.create(name))!;
      await nextRefresh();
      expect(await statusOf(service, key)).toBe(200);
      await keys.revoke(name);
      await nextRefresh();
      expect(await statusOf(service, key)).toBe(401);
    }
    // A busy machine can only lengthen the pauses, for which half a second of the promise is left.
    expect(Math.min(...pauses)).toBeLessThan(500);
  });

  it('are refreshed again after refreshes have failed, and the log has one line for the failures and one for their end', async () => {
    const service = await startApp();
    const keys = service.app.get(ApiKeys);
    const dataSource = service.app.get(ServedDatabase).dataSource;
    const nextRefresh = refreshesOf(keys);
    const lines: unknown[] = [];
    const add = (level: string) => (line: unknown) => {
      // The line of a changed key begins with its name.
      if (typeof line === 'string') lines.push([level, line]);
    };
    const warn = ({ reason }: { reason: string }, message: string) => void lines.push(['warn', message, reason]);
    const key = (await keys.create('shop'))!;
    await nextRefresh();
    Logger.overrideLogger({ log: add('log'), warn, error: add('error') });
    try {
      await dataSource.query('ALTER TABLE "api_keys" RENAME TO "moved"');
      // The first one may have begun before.
      for (let count = 0; count < 3; count += 1) await nextRefresh();
      expect(await statusOf(service, key)).toBe(200);
      await dataSource.query('ALTER TABLE "moved" RENAME TO "api_keys"');
      await keys.revoke('shop');
      for (let count = 0; count < 3; count += 1) await nextRefresh();
      expect(outcome(await service.api.get('/v1/pets', { key }))).toStrictEqual(INVALID_KEY);
    } finally {
      Logger.overrideLogger(false);
    }
    expect(lines).toStrictEqual([
      [
        'warn',
        'The API keys cannot be refreshed; the last known keys stay valid.',
        expect.stringMatching(/no such table: api_keys|relation "api_keys" does not exist/),
      ],
      ['log', 'The API keys are refreshed again.'],
    ]);
  });

  it.each(['INSERT', 'UPDATE'] as const)('stay valid when a rotation fails at its %s', async (statement) => {
    const { app } = await startApp();
    const keys = app.get(ApiKeys);
    const key = (await keys.create('shop'))!;
    await rejectWrites(app.get(ServedDatabase).dataSource, statement, 'api_keys');
    await expect(keys.rotate('shop', 0)).rejects.toThrow('no');
    expect(await validHashes(keys)).toContain(hashOf(key));

    await allowWrites(app.get(ServedDatabase).dataSource, 'api_keys');
    const next = (await keys.rotate('shop', 0))!;
    expect(await validHashes(keys)).toStrictEqual([hashOf(next)]);
  });

  it('expire after the grace period of their first rotation, regardless of later rotations', async () => {
    const { app } = await startApp();
    const keys = app.get(ApiKeys);
    await keys.create('shop');
    await keys.rotate('shop', 60_000);
    const [first] = await keys.list();
    await keys.rotate('shop', 3_600_000);
    const [again, second, third] = await keys.list();
    expect(again).toStrictEqual(first);
    expect(second!.revokedAt!.getTime()).toBeGreaterThan(first!.revokedAt!.getTime());
    expect(third!.revokedAt).toBeUndefined();
  });

  it.each<[string, (keys: ApiKeys) => Promise<unknown>]>([
    ['created', (keys) => keys.create('office')],
    ['rotated', (keys) => keys.rotate('shop', 0)],
    ['revoked', (keys) => keys.revoke('shop')],
  ])('cannot be %s while another process writes to the database', async (_, change) => {
    const { app, databaseUrl } = await startApp();
    const keys = app.get(ApiKeys);
    const key = (await keys.create('shop'))!;
    await whileLocked(databaseUrl, () => expect(change(keys)).rejects.toThrow(DatabaseUnavailable));
    expect(await validHashes(keys)).toStrictEqual([hashOf(key)]);
  });

  it.each<[string, (keys: ApiKeys) => Promise<unknown>]>([
    ['created', (keys) => keys.create('office')],
    ['listed', (keys) => keys.list()],
    ['read', (keys) => keys.valid()],
  ])('cannot be %s while the database is unavailable', async (_, use) => {
    const service = await startApp();
    const keys = service.app.get(ApiKeys);
    await closeDatabase(service);
    await expect(use(keys)).rejects.toThrow(DatabaseUnavailable);
  });

  it('have a name that is unique among valid keys', async () => {
    const { app } = await startApp();
    const keys = app.get(ApiKeys);
    await keys.create('shop');
    expect(await keys.create('shop')).toBeUndefined();
    expect(await keys.rotate('office', 0)).toBeUndefined();
    expect(await keys.revoke('office')).toBe(false);
    await keys.revoke('shop');
    expect(await keys.revoke('shop')).toBe(false);
    expect(await keys.create('shop')).toMatch(/^pets_/);
    expect((await keys.list()).map(({ name, revokedAt }) => [name, revokedAt !== undefined])).toStrictEqual([
      ['shop', true],
      ['shop', false],
    ]);
  });

  it('are stored only as a hash, and keys of API_KEYS are not stored at all', async () => {
    const service = await startApp();
    const { app, api, key: configured } = service;
    const key = (await app.get(ApiKeys).create('shop'))!;
    await api.get('/v1/pets', { key });
    const stored = await bytesOf(service);
    const candidates = [hashOf(key), key, key.slice('pets_'.length, -6), configured, hashOf(configured)];
    expect(candidates.filter((text) => stored.includes(text))).toStrictEqual([hashOf(key)]);
  });
});
