import { beforeAll, describe, expect, it } from '@jest/globals';
import { type StartedApp, startApp } from '../support/start-app.js';
import { servedContract, servedOperation } from './served-contract.js';

describe('Versioning', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  it('The interface description version is 1.0.0.', async () => {
    const { info } = (await servedContract(service.api)) as unknown as { info: { version: string } };
    expect(info.version).toBe('1.0.0');
  });

  it('The version appears in the base address as the path segment `/v1`.', async () => {
    const { servers } = await servedContract(service.api);
    expect(servers![0]!.variables!.base_url!.default.split('/')).toStrictEqual(['', 'v1']);
    const responses = await Promise.all(['/v1/pets', '/pets', '/v2/pets'].map((target) => service.api.get(target)));
    expect(responses.map(({ status }) => status)).toStrictEqual([200, 404, 404]);
  });

  it('`GET /pets/{petId}` is deprecated with removal on 5 December 2030.', async () => {
    const { method, path, deprecated } = await servedOperation(service.api, 'getPet');
    expect([method, path, deprecated]).toStrictEqual(['GET', '/pets/{petId}', true]);
    const response = await service.api.get('/v1/pets/1');
    expect(response.header('deprecation')).toBe('@1795132800');
    expect(new Date(response.header('sunset')!).toISOString()).toBe('2030-12-05T00:00:00.000Z');
  });
});
