import { describe, expect, it } from '@jest/globals';
import {
  responseWhileStopping,
  responseWithoutDatabase,
  responseWithoutTable,
  expectRetry,
} from '../support/outages.js';
import { DATABASE_UNAVAILABLE, FAILED, outcome, STOPPING } from '../properties/outcome.js';
import type { HttpResponse } from '../support/http/http-response.js';
import type { Client } from '../support/http/client.js';
import { startApp } from '../support/start-app.js';
import { DEPRECATION, deprecationOf, NO_DEPRECATION } from './deprecation.js';

interface Operation {
  readonly name: string;
  readonly call: (api: Client) => Promise<HttpResponse>;
  /** The same request for a raw connection, without the key. */
  readonly head: readonly string[];
  readonly deprecation: object;
}

const OPERATIONS: Operation[] = [
  {
    name: 'GET /pets',
    call: (api) => api.get('/v1/pets'),
    head: ['GET /v1/pets HTTP/1.1'],
    deprecation: NO_DEPRECATION,
  },
  {
    name: 'POST /pets',
    call: (api) => api.post('/v1/pets', { name: 'Rex', categoryId: 7 }),
    head: ['POST /v1/pets HTTP/1.1', 'Content-Length: 0'],
    deprecation: NO_DEPRECATION,
  },
  {
    name: 'GET /pets/{petId}',
    call: (api) => api.get('/v1/pets/1'),
    head: ['GET /v1/pets/1 HTTP/1.1'],
    deprecation: DEPRECATION,
  },
];

describe.each(OPERATIONS)('$name', ({ call, head, deprecation }) => {
  it('returns 503 with Retry-After while the database is unavailable', async () => {
    const response = await responseWithoutDatabase(call);
    expectRetry(response, DATABASE_UNAVAILABLE);
    expect(deprecationOf(response)).toStrictEqual(deprecation);
  });

  it('returns 503 with Retry-After while the service is stopping', async () => {
    const response = await responseWhileStopping(await startApp(), head);
    expectRetry(response, STOPPING);
    expect(response.header('connection')).toBe('close');
    expect(deprecationOf(response)).toStrictEqual(deprecation);
  });

  it('returns a fixed message for an internal error', async () => {
    const response = await responseWithoutTable('pets', call);
    expect(outcome(response)).toStrictEqual(FAILED);
    expect(deprecationOf(response)).toStrictEqual(deprecation);
  });
});
