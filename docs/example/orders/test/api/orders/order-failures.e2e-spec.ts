import { beforeAll, describe, expect, it } from '@jest/globals';
import { AcceptedKeys } from '../../../src/auth/accepted-keys.js';
import { ApiKeys } from '../../../src/auth/api-keys.js';
import {
  DATABASE_UNAVAILABLE,
  FAILED,
  INVALID_KEY,
  MISSING_KEY,
  NO_JSON,
  outcome,
  rejection,
} from '../../properties/outcome.js';
import { expectRetry, responseWithoutDatabase, responseWithoutTable } from '../../support/outages.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { TWO_LEASHES } from './orders.js';

const LARGEST_ID = '9223372036854775807';

interface Operation {
  readonly request: string;
  readonly body?: object;
}

const OPERATIONS: readonly Operation[] = [
  { request: 'GET /v1/orders' },
  { request: 'POST /v1/orders', body: { petId: 1, ...TWO_LEASHES } },
  { request: 'GET /v1/orders/{orderId}' },
  { request: 'PATCH /v1/orders/{orderId}', body: { status: 'approved' } },
  { request: 'DELETE /v1/orders/{orderId}' },
  { request: 'POST /v1/orders/{orderId}/ship' },
];

describe.each(OPERATIONS)('$request', ({ request, body }) => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  const [method, target] = request.split(' ') as [string, string];
  const call = ({ api }: Pick<StartedApp, 'api'>, options: object = {}, id = '1') =>
    api.request(method, target.replace('{orderId}', id), { body, ...options });

  it('requires a key', async () => {
    expect(outcome(await call(service, { key: null }))).toStrictEqual(MISSING_KEY);
    expect(outcome(await call(service, { key: 'wrong' }))).toStrictEqual(INVALID_KEY);
  });

  it('is refused with 429 beyond the rate limit', async () => {
    const limited = await startApp({ rateLimit: { requests: 1, window: 3600 } });
    expect((await call(limited)).status).not.toBe(429);
    const refused = await call(limited);
    expect([refused.status, refused.header('retry-after')]).toEqual([429, '3600']);
  });

  if (method !== 'GET') {
    it('is refused with 403 for a key that may only read', async () => {
      const key = (await service.app.get(ApiKeys).create(request, { scope: 'read' }))!;
      await service.app.get(AcceptedKeys).refresh();
      const message = 'The API key may only read; use one of the scope "write".';
      expect(outcome(await call(service, { key }))).toStrictEqual(rejection(403, 'FORBIDDEN', message));
    });
  }

  it('returns 503 with Retry-After while the database is unavailable', async () => {
    expectRetry(await responseWithoutDatabase((api) => call({ api })), DATABASE_UNAVAILABLE);
  });

  it('returns a fixed message for an internal error', async () => {
    expect(outcome(await responseWithoutTable('orders', (api) => call({ api })))).toStrictEqual(FAILED);
  });

  if (target.includes('{orderId}')) {
    it.each([
      '1',
      '0',
      `-${BigInt(LARGEST_ID) + 1n}`,
      LARGEST_ID,
      '9223372036854775808',
      '-9223372036854775809',
      'x',
      '01',
    ])('returns 404 for the id %s', async (id) => {
      const expected = rejection(404, 'ORDER_NOT_FOUND', `No order has the id ${id}.`);
      expect(outcome(await call(service, {}, id))).toStrictEqual(expected);
    });
  }

  if (body) {
    it('rejects a body that is not JSON, or too large', async () => {
      expect(outcome(await call(service, { headers: { 'content-type': 'text/plain' } }))).toStrictEqual(NO_JSON);
      const message = 'The body is larger than 102400 bytes.';
      const expected = rejection(413, 'PAYLOAD_TOO_LARGE', message);
      expect(outcome(await call(service, { body: ' '.repeat(102_401) }))).toStrictEqual(expected);
    });
  }
});
