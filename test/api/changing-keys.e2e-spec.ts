import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { hashApiKey } from '../../src/auth/api-key.js';
import { ApiKeys } from '../../src/auth/api-keys.js';
import { createDataSource } from '../../src/data-source.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { createDatabase, ENGINE, type TestDatabase } from '../support/databases/databases.js';
import { patientConfig } from '../support/databases/time-limits.js';

const HOUR = 3_600_000;
/** Races of which each order of the statements happens in some. */
const RACES = 20;

let database: TestDatabase;
let dataSource: DataSource;

afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function start(): Promise<ApiKeys> {
  database = await createDatabase();
  dataSource = await openDatabase(createDataSource, patientConfig(database.url), { migrate: true });
  return new ApiKeys(dataSource);
}

async function validHashes(keys: ApiKeys): Promise<string[]> {
  return (await keys.valid()).map(({ hash }) => hash);
}

describe('a creation of an API key', () => {
  it('makes no second key of a name that is created at the same time', async () => {
    const keys = await start();
    for (let race = 0; race < RACES; race += 1) {
      const created = await Promise.all([keys.create(`shop ${race}`), keys.create(`shop ${race}`)]);
      const [key, ...others] = created.filter((each) => each !== undefined);
      expect(others).toStrictEqual([]);
      expect(await validHashes(keys)).toContain(hashApiKey(key!));
    }
    expect(await validHashes(keys)).toHaveLength(RACES);
  });

  it('has the name of keys that have ended', async () => {
    const keys = await start();
    await keys.create('shop', { scope: 'read', lifetime: HOUR });
    expect(await keys.create('shop')).toBeUndefined();
    await keys.revoke('shop');
    const key = await keys.create('shop', { scope: 'read', lifetime: HOUR });
    expect(await keys.valid()).toStrictEqual([
      {
        hash: hashApiKey(key!),
        name: 'shop',
        mayWrite: false,
        endsAt: expect.any(Number),
        lastUsedAt: -Infinity,
      },
    ]);
  });
});

describe('a revocation of an API key', () => {
  it.each([0, HOUR])('leaves no key of a rotation that runs at the same time, with a grace of %i', async (grace) => {
    const keys = await start();
    for (let race = 0; race < RACES; race += 1) {
      await keys.create('shop');
      const [first, second] = [() => keys.rotate('shop', grace), () => keys.revoke('shop')];
      const results = await Promise.all(race % 2 === 0 ? [first(), second()] : [second(), first()]);
      expect(results).toContain(true);
      expect(await validHashes(keys)).toStrictEqual([]);
    }
  });
});

if (ENGINE === 'postgres') {
  /** Another process. */
  async function connect(): Promise<Client> {
    const other = new Client({ connectionString: database.url });
    await other.connect();
    return other;
  }

  /** Whether another process waits for a lock of this kind. */
  async function waits(other: Client, kind: string): Promise<boolean> {
    const { rows } = await other.query(
      `SELECT 1 FROM "pg_locks" WHERE NOT "granted" AND "locktype" = $1
       AND "database" = (SELECT "oid" FROM "pg_database" WHERE "datname" = current_database())`,
      [kind],
    );
    return rows.length > 0;
  }

  describe('on PostgreSQL, a change of API keys', () => {
    it('that revokes waits for a rotation that has begun to add a key, and revokes that key as well', async () => {
      const keys = await start();
      await keys.create('shop');
      const other = await connect();
      try {
        await other.query(`SELECT pg_advisory_lock(7);
          CREATE FUNCTION "wait"() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END';
          CREATE TRIGGER "gate" BEFORE INSERT ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "wait"()`);
        const rotation = keys.rotate('shop', HOUR);
        while (!(await waits(other, 'advisory'))) await delay(5);
        const ends: true[] = [];
        const revocation = keys.revoke('shop').finally(() => ends.push(true));
        while (ends.length === 0 && !(await waits(other, 'relation')) && !(await waits(other, 'transactionid')))
          await delay(5);
        await other.query('SELECT pg_advisory_unlock(7)');
        expect(await Promise.all([rotation, revocation])).toStrictEqual([expect.stringMatching(/^pets_/), true]);
        expect(await validHashes(keys)).toStrictEqual([]);
      } finally {
        await other.end();
      }
    });

    it('that rotates follows the key that another process has put in the place of the previous one', async () => {
      const keys = await start();
      await keys.create('shop');
      const other = await connect();
      try {
        await other.query('BEGIN; LOCK TABLE "api_keys" IN SHARE ROW EXCLUSIVE MODE');
        const rotation = keys.rotate('shop', 0);
        while (!(await waits(other, 'relation'))) await delay(5);
        await other.query(`UPDATE "api_keys" SET "revokedAt" = 1, "expiresAt" = 0;
          INSERT INTO "api_keys" ("hash", "name", "createdAt", "scope") VALUES ('other', 'shop', 2, 'read'); COMMIT`);
        const key = await rotation;
        expect(await keys.valid()).toStrictEqual([
          { hash: hashApiKey(key!), name: 'shop', mayWrite: false, endsAt: Infinity, lastUsedAt: -Infinity },
        ]);
      } finally {
        await other.end();
      }
    });
  });
}
