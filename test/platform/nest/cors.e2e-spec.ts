import { beforeAll, describe, expect, it } from '@jest/globals';
import { INVALID_KEY, noResourceAt, outcome } from '../../properties/outcome.js';
import { addPets, numbered } from '../../support/pets.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import { startToys } from './toys/start-toys.js';
import { type StartedApp, startApp } from '../../support/start-app.js';

const SHOP = 'https://shop.example';
const OTHER_SHOP = 'https://other-shop.example:8443';
const STRANGER = 'https://stranger.example';

const PREFLIGHT = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};

/** The headers that a browser checks before it lets a page read a response. */
function corsHeaders({ headers }: HttpResponse): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
}

function words(values: readonly string[] | undefined): string[] {
  return (values ?? []).flatMap((value) => value.split(/, */)).toSorted();
}

describe('a page of another origin', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  it('gets no permission for a simple request', async () => {
    const response = await service.api.get('/v1/pets', { headers: { origin: SHOP } });
    expect(outcome(response)).toStrictEqual({ status: 200, body: [] });
    expect(corsHeaders(response)).toStrictEqual({});
    expect(response.headers.vary).toBeUndefined();
  });

  it('gets no permission from a preflight', async () => {
    const headers = { origin: SHOP, ...PREFLIGHT };
    const response = await service.api.request('OPTIONS', '/v1/pets', { key: null, headers });
    expect([response.status, response.headers.allow]).toStrictEqual([204, ['GET, HEAD, OPTIONS, POST']]);
    expect(corsHeaders(response)).toStrictEqual({});
  });
});

describe('a page of a configured origin', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp({ corsOrigins: [SHOP, OTHER_SHOP] });
    await addPets(service.api, numbered(2));
  });

  const get = (target: string, origin: string, key?: string | null) =>
    service.api.get(target, { headers: { origin }, ...(key !== undefined && { key }) });
  const preflight = (target: string, origin: string, headers = PREFLIGHT) =>
    service.api.request('OPTIONS', target, { key: null, headers: { origin, ...headers } });

  it.each([SHOP, OTHER_SHOP])('may read responses: %s', async (origin) => {
    const response = await get('/v1/pets?limit=1', origin);
    expect(response.status).toBe(200);
    expect(response.headers['access-control-allow-origin']).toStrictEqual([origin]);
    expect(words(response.headers.vary)).toContain('Origin');
  });

  it('may read the header fields that the contract declares', async () => {
    const response = await get('/v1/pets?limit=1', SHOP);
    expect(words(response.headers['access-control-expose-headers'])).toStrictEqual(
      [
        'Allow',
        'Deprecation',
        'Link',
        'Location',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'Sunset',
        'WWW-Authenticate',
        'X-Request-Id',
      ].toSorted(),
    );
  });

  it('may read the header fields that the contract of other features declares', async () => {
    const { api } = await startToys({ corsOrigins: [SHOP] });
    const response = await api.get('/v1/open-toys', { headers: { origin: SHOP } });
    const exposed = words(response.headers['access-control-expose-headers']).map((name) => name.toLowerCase());
    expect(exposed).toEqual(expect.arrayContaining(['allow', 'link', 'x-color', 'x-observed', 'x-request-id']));
    expect(new Set(exposed).size).toBe(exposed.length);
  });

  it('may read error responses', async () => {
    const responses = [await get('/v1/pets', SHOP, 'wrong'), await get('/v1/dogs', SHOP)];
    expect(responses.map(outcome)).toStrictEqual([INVALID_KEY, noResourceAt('/v1/dogs')]);
    expect(responses.map(({ headers }) => headers['access-control-allow-origin'])).toStrictEqual([[SHOP], [SHOP]]);
  });

  it.each(['/v1/pets', '/v1/pets/1'])('gets its permissions from a preflight without a key: %s', async (target) => {
    const response = await preflight(target, SHOP);
    expect([response.status, response.bytes.length]).toStrictEqual([204, 0]);
    expect(response.headers['access-control-allow-origin']).toStrictEqual([SHOP]);
    expect(words(response.headers['access-control-allow-headers'])).toStrictEqual(['authorization', 'content-type']);
    expect(words(response.headers['access-control-allow-methods'])).toEqual(expect.arrayContaining(['GET', 'POST']));
    expect(words(response.headers.vary)).toContain('Origin');
  });

  it('may add a pet', async () => {
    const response = await service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { headers: { origin: SHOP } });
    expect(response.status).toBe(201);
    expect(response.headers['access-control-allow-origin']).toStrictEqual([SHOP]);
  });

  it('may not send cookies, because the service does not use them', async () => {
    const responses = [await get('/v1/pets', SHOP), await preflight('/v1/pets', SHOP)];
    expect(responses.map(({ headers }) => headers['access-control-allow-credentials'])).toStrictEqual([
      undefined,
      undefined,
    ]);
  });

  it.each([STRANGER, `${SHOP}.stranger.example`, 'http://shop.example', `${SHOP}:444`, 'null', '*'])(
    'does not share its permissions with %s',
    async (origin) => {
      const responses = [await get('/v1/pets', origin), await preflight('/v1/pets', origin)];
      expect(responses.map(({ headers }) => headers['access-control-allow-origin'])).toStrictEqual([
        undefined,
        undefined,
      ]);
    },
  );

  it('does not affect other callers: OPTIONS lists the methods', async () => {
    const { status, headers } = await service.api.request('OPTIONS', '/v1/pets', { key: null });
    expect([status, headers.allow]).toStrictEqual([204, ['GET, HEAD, OPTIONS, POST']]);
  });
});
