import { beforeAll, describe, expect, it } from '@jest/globals';
import { operationsOf } from '../contract/contract.js';
import { INVALID_KEY, MISSING_KEY, NO_JSON, outcome } from '../properties/outcome.js';
import { type StartedApp, startApp } from '../support/start-app.js';
import { servedContract } from './served-contract.js';

describe('Authentication', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  it('Scheme: HTTP bearer.', async () => {
    const { components } = await servedContract(service.api);
    expect(components!.securitySchemes!.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
    const response = await service.api.get('/v1/pets', { key: null });
    expect(response.header('www-authenticate')).toBe('Bearer realm="pets"');
  });

  it('The API key is sent as the bearer token in the `Authorization` header (`Authorization: Bearer <API_KEY>`).', async () => {
    const { api, key } = service;
    const responses = [
      await api.get('/v1/pets', { key: null, headers: { Authorization: `Bearer ${key}` } }),
      await api.get('/v1/pets', { key: null, headers: { Authorization: key } }),
      await api.get('/v1/pets', { key: null, headers: { 'X-API-Key': key } }),
      await api.get(`/v1/pets?api_key=${key}`, { key: null }),
    ];
    expect(responses.map(outcome)).toStrictEqual([{ status: 200, body: [] }, MISSING_KEY, MISSING_KEY, MISSING_KEY]);
  });

  it('The requirement applies to every operation above.', async () => {
    const responses = [];
    for (const { method, path } of operationsOf(await servedContract(service.api))) {
      responses.push(await service.api.request(method, `/v1${path.replace(/\{\w+\}/g, '1')}`, { key: null }));
    }
    expect(responses.length).toBeGreaterThanOrEqual(3);
    expect(responses.map(outcome)).toStrictEqual(responses.map(() => MISSING_KEY));
  });

  it('A missing or invalid key yields status 401 with an Error body.', async () => {
    const responses = [
      await service.api.get('/v1/pets', { key: null }),
      await service.api.get('/v1/pets', { key: `${service.key}x` }),
    ];
    expect(responses.map(outcome)).toStrictEqual([MISSING_KEY, INVALID_KEY]);
  });

  it('Requests with a body are sent with `Content-Type: application/json`.', async () => {
    const responses = [];
    for (const type of ['application/json', 'text/plain', null]) {
      const headers = { 'Content-Type': type };
      responses.push(await service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { headers }));
    }
    expect(responses.map(outcome)).toStrictEqual([
      { status: 201, body: { id: 1, name: 'Rex', categoryId: 7 } },
      NO_JSON,
      NO_JSON,
    ]);
  });
});
