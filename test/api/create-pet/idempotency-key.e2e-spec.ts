import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AcceptedKeys } from '../../../src/auth/accepted-keys.js';
import { ApiKeys } from '../../../src/auth/api-keys.js';
import { ServedDatabase } from '../../../src/platform/database/served/served-database.js';
import { DATABASE_UNAVAILABLE } from '../../properties/outcome.js';
import { createDatabase, ENGINE, type TestDatabase } from '../../support/databases/databases.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import { untilServed } from '../../support/http/until-served.js';
import { expectRetry, whileLocked } from '../../support/outages.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { STRETCHED } from '../../support/databases/time-limits.js';

const NEW_PET = '{"name":"Rex","categoryId":9223372036854775807,"status":"sold"}';
const HOUR = 3_600_000;

/** Headers of one response only. */
const PASSING = new Set(['Date', 'X-Request-Id']);

const lasting = (rawHeaders: readonly string[]) =>
  rawHeaders.filter((_, at) => !PASSING.has(rawHeaders[at - (at % 2)]!));

/** What a caller sees, without the date and the id of the request. */
const seen = ({ status, rawHeaders, text }: HttpResponse) => ({ status, text, headers: lasting(rawHeaders) });

const idOf = ({ text }: HttpResponse) => /"id":(\d+)/.exec(text)?.[1];

const codeOf = ({ status, json }: HttpResponse) => [status, (json as { code?: string }).code];

describe('POST /pets with an Idempotency-Key', () => {
  let database: TestDatabase;
  let service: StartedApp;

  beforeAll(async () => {
    database = await createDatabase();
    service = await startApp({ databaseUrl: database.url, ...STRETCHED });
  });

  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const post = (key: string | readonly string[], body = NEW_PET, from = service, options = {}) =>
    untilServed(() => from.api.post('/v1/pets', body, { headers: { 'idempotency-key': key }, ...options }));
  const pets = async () =>
    (await service.app.get(ServedDatabase).dataSource.query('SELECT COUNT(*) AS "count" FROM "pets"')) as unknown;
  const countOf = async () => Number(((await pets()) as { count: number | string }[])[0]!.count);
  const keys = async () =>
    service.app
      .get(ServedDatabase)
      .dataSource.query<Record<string, unknown>[]>('SELECT * FROM "idempotency_keys" ORDER BY "storedAt"');

  it('adds one pet, and repeats the first response byte for byte', async () => {
    const key = `"${randomUUID()}"`;
    const before = await countOf();
    const first = await post(key);
    expect(first.status).toBe(201);
    expect(first.text).toContain('9223372036854775807');
    expect(seen(await post(key))).toEqual(seen(first));
    expect(seen(await post(key))).toEqual(seen(first));
    expect(await countOf()).toBe(before + 1);
  });

  it('answers as it does without a key', async () => {
    const { status, rawHeaders, text } = await service.api.post('/v1/pets', NEW_PET);
    const keyed = await post(randomUUID());
    const id = /"id":(\d+)/.exec(keyed.text)![1]!;
    const withId = (value: string) => value.replace(/(?<=pets\/|"id":)\d+/, id);
    expect(seen(keyed)).toEqual({
      status,
      text: withId(text),
      headers: lasting(rawHeaders.map(withId)),
    });
  });

  it('has an id of its own for each repetition, and stores none', async () => {
    const key = randomUUID();
    const answers = [];
    for (const id of ['first-7', 'second-7']) {
      answers.push(
        await service.api.post('/v1/pets', NEW_PET, { headers: { 'idempotency-key': key, 'x-request-id': id } }),
      );
    }
    expect(answers.map(({ status, headers }) => [status, headers['x-request-id']])).toEqual([
      [201, ['first-7']],
      [201, ['second-7']],
    ]);
    expect(JSON.stringify(await keys())).not.toMatch(/first-7|x-request-id/i);
  });

  it('takes a quoted string and its bare content as one key', async () => {
    const key = randomUUID();
    const first = await post(key);
    expect(seen(await post(`"${key}"`))).toEqual(seen(first));
  });

  it('takes the absolute form of a target as the same request', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const before = await countOf();
    const responses: HttpResponse[] = [];
    for (const target of ['/v1/pets', 'http://localhost/v1/pets', 'HTTPS://shop.test:8443/v1/pets'])
      responses.push(await untilServed(() => service.api.post(target, NEW_PET, { headers })));
    const [first, ...others] = responses.map(seen);
    expect(first?.status).toBe(201);
    expect(others).toEqual([first, first]);
    expect(await countOf()).toBe(before + 1);
  });

  it.each([
    ['without a character', '""'],
    ['that is empty', ''],
    ['with one quote', '"a'],
    ['with a space outside of quotes', 'a b'],
    ['with a parameter', '"a";b=1'],
    ['beyond ASCII', '"é"'],
    ['with a needless escape', '"\\a"'],
    ['of 256 characters', `"${'x'.repeat(256)}"`],
    ['of 256 escaped characters', `"${'\\"'.repeat(256)}"`],
  ])('rejects a key %s', async (_, key) => {
    const { status, json } = await post(key);
    expect({ status, json }).toEqual({
      status: 400,
      json: { code: 'BAD_REQUEST', message: expect.stringContaining('header Idempotency-Key must be'), status: 400 },
    });
  });

  it('rejects two keys', async () => {
    expect((await post(['"a"', '"b"'])).status).toBe(400);
  });

  it.each([
    ['in quotes', '"a"'],
    ['without quotes', 'a'],
    ['with spaces and escapes in quotes', '"a, \\"b\\" \\\\"'],
    ['of 255 characters in quotes', `"${'x'.repeat(255)}"`],
    ['of 255 characters', 'x'.repeat(255)],
    ['of 255 escaped characters', `"${'\\"'.repeat(255)}"`],
  ])('accepts a key %s', async (_, key) => {
    expect((await post(key)).status).toBe(201);
  });

  it.each([
    ['another body', NEW_PET.replace('Rex', 'Max'), '/v1/pets'],
    ['another target', NEW_PET, '/v1/pets?colour=red'],
    ['another target in the absolute form', NEW_PET, 'http://localhost/v1/pets?colour=red'],
  ])('rejects the key with %s', async (_, body, target) => {
    const key = randomUUID();
    await post(key);
    const before = await countOf();
    const response = await service.api.post(target, body, { headers: { 'idempotency-key': key } });
    expect(codeOf(response)).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await countOf()).toBe(before);
  });

  it('keeps the keys of API keys apart', async () => {
    const key = randomUUID();
    const other = (await service.app.get(ApiKeys).create('other'))!;
    await service.app.get(AcceptedKeys).refresh();
    const before = await countOf();
    const first = await post(key);
    const second = await post(key, NEW_PET, service, { key: other });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(idOf(second)).not.toBe(idOf(first));
    // Each gets its own response again, and never that of the other one.
    expect((await post(key)).text).toBe(first.text);
    expect((await post(key, NEW_PET, service, { key: other })).text).toBe(second.text);
    expect(await countOf()).toBe(before + 2);
  });

  it('stores neither key nor API key', async () => {
    const key = randomUUID();
    await post(key);
    const text = JSON.stringify(await keys());
    expect(text).not.toContain(key);
    expect(text).not.toContain(service.key);
  });

  it('adds one pet for many requests at once, and answers the others with 409 or the first response', async () => {
    const key = randomUUID();
    const before = await countOf();
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(key)));
    const created = responses.filter(({ status }) => status === 201);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expect(codeOf(response)).toEqual([409, 'REQUEST_IN_PROGRESS']);
      expect(response.header('retry-after')).toBe('1');
    }
    expect(await countOf()).toBe(before + 1);
  });

  it('adds the pets of many keys at once', async () => {
    const before = await countOf();
    const keysAtOnce = Array.from({ length: 50 }, () => randomUUID());
    const first = await Promise.all(keysAtOnce.map((key) => post(key)));
    expect(first.map(({ status }) => status)).toEqual(keysAtOnce.map(() => 201));
    expect(new Set(first.map(({ text }) => text)).size).toBe(50);
    const again = await Promise.all(keysAtOnce.map((key) => post(key)));
    expect(again.map(seen)).toEqual(first.map(seen));
    expect(await countOf()).toBe(before + 50);
  });

  it('does not use up the key of a rejected request', async () => {
    const key = randomUUID();
    expect((await post(key, '{"name":7}')).status).toBe(400);
    expect((await post(key, NEW_PET, service, { key: 'wrong' })).status).toBe(401);
    expect((await post(key)).status).toBe(201);
  });

  it('does not use up the key while the database is unavailable', async () => {
    const key = randomUUID();
    const before = await countOf();
    await whileLocked(database.url, async () => expectRetry(await post(key), DATABASE_UNAVAILABLE));
    expect((await post(key)).status).toBe(201);
    expect(await countOf()).toBe(before + 1);
  });

  it('forgets a key after 24 hours', async () => {
    const key = randomUUID();
    const first = await post(key);
    const age = async (hours: number) =>
      service.app
        .get(ServedDatabase)
        .dataSource.query(`UPDATE "idempotency_keys" SET "storedAt" = ${Date.now() - hours * HOUR + 60_000}`);
    await age(24);
    expect(seen(await post(key))).toEqual(seen(first));
    await age(25);
    const second = await post(key, NEW_PET.replace('Rex', 'Max'));
    expect(second.status).toBe(201);
    expect(seen(await post(key, NEW_PET.replace('Rex', 'Max')))).toEqual(seen(second));
  });

  if (ENGINE === 'postgres') {
    it('adds one pet for requests to two replicas at once', async () => {
      const replica = await startApp({ databaseUrl: database.url, apiKeys: [service.key] });
      const before = await countOf();
      const count = 20;
      const rounds = Array.from({ length: count }, async () => {
        const key = randomUUID();
        const pair = await Promise.all([post(key), post(key, NEW_PET, replica, { key: service.key })]);
        for (const response of pair.filter(({ status }) => status !== 201))
          expect(codeOf(response)).toEqual([409, 'REQUEST_IN_PROGRESS']);
        expect(pair.some(({ status }) => status === 201)).toBe(true);
        const stored = await Promise.all([post(key), post(key, NEW_PET, replica, { key: service.key })]);
        const texts = [...pair, ...stored].filter(({ status }) => status === 201).map(({ text }) => text);
        expect(stored.map(({ status }) => status)).toEqual([201, 201]);
        expect(new Set(texts).size).toBe(1);
      });
      await Promise.all(rounds);
      expect(await countOf()).toBe(before + count);
      await replica.close();
    });
  }
});
