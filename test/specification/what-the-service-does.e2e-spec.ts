import { beforeAll, describe, expect, it } from '@jest/globals';
import { operationsOf } from '../contract/contract.js';
import { MISSING_KEY, NO_JSON, outcome } from '../properties/outcome.js';
import { addPets, typed } from '../support/pets.js';
import { type StartedApp, startApp } from '../support/start-app.js';
import { servedContract, servedOperation } from './served-contract.js';

describe('Pet Store Service Specification', () => {
  it('This document covers the whole service: an HTTP/JSON interface for listing, adding and fetching animals in a pet store.', async () => {
    const { api } = await startApp();
    const ofPets = operationsOf(await servedContract(api)).filter(({ tags }) => tags?.includes('pets'));
    expect(ofPets.map(({ name }) => name)).toStrictEqual(['listPets', 'createPet', 'getPet']);
  });
});

describe('What the service does', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  it('The service keeps a catalogue of animals offered by a store.', async () => {
    const { api } = await startApp();
    const pets = await addPets(api, [{ name: 'Rex' }, { name: 'Tom' }, { name: 'Ada' }]);
    expect(outcome(await api.call.listPets())).toStrictEqual({ status: 200, body: typed(pets) });
  });

  it('Clients can list animals (with a page-size limit and an availability filter), add an animal, and fetch one animal by its identifier.', async () => {
    const { call } = (await startApp()).api;
    const rex = await call.createPet({ body: { name: 'Rex', categoryId: 7n, status: 'sold' } });
    const tom = await call.createPet({ body: { name: 'Tom', categoryId: 7n, status: 'available' } });
    expect([rex.status, tom.status]).toStrictEqual([201, 201]);
    const responses = [
      await call.listPets({ query: { limit: 1 } }),
      await call.listPets({ query: { status: 'available' } }),
      await call.getPet({ path: { petId: 2n } }),
    ];
    expect(responses.map(outcome)).toStrictEqual([
      { status: 200, body: [rex.body] },
      { status: 200, body: [tom.body] },
      { status: 200, body: tom.body },
    ]);
  });

  it('The last operation is deprecated.', async () => {
    const { deprecated } = await servedOperation(service.api, 'getPet');
    expect(deprecated).toBe(true);
    expect((await service.api.get('/v1/pets/1')).header('deprecation')).toBe('@1795132800');
  });

  it('Wire format: JSON (`application/json`) for request and response bodies.', async () => {
    const { api } = await startApp();
    const responses = [
      await api.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { headers: { 'content-type': 'application/json' } }),
      await api.post('/v1/pets', 'name=Rex', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
      await api.get('/v1/pets'),
      await api.get('/v1/pets/1'),
      await api.get('/v1/pets/2'),
    ];
    expect(responses.map(outcome)).toStrictEqual([
      { status: 201, body: { id: 1, name: 'Rex', categoryId: 7 } },
      NO_JSON,
      { status: 200, body: [{ id: 1, name: 'Rex', categoryId: 7 }] },
      { status: 200, body: { id: 1, name: 'Rex', categoryId: 7 } },
      expect.objectContaining({ status: 404 }),
    ]);
    expect(responses.map((response) => response.header('content-type'))).toStrictEqual(
      responses.map(() => 'application/json'),
    );
  });

  it('Base address: `{base_url}`.', async () => {
    const { servers } = await servedContract(service.api);
    expect(servers![0]!.url).toBe('{base_url}');
  });

  it('The address ends with the version segment `/v1`.', async () => {
    const { servers } = await servedContract(service.api);
    expect(servers!.map(({ variables }) => Object.values(variables!)[0]!.default)).toStrictEqual([
      '/v1',
      expect.stringMatching(/^https:\/\/[^/]+\/v1$/),
    ]);
    expect((await service.api.get('/v1/pets')).status).toBe(200);
    expect((await service.api.get('/pets')).status).toBe(404);
  });

  it('A separate staging environment exists at `{staging_base_url}` with the same paths.', async () => {
    const { servers, paths } = await servedContract(service.api);
    expect(servers!.map(({ url }) => url)).toStrictEqual(['{base_url}', '{staging_base_url}']);
    // A path with servers of its own would not exist at both.
    expect(Object.values(paths).filter((item) => 'servers' in item)).toStrictEqual([]);
  });

  it('All operations require authentication (see Authentication).', async () => {
    const keyless = { key: null };
    const responses = [
      await service.api.get('/v1/pets', keyless),
      await service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 }, keyless),
      await service.api.get('/v1/pets/1', keyless),
    ];
    expect(responses.map(outcome)).toStrictEqual([MISSING_KEY, MISSING_KEY, MISSING_KEY]);
  });
});
