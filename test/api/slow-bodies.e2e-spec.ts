import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { AcceptedKeys } from '../../src/auth/accepted-keys.js';
import { ApiKeys } from '../../src/auth/api-keys.js';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import { metricsOf } from '../observability/metrics.js';
import { INVALID_KEY, outcome } from '../properties/outcome.js';
import { chunk, creation, REX } from '../support/http/raw/raw-requests.js';
import { type StartedApp, startApp } from '../support/start-app.js';

const HOUR = 3_600_000;
const INVALID = { ...INVALID_KEY, challenge: 'Bearer realm="pets", error="invalid_token"', limit: undefined };

/** Header fields and a body, of which the first part has yet to arrive when the key ends. */
const BODIES: Record<string, readonly [fields: string[], body: string]> = {
  'a length': [[`Content-Length: ${REX.length}`], REX],
  chunks: [['Transfer-Encoding: chunked'], `${chunk(REX)}0\r\n\r\n`],
  'an Idempotency-Key': [[`Content-Length: ${REX.length}`, 'Idempotency-Key: order-7'], REX],
  'a body that is no JSON': [['Content-Length: 1'], '{'],
};

afterEach(() => {
  jest.restoreAllMocks();
  Logger.overrideLogger(false);
});

async function start() {
  const service = await startApp({ adminPort: 0, logRequests: 'all', rateLimit: { requests: 1000, window: 3600 } });
  const keys = service.app.get(ApiKeys);
  const notice = () => service.app.get(AcceptedKeys).refresh();
  const key = (await keys.create('shop', { lifetime: HOUR }))!;
  await notice();
  return { service, key, keys, notice };
}

/** The response to a creation whose key is checked, and whose body arrives after `meanwhile`. */
async function creationAround(
  service: StartedApp,
  [key, fields, body]: readonly [key: string, fields: readonly string[], body: string],
  meanwhile: () => unknown,
) {
  const connection = await service.connect();
  connection.send(creation(key, ['Expect: 100-continue', 'X-Request-Id: slow', ...fields], ''));
  // The service sends it once the key is checked.
  while (!connection.unread.includes('100 Continue')) await connection.isClosed(10);
  await meanwhile();
  const response = await connection.send(body).response();
  return {
    ...outcome(response),
    challenge: response.header('www-authenticate'),
    limit: response.header('ratelimit'),
  };
}

describe('a creation whose body arrives slowly', () => {
  it.each(Object.entries(BODIES))('is not carried out after its key is revoked: with %s', async (_, [fields, body]) => {
    const { service, key, keys, notice } = await start();
    const lines: Record<string, unknown>[] = [];
    const add = (line: Record<string, unknown>, context: string) => void (context === 'Request' && lines.push(line));
    Logger.overrideLogger({ log: add, warn: () => {}, error: () => {} });
    const response = await creationAround(service, [key, fields, body], async () => {
      await keys.revoke('shop');
      await notice();
    });
    expect(response).toStrictEqual(INVALID);
    expect(lines).toStrictEqual([
      {
        method: 'POST',
        operationId: 'createPet',
        status: 401,
        durationMs: expect.any(Number),
        bytes: JSON.stringify(INVALID_KEY.body).length,
        keyName: undefined,
        requestId: 'slow',
        traceId: undefined,
      },
    ]);
    const metrics = await metricsOf(service.app);
    expect(metrics.get('authentication_failures_total{operation="createPet"}')).toBe(1);
    expect(outcome(await service.api.get('/v1/pets'))).toEqual({ status: 200, body: [] });
    const { dataSource } = service.app.get(ServedDatabase);
    expect(await dataSource.query('SELECT * FROM "idempotency_keys"')).toEqual([]);
  });

  it('is not carried out after its key expires', async () => {
    const { service, key } = await start();
    const [fields, body] = BODIES['a length']!;
    const later = Date.now() + 2 * HOUR;
    const response = await creationAround(service, [key, fields, body], () =>
      jest.spyOn(Date, 'now').mockImplementation(() => later),
    );
    expect(response).toStrictEqual(INVALID);
    expect(outcome(await service.api.get('/v1/pets'))).toEqual({ status: 200, body: [] });
  });

  it('is carried out while its key stays valid, and costs one of its requests', async () => {
    const { service, key, notice } = await start();
    const [fields, body] = BODIES['an Idempotency-Key']!;
    const response = await creationAround(service, [key, fields, body], notice);
    expect(response).toStrictEqual({
      status: 201,
      body: { id: 1, name: 'Rex', categoryId: 7 },
      challenge: undefined,
      limit: expect.stringContaining('r=999'),
    });
  });
});
