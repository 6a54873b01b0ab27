import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectHeadAsGet } from '../../support/http/head.js';
import {
  badRequest,
  CURSOR_VIOLATED,
  LIMIT_VIOLATED,
  methodNotAllowed,
  outcome,
  STATUS_VIOLATED,
} from '../../properties/outcome.js';
import { addCatalogue, addPets, nextTarget, type Pet, STATUSES, typed, walk } from '../../support/pets.js';
import { type StartedApp, startApp } from '../../support/start-app.js';

describe('GET /pets', () => {
  let service: StartedApp;
  let pets: Pet[];

  beforeAll(async () => {
    service = await startApp();
    pets = await addCatalogue(service.api);
  });

  it('returns an empty list for an empty store', async () => {
    const { api } = await startApp();
    const response = await api.call.listPets();
    expect(outcome(response)).toStrictEqual({ status: 200, body: [] });
    expect(response.status === 200 && response.headers.get('Link')).toBeNull();
  });

  it('lists pets of every status in ascending order of id', async () => {
    const response = await service.api.call.listPets({ query: { limit: 100 } });
    expect(outcome(response)).toStrictEqual({ status: 200, body: typed(pets.slice(0, 100)) });
  });

  it('returns no status when it was omitted on creation', async () => {
    const { api } = await startApp();
    await addPets(api, [{ name: 'Tom' }]);
    const response = await api.call.listPets();
    expect(outcome(response)).toStrictEqual({ status: 200, body: [{ id: 1n, name: 'Tom', categoryId: 7n }] });
  });

  describe('limit', () => {
    it('lists the first 20 pets when it is omitted', async () => {
      const response = await service.api.call.listPets();
      expect(outcome(response)).toStrictEqual({ status: 200, body: typed(pets.slice(0, 20)) });
    });

    it.each([1, 2, 20, 99, 100])('of %i lists as many pets', async (limit) => {
      const response = await service.api.call.listPets({ query: { limit } });
      expect(outcome(response)).toStrictEqual({ status: 200, body: typed(pets.slice(0, limit)) });
    });

    it.each([
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
    ])('rejects limit=%s', async (limit) => {
      expect(outcome(await service.api.get(`/v1/pets?limit=${limit}`))).toStrictEqual(badRequest(LIMIT_VIOLATED));
    });

    it('rejects a limit without a value', async () => {
      expect(outcome(await service.api.get('/v1/pets?limit'))).toStrictEqual(badRequest(LIMIT_VIOLATED));
    });

    it.each([
      ['with the same value', 'limit=5&limit=5'],
      ['with another value', 'limit=5&limit=6'],
      ['after an empty one', 'limit=&limit=5'],
      ['a thousand parameters after the first', `limit=5&${'a&'.repeat(1000)}limit=5`],
    ])('rejects a second limit %s', async (_, query) => {
      const response = await service.api.get(`/v1/pets?${query}`);
      expect(outcome(response)).toStrictEqual(badRequest('limit must be given once'));
    });
  });

  describe('status', () => {
    it.each(STATUSES)('lists only pets that are %s', async (status) => {
      const response = await service.api.call.listPets({ query: { status, limit: 100 } });
      const expected = typed(pets.filter((pet) => pet.status === status));
      expect(outcome(response)).toStrictEqual({ status: 200, body: expected });
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
    ])('rejects status=%s', async (status) => {
      expect(outcome(await service.api.get(`/v1/pets?status=${status}`))).toStrictEqual(badRequest(STATUS_VIOLATED));
    });

    it.each(['available', 'sold'])('rejects status=available with a second status=%s', async (second) => {
      const response = await service.api.get(`/v1/pets?status=available&status=${second}`);
      expect(outcome(response)).toStrictEqual(badRequest('status must be given once'));
    });
  });

  it('reports each violation', async () => {
    const response = await service.api.get('/v1/pets?status=lost&limit=0&cursor=x');
    expect(outcome(response)).toStrictEqual(badRequest(`${LIMIT_VIOLATED}; ${STATUS_VIOLATED}; ${CURSOR_VIOLATED}`));
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
    const response = await service.api.get(`/v1/pets?${parameter}`);
    expect(outcome(response)).toStrictEqual({ status: 200, body: pets.slice(0, 20) });
    expect(nextTarget(response)).toMatch(/^\/v1\/pets\?limit=20&cursor=[\w-]+$/);
  });

  it('has no rate limit: one key may send 300 requests in a row', async () => {
    const responses = [];
    for (let count = 0; count < 300; count += 1)
      responses.push(await service.api.call.listPets({ query: { limit: 1 } }));
    const first = typed(pets.slice(0, 1));
    expect(responses.map(outcome)).toStrictEqual(responses.map(() => ({ status: 200, body: first })));
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
      const response = await service.api.get('/v1/pets?limit=1', { headers: { accept } });
      expect(outcome(response)).toStrictEqual({ status: 200, body: pets.slice(0, 1) });
      expect(response.header('content-type')).toBe('application/json');
    },
  );

  it('ignores a body', async () => {
    const response = await service.api.request('GET', '/v1/pets?limit=1', { body: '{"limit":' });
    expect(outcome(response)).toStrictEqual({ status: 200, body: pets.slice(0, 1) });
  });

  it.each(['/v1/pets', '/v1/pets?limit=3&status=sold', '/v1/pets?limit=0', '/v1/pets?cursor=x'])(
    'responds to HEAD %s like GET, without the body',
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
    const responses = [];
    for (const method of methods) responses.push(await api.request(method, '/v1/pets?limit=0'));
    expect(responses.map(outcome)).toStrictEqual(methods.map((method) => methodNotAllowed(method, '/v1/pets', ALLOW)));
    expect(responses.map(({ headers }) => headers.allow)).toStrictEqual(methods.map(() => [ALLOW]));
  });
});
