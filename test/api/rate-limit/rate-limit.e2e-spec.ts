import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AcceptedKeys } from '../../../src/auth/accepted-keys.js';
import { ApiKeys } from '../../../src/auth/api-keys.js';
import { TokenBuckets } from '../../../src/auth/token-buckets.js';
import { findRoot } from '../../../src/platform/process/project-root.js';
import { StartError } from '../../../src/platform/process/start-error.js';
import { badRequest, outcome, petNotFound, rejection } from '../../properties/outcome.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { DEPRECATION, deprecationOf, NO_DEPRECATION } from '../deprecation.js';

const REX = { name: 'Rex', categoryId: 7 };
/** So long that no test gets a token back. */
const HOUR = 3600;
const TOO_MANY = rejection(
  429,
  'TOO_MANY_REQUESTS',
  'Too many requests with this API key; try again after the seconds in Retry-After.',
);

/** A service with a limit, and with further API keys of the given names. */
async function start(requests: number, window = HOUR) {
  const service = await startApp({ rateLimit: { requests, window } });
  const addKey = async (name: string, scope: 'read' | 'write' = 'write') => {
    const key = (await service.app.get(ApiKeys).create(name, { scope }))!;
    await service.app.get(AcceptedKeys).refresh();
    return key;
  };
  return { service, api: service.api, addKey };
}

/** Lets no time pass for the limits, so that a busy machine does not shorten what is left of it. */
function stopClock(): void {
  const now = performance.now();
  const spy = jest.spyOn(TokenBuckets.prototype, 'take');
  const take = spy.getMockImplementation()!;
  spy.mockImplementation(function (this: TokenBuckets, name) {
    return take.call(this, name, now);
  });
}

afterEach(() => void jest.restoreAllMocks());

function limitOf({ headers }: HttpResponse) {
  return { policy: headers['ratelimit-policy'], left: headers['ratelimit'], retryAfter: headers['retry-after'] };
}

const NO_LIMIT = { policy: undefined, left: undefined, retryAfter: undefined };
const limit = (policy: string, left: unknown, retryAfter?: string) => ({
  policy: [policy],
  left: [left],
  retryAfter: retryAfter === undefined ? undefined : [retryAfter],
});

describe('without RATE_LIMIT', () => {
  it('no response names a limit', async () => {
    const { api } = await startApp();
    expect(limitOf(await api.get('/v1/pets'))).toStrictEqual(NO_LIMIT);
    expect(limitOf(await api.post('/v1/pets', REX))).toStrictEqual(NO_LIMIT);
  });
});

describe.each([
  ['GET', '/v1/pets', undefined, 200, NO_DEPRECATION],
  ['HEAD', '/v1/pets', undefined, 200, NO_DEPRECATION],
  ['POST', '/v1/pets', REX, 201, NO_DEPRECATION],
  ['GET', '/v1/pets/1', undefined, 200, DEPRECATION],
] as const)('with RATE_LIMIT, %s %s', (method, target, body, status, deprecation) => {
  it('is served within the limit and refused with 429 beyond, in the words of the contract', async () => {
    stopClock();
    const { api } = await start(3);
    await api.post('/v1/pets', REX);
    const responses: HttpResponse[] = [];
    for (let count = 0; count < 4; count += 1) responses.push(await api.request(method, target, { body }));
    expect(responses.map((response) => response.status)).toEqual([status, status, 429, 429]);
    expect(responses.map(limitOf)).toStrictEqual([
      limit('"key";q=3;w=3600', '"key";r=1;t=1200'),
      limit('"key";q=3;w=3600', '"key";r=0;t=1200'),
      limit('"key";q=3;w=3600', '"key";r=0;t=1200', '1200'),
      limit('"key";q=3;w=3600', '"key";r=0;t=1200', '1200'),
    ]);
    if (method !== 'HEAD') expect(outcome(responses[2]!)).toStrictEqual(TOO_MANY);
    expect(deprecationOf(responses[2]!)).toStrictEqual(deprecation);
  });
});

describe('with RATE_LIMIT', () => {
  it('each key has its own limit', async () => {
    const { service, api, addKey } = await start(1);
    const shop = await addKey('shop');
    const statuses = [];
    for (const key of [service.key, service.key, shop, shop])
      statuses.push((await api.get('/v1/pets', { key })).status);
    expect(statuses).toEqual([200, 429, 200, 429]);
  });

  it('a rejected request counts, and only responses that declare it name the limit', async () => {
    const { api } = await start(2);
    const invalid = await api.get('/v1/pets?limit=0');
    expect(outcome(invalid)).toStrictEqual(badRequest('limit must be an integer from 1 to 100'));
    const unknown = await api.get('/v1/pets/42');
    expect(outcome(unknown)).toStrictEqual(petNotFound(42));
    expect([invalid, unknown].map(limitOf)).toStrictEqual([NO_LIMIT, NO_LIMIT]);
    expect(outcome(await api.get('/v1/pets'))).toStrictEqual(TOO_MANY);
  });

  it('a creation by a key that may only read counts', async () => {
    const { api, addKey } = await start(1);
    const key = await addKey('shop', 'read');
    const forbidden = await api.post('/v1/pets', REX, { key });
    expect([forbidden.status, limitOf(forbidden)]).toStrictEqual([403, NO_LIMIT]);
    expect(outcome(await api.get('/v1/pets', { key }))).toStrictEqual(TOO_MANY);
  });

  it('nothing of a refused request is read: its body may be anything', async () => {
    const { api } = await start(1);
    await api.get('/v1/pets');
    for (const body of ['{', ' '.repeat(200_000)])
      expect(outcome(await api.post('/v1/pets', body))).toStrictEqual(TOO_MANY);
  });

  it.each(['/live', '/ready', '/docs', '/openapi.yaml', '/openapi.json'])('%s has no limit', async (path) => {
    const { api } = await start(1);
    await api.get('/v1/pets', { key: null });
    const responses = [await api.get(path), await api.get(path), await api.get(path, { key: null })];
    expect(responses.map((response) => [response.status, limitOf(response)])).toStrictEqual(
      responses.map(() => [200, NO_LIMIT]),
    );
  });

  it('a request outside the operations has no limit', async () => {
    const { api } = await start(1);
    await api.get('/v1/pets');
    const statuses = [];
    for (const [method, path] of [
      ['OPTIONS', '/v1/pets'],
      ['DELETE', '/v1/pets'],
      ['GET', '/v1/dogs'],
    ] as const)
      statuses.push((await api.request(method, path)).status);
    expect(statuses).toEqual([204, 405, 404]);
  });
});

describe('with a short window', () => {
  /** Uses tokens up; waits for none. */
  async function useUp({ api }: Pick<StartedApp, 'api'>): Promise<HttpResponse> {
    for (;;) {
      const response = await api.get('/v1/pets');
      if (response.status === 429) return response;
    }
  }

  it('a request is served after the seconds in Retry-After', async () => {
    const { service } = await start(2, 2);
    const refused = await useUp(service);
    expect(limitOf(refused)).toStrictEqual(limit('"key";q=2;w=2', '"key";r=0;t=1', '1'));
    // A timer may be a little early.
    await delay(1050);
    expect((await service.api.get('/v1/pets')).status).toBe(200);
  });

  it('a refused request does not use up its Idempotency-Key', async () => {
    const { service, api } = await start(2, 1);
    const create = (key: number, name: string) =>
      api.post('/v1/pets', { ...REX, name }, { headers: { 'idempotency-key': `key-${key}` } });
    let attempt = 0;
    do {
      attempt += 1;
      await useUp(service);
    } while ((await create(attempt, 'Refused')).status !== 429);
    let response: HttpResponse;
    do response = await create(attempt, 'Tom');
    while (response.status === 429);
    // Another body with the same key: 422 if the refused request had used it.
    expect(outcome(response)).toMatchObject({ status: 201, body: { name: 'Tom' } });
    const { bytes } = response;
    do response = await create(attempt, 'Tom');
    while (response.status === 429);
    // A repetition counts, and names what is left now.
    expect([response.status, response.bytes]).toStrictEqual([201, bytes]);
    expect(limitOf(response)).toStrictEqual(limit('"key";q=2;w=1', expect.stringMatching(/^"key";r=[01];t=1$/)));
  });
});

describe('a limit of requests without a valid key', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = (await start(2)).service;
  });

  it('replaces 401 by 429 for the address, and does not affect those with one', async () => {
    stopClock();
    const { api, key } = service;
    const send = (options: object) => api.get('/v1/pets', options);
    const responses = [await send({ key: null }), await send({ key: 'wrong' }), await send({ key: null })];
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 429]);
    expect(responses.slice(0, 2).map(limitOf)).toStrictEqual([NO_LIMIT, NO_LIMIT]);
    const refused = responses[2]!;
    const message = 'Too many requests without a valid API key; try again after the seconds in Retry-After.';
    expect(outcome(refused)).toStrictEqual(rejection(429, 'TOO_MANY_REQUESTS', message));
    expect(limitOf(refused)).toStrictEqual(limit('"address";q=2;w=3600', '"address";r=0;t=1800', '1800'));
    expect(refused.header('www-authenticate')).toBeUndefined();
    const repeated = { authorization: [`Bearer ${key}`, `Bearer ${key}`] };
    expect((await send({ key: null, headers: repeated })).status).toBe(429);
    expect((await send({ key })).status).toBe(200);
    expect((await api.post('/v1/pets', REX, { key: 'wrong' })).status).toBe(429);
  });

  it('does not believe X-Forwarded-For of a client that is no trusted proxy', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2', '127.0.0.1']) {
      const headers = { 'x-forwarded-for': address };
      expect((await service.api.get('/v1/pets', { key: null, headers })).status).toBe(429);
    }
  });
});

describe('a contract that declares RateLimit for some successes only', () => {
  it('stops the start with RATE_LIMIT, and not without', async () => {
    const contractFile = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'some-')), 'openapi.yaml');
    const text = readFileSync(`${findRoot()}/openapi.yaml`, 'utf8');
    writeFileSync(
      contractFile,
      text.replace("        '201':\n", "        '202':\n          description: Later.\n        '201':\n"),
    );
    const position = `${contractFile}:${text.slice(0, text.indexOf("        '201':\n")).split('\n').length + 2}:9`;
    const error: unknown = await startApp({ rateLimit: { requests: 1, window: 1 } }, { contractFile }).catch(
      (failure: unknown) => failure,
    );
    expect(error).toEqual(
      new StartError(
        `${position} 201 declares RateLimit-Policy, but 202 lacks RateLimit-Policy; with RATE_LIMIT, declare RateLimit and RateLimit-Policy for each success of the operation, or for none.`,
      ),
    );
    await expect(startApp({}, { contractFile })).resolves.toBeDefined();
  });
});

describe('a contract that does not declare how requests are refused', () => {
  const directory = mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'undeclared-'));
  const text = readFileSync(`${findRoot()}/openapi.yaml`, 'utf8');
  const declared = "        '429':\n          $ref: '#/components/responses/TooManyRequests'\n";

  it.each([
    ['no 429', declared, ''],
    [
      'a 429 without Retry-After',
      "        Retry-After:\n          $ref: '#/components/headers/RetryAfter'\n        RateLimit:",
      '        RateLimit:',
    ],
  ])('stops the start with RATE_LIMIT: %s', async (_, from, to) => {
    const contractFile = join(directory, `${to.length}.yaml`);
    writeFileSync(contractFile, text.replace(from, to));
    const line = text.slice(0, text.indexOf('      operationId: listPets')).split('\n').length - 1;
    const error: unknown = await startApp({ rateLimit: { requests: 1, window: 1 } }, { contractFile }).catch(
      (failure: unknown) => failure,
    );
    expect(error).toBeInstanceOf(StartError);
    expect((error as StartError).message).toBe(
      `${contractFile}:${line}:5 RATE_LIMIT requires the operation to declare 429 with Retry-After, RateLimit and RateLimit-Policy; declare it, or remove the variable.`,
    );
  });
});
