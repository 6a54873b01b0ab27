import { beforeAll, describe, expect, it } from '@jest/globals';
import { MISSING_KEY, outcome } from '../properties/outcome.js';
import { addPet } from '../support/pets.js';
import { type StartedApp, startApp } from '../support/start-app.js';
import { servedContract } from './served-contract.js';

describe('Endpoints', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
    await addPet(service.api);
  });

  it('All paths are relative to `{base_url}`.', async () => {
    const { servers, paths } = await servedContract(service.api);
    const { base_url: base } = servers![0]!.variables!;
    expect(Object.keys(paths)).toStrictEqual(expect.arrayContaining(['/pets', '/pets/{petId}']));
    expect((await service.api.get(`${base!.default}/pets`)).status).toBe(200);
    expect((await service.api.get(`${base!.default}/pets/1`)).status).toBe(200);
  });

  it('All require the bearer credential.', async () => {
    const { security, components, paths } = await servedContract(service.api);
    expect(security).toStrictEqual([{ apiKey: [] }]);
    expect(components!.securitySchemes!.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
    const own = Object.values(paths).flatMap((item) =>
      Object.values(item).filter((operation) => 'security' in operation),
    );
    expect(own).toStrictEqual([]);
    const responses = [
      await service.api.get('/v1/pets', { key: null }),
      await service.api.request('POST', '/v1/pets', { key: null }),
      await service.api.get('/v1/pets/1', { key: null }),
    ];
    expect(responses.map(outcome)).toStrictEqual([MISSING_KEY, MISSING_KEY, MISSING_KEY]);
  });
});
