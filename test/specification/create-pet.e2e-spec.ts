import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Schemas } from '../../client/src/client.js';
import {
  badRequest,
  CATEGORY_VIOLATED,
  INVALID_KEY,
  MISSING_KEY,
  NO_BODY,
  NO_JSON,
  outcome,
} from '../properties/outcome.js';
import { type StartedApp, startApp } from '../support/start-app.js';
import { servedOperation, servedSchema } from './served-contract.js';

const NEW_PET: Schemas['NewPet'] = { name: 'Rex', categoryId: 7n, status: 'available' };

describe('POST /pets', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  it('POST /pets (operation `createPet`)', async () => {
    const { method, path } = await servedOperation(service.api, 'createPet');
    expect(`${method} ${path}`).toBe('POST /pets');
  });

  it('Adds an animal.', async () => {
    const { api } = await startApp();
    const response = await api.call.createPet({ body: NEW_PET });
    expect(outcome(response)).toStrictEqual({ status: 201, body: { id: 1n, ...NEW_PET } });
    expect(outcome(await api.call.listPets())).toStrictEqual({ status: 200, body: [response.body] });
  });

  it('Request body (required), `application/json`: NewPet.', async () => {
    const { requestBody } = await servedOperation(service.api, 'createPet');
    expect(requestBody!.required).toBe(true);
    expect(Object.keys(requestBody!.content!)).toStrictEqual(['application/json']);
    expect(requestBody!.content!['application/json']!.schema).toStrictEqual(await servedSchema(service.api, 'NewPet'));
    const responses = [
      await service.api.request('POST', '/v1/pets'),
      await service.api.post('/v1/pets', NEW_PET, { headers: { 'content-type': 'text/plain' } }),
    ];
    expect(responses.map(outcome)).toStrictEqual([NO_BODY, NO_JSON]);
  });

  it('`name` and `categoryId` are required.', async () => {
    const responses = [
      await service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 }),
      await service.api.post('/v1/pets', { categoryId: 7 }),
      await service.api.post('/v1/pets', { name: 'Rex' }),
      await service.api.post('/v1/pets', {}),
    ];
    expect(responses.map(outcome)).toStrictEqual([
      { status: 201, body: { id: expect.any(Number), name: 'Rex', categoryId: 7 } },
      badRequest('name is required'),
      badRequest('categoryId is required'),
      badRequest('name is required; categoryId is required'),
    ]);
  });

  it('`POST /pets` returns 201 with Pet: animal added; the body carries the assigned `id`', async () => {
    const { responses: declared } = await servedOperation(service.api, 'createPet');
    expect(declared['201']).toMatchObject({ description: 'Animal added; the body carries the assigned `id`.' });
    const { api } = await startApp();
    const responses = [await api.call.createPet({ body: NEW_PET }), await api.call.createPet({ body: NEW_PET })];
    expect(responses.map(outcome)).toStrictEqual([
      { status: 201, body: { id: 1n, ...NEW_PET } },
      { status: 201, body: { id: 2n, ...NEW_PET } },
    ]);
  });

  it('`POST /pets` returns 400 with Error: body missing required fields or containing invalid values', async () => {
    const { responses: declared } = await servedOperation(service.api, 'createPet');
    expect(declared['400']).toMatchObject({
      description: 'Body missing required fields or containing invalid values.',
    });
    const responses = [
      await service.api.post('/v1/pets', { status: 'available' }),
      await service.api.post('/v1/pets', { name: 'Rex', categoryId: 'seven' }),
    ];
    expect(responses.map(outcome)).toStrictEqual([
      badRequest('name is required; categoryId is required'),
      badRequest(CATEGORY_VIOLATED),
    ]);
  });

  it('`POST /pets` returns 401 with Error: missing or invalid API key', async () => {
    const { responses: declared } = await servedOperation(service.api, 'createPet');
    expect(declared['401']).toMatchObject({ description: 'Missing or invalid API key.' });
    const responses = [
      await service.api.post('/v1/pets', NEW_PET, { key: null }),
      await service.api.callsWith('invalid').createPet({ body: NEW_PET }),
    ];
    expect(responses.map(outcome)).toStrictEqual([MISSING_KEY, INVALID_KEY]);
  });
});
