import { beforeAll, describe, expect, it } from '@jest/globals';
import { INVALID_KEY, MISSING_KEY, outcome, petNotFound } from '../properties/outcome.js';
import { addPets, type Pet, typed } from '../support/pets.js';
import { type StartedApp, startApp } from '../support/start-app.js';
import { servedOperation, servedSchema } from './served-contract.js';

describe('GET /pets/{petId}', () => {
  let service: StartedApp;
  let pets: Pet[];

  beforeAll(async () => {
    service = await startApp();
    pets = await addPets(service.api, [{ name: 'Rex', status: 'available' }, { name: 'Tom' }]);
  });

  it('GET /pets/{petId} (operation `getPet`) - deprecated', async () => {
    const { method, path, deprecated } = await servedOperation(service.api, 'getPet');
    expect({ method, path, deprecated }).toStrictEqual({ method: 'GET', path: '/pets/{petId}', deprecated: true });
  });

  it('Returns one animal.', async () => {
    const response = await service.api.call.getPet({ path: { petId: 2n } });
    expect(outcome(response)).toStrictEqual({ status: 200, body: typed(pets)[1] });
  });

  it('`petId` of `GET /pets/{petId}` is an int64 integer and required: identifier of the animal to retrieve', async () => {
    const { parameters } = await servedOperation(service.api, 'getPet');
    expect(parameters).toStrictEqual([
      {
        name: 'petId',
        in: 'path',
        required: true,
        description: 'Identifier of the animal to retrieve.',
        schema: { type: 'integer', format: 'int64', minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n },
        example: 1,
      },
    ]);
    const responses = [await service.api.get('/v1/pets/1'), await service.api.get('/v1/pets/1.5')];
    expect(responses.map(outcome)).toStrictEqual([{ status: 200, body: pets[0] }, petNotFound('1.5')]);
  });

  it('`GET /pets/{petId}` returns 200 with Pet: the requested animal', async () => {
    const { responses: declared } = await servedOperation(service.api, 'getPet');
    expect(declared['200']).toMatchObject({ description: 'The requested animal.' });
    expect(declared['200']!.content!['application/json']!.schema).toStrictEqual(await servedSchema(service.api, 'Pet'));
    const response = await service.api.call.getPet({ path: { petId: 1n } });
    expect(outcome(response)).toStrictEqual({ status: 200, body: typed(pets)[0] });
  });

  it('`GET /pets/{petId}` returns 401 with Error: missing or invalid API key', async () => {
    const { responses: declared } = await servedOperation(service.api, 'getPet');
    expect(declared['401']).toMatchObject({ description: 'Missing or invalid API key.' });
    const responses = [
      await service.api.get('/v1/pets/1', { key: null }),
      await service.api.callsWith('invalid').getPet({ path: { petId: 1n } }),
    ];
    expect(responses.map(outcome)).toStrictEqual([MISSING_KEY, INVALID_KEY]);
  });

  it('`GET /pets/{petId}` returns 404 with Error: the animal could not be found', async () => {
    const { responses: declared } = await servedOperation(service.api, 'getPet');
    expect(declared['404']).toMatchObject({ description: 'The animal could not be found.' });
    const response = await service.api.call.getPet({ path: { petId: 3n } });
    expect(outcome(response)).toStrictEqual(petNotFound(3));
  });

  it('Deprecation: the operation is marked deprecated and is to be removed on 5 December 2030.', async () => {
    const { deprecated, description } = (await servedOperation(service.api, 'getPet')) as {
      deprecated?: boolean;
      description?: string;
    };
    expect(deprecated).toBe(true);
    expect(description).toContain('To be removed on 5 December 2030');
    expect((await service.api.get('/v1/pets/1')).header('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  });

  it('The replacement is `GET /pets` with the `status` filter.', async () => {
    const { description } = (await servedOperation(service.api, 'getPet')) as { description?: string };
    expect(description).toContain('use `GET /pets` with the `status` filter instead');
    const link = (await service.api.get('/v1/pets/1')).header('link');
    const successor = /<([^>]+)>; rel="successor-version"/.exec(link ?? '')![1]!;
    const response = await service.api.get(`${successor}?status=available`);
    expect(outcome(response)).toStrictEqual({ status: 200, body: [pets[0]] });
  });
});
