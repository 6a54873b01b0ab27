import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectHeadAsGet } from '../support/http/head.js';
import {
  INVALID_KEY,
  methodNotAllowed,
  MISSING_KEY,
  noResourceAt,
  outcome,
  petNotFound,
} from '../properties/outcome.js';
import { addPets, type Pet } from '../support/pets.js';
import { type StartedApp, startApp } from '../support/start-app.js';
import { DEPRECATION, deprecationOf, NO_DEPRECATION } from './deprecation.js';

describe('GET /pets/{petId}', () => {
  let service: StartedApp;
  let pets: Pet[];

  beforeAll(async () => {
    service = await startApp();
    pets = await addPets(service.api, [{ name: 'Rex', status: 'sold' }, { name: 'Tom' }]);
  });

  it('returns the pet', async () => {
    expect(outcome(await service.api.call.getPet({ path: { petId: 1n } }))).toStrictEqual({
      status: 200,
      body: { id: 1n, name: 'Rex', categoryId: 7n, status: 'sold' },
    });
  });

  it('returns no status when it was omitted on creation', async () => {
    expect(outcome(await service.api.call.getPet({ path: { petId: 2n } }))).toStrictEqual({
      status: 200,
      body: { id: 2n, name: 'Tom', categoryId: 7n },
    });
  });

  it.each(['%31', '1?', '1?limit=0&status=lost', '1?petId=2', '1?x=/2'])('finds pet 1 as %s', async (petId) => {
    expect(outcome(await service.api.get(`/v1/pets/${petId}`))).toStrictEqual({ status: 200, body: pets[0] });
  });

  it.each([0n, -1n, 3n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)])('returns 404 for the id %s', async (petId) => {
    expect(outcome(await service.api.call.getPet({ path: { petId } }))).toStrictEqual(petNotFound(petId));
  });

  it.each([
    '-0',
    '9223372036854775808',
    '-9223372036854775809',
    '18446744073709551617',
    '1'.repeat(40),
    '01',
    '001',
    '+1',
    '1.0',
    '1.5',
    '1.',
    '.1',
    '1e0',
    '1e3',
    '0x1',
    '0b1',
    '1n',
    '1_0',
    '1,0',
    'abc',
    'NaN',
    'Infinity',
    'null',
    'undefined',
    'true',
    '{petId}',
    ':petId',
    '__proto__',
    'constructor',
    'toString',
    '*',
    '...',
    '1;x=1',
    '1,2',
    "1'--",
  ])('returns 404 for the id %s', async (petId) => {
    expect(outcome(await service.api.get(`/v1/pets/${petId}`))).toStrictEqual(petNotFound(petId));
  });

  it.each([
    ['%20', ' '],
    ['1%20', '1 '],
    ['%201', ' 1'],
    ['1%0A', '1\n'],
    ['1%00', '1\0'],
    ['%00', '\0'],
    ['1%2F', '1/'],
    ['1%2F2', '1/2'],
    ['..%2F1', '../1'],
    ['1%3Fx', '1?x'],
    ['%2531', '%31'],
    ['%D9%A1', '١'],
    ['%EF%BC%91', '１'],
    ['%F0%9F%A6%8A', '🦊'],
    ['%22%3Cb%3E', '"<b>'],
  ])('returns 404 for the id %s, which decodes to "%s"', async (petId, decoded) => {
    expect(outcome(await service.api.get(`/v1/pets/${petId}`))).toStrictEqual(petNotFound(decoded));
  });

  it.each(['%', '1%', '%1', '%zz', '1%zz', '%FF', '%C0%80', '%ED%A0%80', '%u0031'])(
    'returns 404 for the id %s, which cannot be decoded',
    async (petId) => {
      expect(outcome(await service.api.get(`/v1/pets/${petId}`))).toStrictEqual(petNotFound(petId));
    },
  );

  it.each(['', '1/', '/1', '1//', '1/1', '1/name', './1', '../pets/1'])(
    'returns 404 for the path /v1/pets/%s',
    async (rest) => {
      expect(outcome(await service.api.get(`/v1/pets/${rest}`))).toStrictEqual(noResourceAt(`/v1/pets/${rest}`));
    },
  );

  it('ignores a body', async () => {
    const response = await service.api.request('GET', '/v1/pets/1', { body: '{"id":2' });
    expect(outcome(response)).toStrictEqual({ status: 200, body: pets[0] });
  });

  it('forbids caching', async () => {
    expect((await service.api.get('/v1/pets/1')).header('cache-control')).toBe('no-store');
  });

  it.each(['/v1/pets/1', '/v1/pets/2', '/v1/pets/3', '/v1/pets/abc', '/v1/pets/%zz', '/v1/pets/'])(
    'responds to HEAD %s like GET, without the body',
    (target) => expectHeadAsGet(service.api, target),
  );

  describe('deprecation headers', () => {
    it('are sent with 200', async () => {
      const response = await service.api.get('/v1/pets/1');
      expect(response.status).toBe(200);
      expect(deprecationOf(response)).toStrictEqual(DEPRECATION);
      const { headers, status } = await service.api.call.getPet({ path: { petId: 1n } });
      const sunset = headers.get('Sunset');
      expect([status, sunset]).toStrictEqual([200, 'Thu, 05 Dec 2030 00:00:00 GMT']);
    });

    it.each([
      [null, MISSING_KEY],
      ['wrong', INVALID_KEY],
    ])('are sent with 401 for the key %s', async (key, expected) => {
      const response = await service.api.get('/v1/pets/1', { key });
      expect(outcome(response)).toStrictEqual(expected);
      expect(deprecationOf(response)).toStrictEqual(DEPRECATION);
    });

    it.each(['3', 'abc', '9223372036854775808'])('are sent with 404 for the id %s', async (petId) => {
      const response = await service.api.get(`/v1/pets/${petId}`);
      expect(outcome(response)).toStrictEqual(petNotFound(petId));
      expect(deprecationOf(response)).toStrictEqual(DEPRECATION);
    });

    it.each<[number, string, string | null | undefined]>([
      [200, '1', undefined],
      [401, '1', null],
      [404, '3', undefined],
    ])('are sent with %i in response to HEAD', async (status, petId, key) => {
      const response = await service.api.head(`/v1/pets/${petId}`, { key });
      expect(response.status).toBe(status);
      expect(deprecationOf(response)).toStrictEqual(DEPRECATION);
    });

    it('are sent with no other operation, and not outside of operations', async () => {
      const { api } = service;
      const responses = [
        await api.get('/v1/pets'),
        await api.get('/v1/pets?limit=0'),
        await api.get('/v1/pets', { key: null }),
        await api.head('/v1/pets'),
        await api.post('/v1/pets', { name: 'Kit', categoryId: 7 }),
        await api.post('/v1/pets', {}),
        await api.post('/v1/pets', {}, { key: null }),
        await api.request('OPTIONS', '/v1/pets/1'),
        await api.request('DELETE', '/v1/pets/1'),
        await api.get('/v1/pets/1/'),
        await api.get('/v1/dogs'),
      ];
      expect(responses.map(({ status }) => status)).toStrictEqual([
        200, 400, 401, 200, 201, 400, 401, 204, 405, 404, 404,
      ]);
      expect(responses.map(deprecationOf)).toStrictEqual(responses.map(() => NO_DEPRECATION));
    });
  });
});

describe('/pets/{petId}', () => {
  const ALLOW = 'GET, HEAD, OPTIONS';

  it.each(['1', '2', 'abc'])('lists its methods in response to OPTIONS without a key, for %s', async (petId) => {
    const { api } = await startApp();
    const { status, bytes, headers } = await api.request('OPTIONS', `/v1/pets/${petId}`, { key: null });
    expect({ status, length: bytes.length, allow: headers.allow }).toStrictEqual({
      status: 204,
      length: 0,
      allow: [ALLOW],
    });
  });

  it('rejects every other method with 405, so that no pet can be changed or removed', async () => {
    const { api } = await startApp();
    await addPets(api, [{ name: 'Rex', status: 'available' }]);
    const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'M-SEARCH'];
    const responses = [];
    for (const method of methods) responses.push(await api.request(method, '/v1/pets/1', { body: { status: 'sold' } }));
    expect(responses.map(outcome)).toStrictEqual(
      methods.map((method) => methodNotAllowed(method, '/v1/pets/1', ALLOW)),
    );
    expect(responses.map(({ headers }) => headers.allow)).toStrictEqual(methods.map(() => [ALLOW]));
    expect((await api.get('/v1/pets/1')).json).toStrictEqual({
      id: 1,
      name: 'Rex',
      categoryId: 7,
      status: 'available',
    });
  });
});
