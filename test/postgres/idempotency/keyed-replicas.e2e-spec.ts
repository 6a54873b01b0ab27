import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hash, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { ServedDatabase } from '../../../src/platform/database/served/served-database.js';
import { hooks, ThingsModule } from '../../database/keyed/things.module.js';
import { createDatabase, type TestDatabase } from '../../support/databases/databases.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import { type StartedApp, startApp } from '../../support/start-app.js';

const contractFile = fileURLToPath(new URL('../../database/keyed/things.openapi.yaml', import.meta.url));
const API_KEY = 'key-of-both';

const sha256 = (text: string) => hash('sha256', text, 'base64');

describe('a request with an Idempotency-Key at two replicas', () => {
  let database: TestDatabase;
  let one: StartedApp;
  let other: StartedApp;

  beforeAll(async () => {
    database = await createDatabase();
    const start = () =>
      startApp({ databaseUrl: database.url, apiKeys: [API_KEY] }, { contractFile, features: [ThingsModule] });
    [one, other] = await Promise.all([start(), start()]);
  });

  afterAll(async () => {
    await Promise.all([one.close(), other.close()]);
    await database.drop();
  });

  const post = ({ api }: StartedApp, how: string, key: string): Promise<HttpResponse> =>
    api.post(`/v1/things?how=${encodeURIComponent(how)}`, {}, { key: API_KEY, headers: { 'idempotency-key': key } });

  /** Sends a request to one replica, which waits in its handler while the other one serves the same request. */
  async function overtake(how: string, key: string): Promise<[first: HttpResponse, second: HttpResponse]> {
    let release = () => {};
    const waits = new Promise<void>((waiting) => {
      hooks.wait = () => {
        waiting();
        return new Promise((resolve) => (release = resolve));
      };
    });
    const late = post(one, how, key);
    await waits;
    hooks.wait = () => Promise.resolve();
    const first = await post(other, how, key);
    release();
    return [first, await late];
  }

  const countOf = async () => {
    const [row] = await one.app
      .get(ServedDatabase)
      .dataSource.query<{ count: string }[]>('SELECT COUNT(*) AS "count" FROM "pets"');
    return Number(row!.count);
  };

  it.each([
    'insert after a wait, if it is the first',
    'insert after a wait',
    'look in a transaction after a wait, then insert if there is none',
  ])('answers with the response of the replica that was first: %s', async (how) => {
    const before = await countOf();
    const [first, late] = await overtake(how, randomUUID());
    expect(first.status).toBe(201);
    expect([late.status, late.text]).toEqual([201, first.text]);
    const headersOf = ({ headers }: HttpResponse) => [headers['x-number'], headers['x-late']];
    expect(headersOf(late)).toEqual(headersOf(first));
    expect(await countOf()).toBe(before + 1);
  });

  it('does not wait for a replica that has stopped in its commit', async () => {
    const key = randomUUID();
    const keyHash = sha256(`${sha256(API_KEY)}\n${key}`);
    const stopped = new Client({ connectionString: database.url });
    await stopped.connect();
    await stopped.query('BEGIN');
    await stopped.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [keyHash]);
    await stopped.query(`INSERT INTO "idempotency_keys" VALUES ($1, 'f', 201, '[]', NULL, $2)`, [keyHash, Date.now()]);
    const before = await countOf();
    const [blocked, beside] = await Promise.all([post(one, 'insert', key), post(one, 'insert', randomUUID())]);
    expect([blocked.status, blocked.header('retry-after')]).toEqual([409, '1']);
    expect(beside.status).toBe(201);
    expect(await countOf()).toBe(before + 1);
    await stopped.query('ROLLBACK');
    await stopped.end();
    expect((await post(one, 'insert', key)).status).toBe(201);
    expect(await countOf()).toBe(before + 2);
  });
});
