import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectHeadAsGet } from '../support/http/head.js';
import {
  responseWhileStopping,
  responseWithoutDatabase,
  responseWithoutPets,
  expectRetry,
} from '../support/outages.js';
import {
  badRequest,
  CURSOR_VIOLATED,
  DATABASE_UNAVAILABLE,
  FAILED,
  LIMIT_VIOLATED,
  methodNotAllowed,
  outcome,
  STATUS_VIOLATED,
  STOPPING,
} from '../properties/outcome.js';
import { addCatalogue, nextTarget, type Pet, STATUSES, walk } from '../support/pets.js';
import { type StartedApp, startApp } from '../support/start-app.js';

describe('GET /pets', () => {
  let service: StartedApp;
  let pets: Pet[];

  beforeAll(async () => {
    service = await startApp();
    pets = await addCatalogue(service.api);
  });

  it('returns an empty list for an empty store', async () => {
    const { api } = await startApp();
    const answer = await api.get('/v1/pets');
    expect(outcome(answer)).toStrictEqual({ status: 200, body: [] });
    expect(answer.header('link')).toBeUndefined();
  });

  it('lists pets of every status in ascending order of id', async () => {
    const answer = await service.api.get('/v1/pets?limit=100');
    expect(outcome(answer)).toStrictEqual({ status: 200, body: pets.slice(0, 100) });
  });

  it('returns no status when it was omitted on creation', async () => {
    const { api } = await startApp();
    await api.post('/v1/pets', { name: 'Tom', categoryId: 1 });
    const answer = await api.get('/v1/pets');
    expect(outcome(answer)).toStrictEqual({ status: 200, body: [{ id: 1, name: 'Tom', categoryId: 1 }] });
  });

  describe('limit', () => {
    it.each([
      ['', 20],
      ['?limit=1', 1],
      ['?limit=2', 2],
      ['?limit=20', 20],
      ['?limit=99', 99],
      ['?limit=100', 100],
      ['?limit=%31%30', 10],
      ['?%6Cimit=10', 10],
    ])('with the query "%s" lists the first %i pets', async (query, count) => {
      expect(outcome(await service.api.get(`/v1/pets${query}`))).toStrictEqual({
        status: 200,
        body: pets.slice(0, count),
      });
    });

    it.each([
      '0',
      '101',
      '-1',
      '-0',
      '-9223372036854775808',
      '9007199254740993',
      '9223372036854775808',
      '1'.repeat(40),
      '1.5',
      '1.0',
      '',
      '05',
      '%2B5',
      '+5',
      '%205',
      '5%20',
      '5%0A',
      '5%00',
      '1e1',
      '1E1',
      '0x10',
      '0b1',
      '1_0',
      '1,0',
      'abc',
      'NaN',
      'Infinity',
      'null',
      'true',
      '%D9%A5',
      '%EF%BC%95',
      '%zz',
      '%FF',
      '5&limit=5',
      '5&limit=6',
      '&limit=5',
    ])('rejects limit=%s', async (limit) => {
      expect(outcome(await service.api.get(`/v1/pets?limit=${limit}`))).toStrictEqual(badRequest(LIMIT_VIOLATED));
    });

    it('rejects a limit without a value', async () => {
      expect(outcome(await service.api.get('/v1/pets?limit'))).toStrictEqual(badRequest(LIMIT_VIOLATED));
    });

    it('rejects a second limit a thousand parameters after the first', async () => {
      const query = `limit=5&${'a&'.repeat(1000)}limit=5`;
      expect(outcome(await service.api.get(`/v1/pets?${query}`))).toStrictEqual(badRequest(LIMIT_VIOLATED));
    });
  });

  describe('status', () => {
    it.each(STATUSES)('lists only pets that are %s', async (status) => {
      const answer = await service.api.get(`/v1/pets?status=${status}&limit=100`);
      expect(outcome(answer)).toStrictEqual({ status: 200, body: pets.filter((pet) => pet.status === status) });
    });

    it('never matches a pet without a status', async () => {
      const found = await Promise.all(STATUSES.map((status) => walk(service.api, `/v1/pets?status=${status}`)));
      expect(found.flat()).toStrictEqual(pets.filter((pet) => pet.status !== undefined));
    });

    it.each([
      '',
      'unknown',
      'Available',
      'AVAILABLE',
      'available%20',
      '%20available',
      '+available',
      'available%00',
      'available,sold',
      '%22available%22',
      'null',
      'undefined',
      '0',
      '__proto__',
      'constructor',
      'toString',
      'available&status=available',
      'available&status=sold',
    ])('rejects status=%s', async (status) => {
      expect(outcome(await service.api.get(`/v1/pets?status=${status}`))).toStrictEqual(badRequest(STATUS_VIOLATED));
    });
  });

  it('reports each violation', async () => {
    const answer = await service.api.get('/v1/pets?status=lost&limit=0&cursor=x');
    expect(outcome(answer)).toStrictEqual(badRequest(`${LIMIT_VIOLATED}; ${STATUS_VIOLATED}; ${CURSOR_VIOLATED}`));
  });

  it.each([
    'page=2',
    'offset=3',
    'Limit=0',
    'LIMIT=0',
    'limit[]=0',
    'limit%5B%5D=0',
    'limit.x=0',
    'Status=lost',
    'status[]=lost',
    'name=pet%201',
    'categoryId=8',
    'id=1',
    '__proto__=1',
    '__proto__[limit]=1',
    'constructor=1',
    'hasOwnProperty=1',
    'toString',
    '=',
    '=1',
    '&&',
    '%zz=%zz',
    '?limit=0',
  ])('ignores the undeclared parameter %s', async (parameter) => {
    const answer = await service.api.get(`/v1/pets?${parameter}`);
    expect(outcome(answer)).toStrictEqual({ status: 200, body: pets.slice(0, 20) });
    expect(nextTarget(answer)).toMatch(/^\/v1\/pets\?limit=20&cursor=[\w-]+$/);
  });

  it('has no rate limit: one key may send 300 requests in a row', async () => {
    const answers = [];
    for (let count = 0; count < 300; count += 1) answers.push(await service.api.get('/v1/pets?limit=1'));
    expect(answers.map(outcome)).toStrictEqual(answers.map(() => ({ status: 200, body: pets.slice(0, 1) })));
  });

  it('sends no deprecation headers', async () => {
    const { deprecation, sunset, link } = (await service.api.get('/v1/pets?limit=100&status=sold')).headers;
    expect({ deprecation, sunset, link }).toStrictEqual({ deprecation: undefined, sunset: undefined, link: undefined });
  });

  it('forbids caching', async () => {
    expect((await service.api.get('/v1/pets')).header('cache-control')).toBe('no-store');
  });

  it.each(['*/*', 'application/json', 'text/html', 'application/xml;q=1, application/json;q=0', 'nonsense', ''])(
    'returns JSON for Accept: %s',
    async (accept) => {
      const answer = await service.api.get('/v1/pets?limit=1', { headers: { accept } });
      expect(outcome(answer)).toStrictEqual({ status: 200, body: pets.slice(0, 1) });
      expect(answer.header('content-type')).toBe('application/json');
    },
  );

  it('ignores a body', async () => {
    const answer = await service.api.request('GET', '/v1/pets?limit=1', { body: '{"limit":' });
    expect(outcome(answer)).toStrictEqual({ status: 200, body: pets.slice(0, 1) });
  });

  it('returns 503 with Retry-After while the database is unavailable', async () => {
    expectRetry(await responseWithoutDatabase((api) => api.get('/v1/pets')), DATABASE_UNAVAILABLE);
  });

  it('returns 503 with Retry-After while the service is stopping', async () => {
    const answer = await responseWhileStopping(await startApp(), ['GET /v1/pets HTTP/1.1']);
    expectRetry(answer, STOPPING);
    expect(answer.header('connection')).toBe('close');
  });

  it('returns a fixed message for an internal error', async () => {
    expect(outcome(await responseWithoutPets((api) => api.get('/v1/pets')))).toStrictEqual(FAILED);
  });

  it.each(['/v1/pets', '/v1/pets?limit=3&status=sold', '/v1/pets?limit=0', '/v1/pets?cursor=x'])(
    'answers HEAD %s like GET, without the body',
    (target) => expectHeadAsGet(service.api, target),
  );
});

describe('/pets', () => {
  const ALLOW = 'GET, HEAD, OPTIONS, POST';

  it('lists its methods in response to OPTIONS without a key', async () => {
    const { api } = await startApp();
    const { status, bytes, headers } = await api.request('OPTIONS', '/v1/pets', { key: null });
    expect({ status, length: bytes.length, allow: headers.allow }).toStrictEqual({
      status: 204,
      length: 0,
      allow: [ALLOW],
    });
  });

  it('rejects every other method with 405', async () => {
    const { api } = await startApp();
    const methods = ['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'M-SEARCH', 'QUERY'];
    const answers = [];
    for (const method of methods) answers.push(await api.request(method, '/v1/pets?limit=0'));
    expect(answers.map(outcome)).toStrictEqual(methods.map((method) => methodNotAllowed(method, '/v1/pets', ALLOW)));
    expect(answers.map(({ headers }) => headers.allow)).toStrictEqual(methods.map(() => [ALLOW]));
  });
});
