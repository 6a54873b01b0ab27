import { beforeAll, describe, expect, it } from '@jest/globals';
import { INVALID_KEY, MISSING_KEY, outcome } from '../properties/outcome.js';
import { addPets, nextTarget, numbered, type Pet, STATUSES, typed } from '../support/pets.js';
import { type StartedApp, startApp } from '../support/start-app.js';
import { servedOperation, servedSchema } from './served-contract.js';

let service: StartedApp;
let pets: Pet[];

beforeAll(async () => {
  service = await startApp();
  pets = await addPets(
    service.api,
    numbered(24).map((pet, index) => ({ ...pet, status: STATUSES[index % 3]! })),
  );
});

describe('GET /pets', () => {
  it('GET /pets (operation `listPets`)', async () => {
    const { method, path } = await servedOperation(service.api, 'listPets');
    expect(`${method} ${path}`).toBe('GET /pets');
  });

  it('Returns a paginated list of animals.', async () => {
    const first = await service.api.get('/v1/pets');
    const second = await service.api.get(nextTarget(first)!);
    expect([first, second].map(outcome)).toStrictEqual([
      { status: 200, body: pets.slice(0, 20) },
      { status: 200, body: pets.slice(20) },
    ]);
    expect(nextTarget(second)).toBeUndefined();
  });

  it('`limit` of `GET /pets` is an integer and not required, minimum 1, maximum 100, default 20: maximum number of animals returned', async () => {
    const { parameters } = await servedOperation(service.api, 'listPets');
    expect(parameters!.find(({ name }) => name === 'limit')).toStrictEqual({
      name: 'limit',
      in: 'query',
      description: 'Maximum number of animals returned.',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      example: 20,
    });
    const response = await service.api.call.listPets({ query: { limit: 3 } });
    expect(outcome(response)).toStrictEqual({ status: 200, body: typed(pets.slice(0, 3)) });
    expect((await service.api.get('/v1/pets?limit=24.0')).status).toBe(400);
  });

  it('`status` of `GET /pets` is a PetStatus and not required, one of `available`, `pending`, `sold`: filters by availability', async () => {
    const { parameters } = await servedOperation(service.api, 'listPets');
    expect(parameters!.find(({ name }) => name === 'status')).toStrictEqual({
      name: 'status',
      in: 'query',
      description: expect.stringMatching(/^Filters by availability\./),
      schema: await servedSchema(service.api, 'PetStatus'),
      example: 'available',
    });
    const targets = ['available', 'pending', 'sold', 'lost'].map((status) => `/v1/pets?status=${status}`);
    const responses = await Promise.all(targets.map((target) => service.api.get(target)));
    expect(responses.map(({ status }) => status)).toStrictEqual([200, 200, 200, 400]);
  });

  it('`GET /pets` returns 200 with Pets (array of Pet): the page of animals', async () => {
    const { responses: declared } = await servedOperation(service.api, 'listPets');
    expect(declared['200']).toMatchObject({ description: 'The page of animals.' });
    expect(declared['200']!.content!['application/json']!.schema).toStrictEqual(
      await servedSchema(service.api, 'Pets'),
    );
    const response = await service.api.call.listPets({ query: { limit: 100 } });
    expect(outcome(response)).toStrictEqual({ status: 200, body: typed(pets) });
  });

  it('`GET /pets` returns 401 with Error: missing or invalid API key', async () => {
    const { responses: declared } = await servedOperation(service.api, 'listPets');
    expect(declared['401']).toMatchObject({ description: 'Missing or invalid API key.' });
    const responses = [
      await service.api.get('/v1/pets', { key: null }),
      await service.api.callsWith('invalid').listPets(),
    ];
    expect(responses.map(outcome)).toStrictEqual([MISSING_KEY, INVALID_KEY]);
  });

  it('When `status` is given, only animals with that status are listed.', async () => {
    const responses = await Promise.all(STATUSES.map((status) => service.api.call.listPets({ query: { status } })));
    expect(responses.map(outcome)).toStrictEqual(
      STATUSES.map((status) => ({ status: 200, body: typed(pets.filter((pet) => pet.status === status)) })),
    );
  });

  it('When `limit` is omitted, at most 20 animals are returned.', async () => {
    const response = await service.api.call.listPets();
    expect(outcome(response)).toStrictEqual({ status: 200, body: typed(pets.slice(0, 20)) });
  });
});
