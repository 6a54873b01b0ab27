import { beforeAll, describe, expect, it } from '@jest/globals';
import { operationsOf } from '../contract/contract.js';
import {
  badRequest,
  CATEGORY_VIOLATED,
  INVALID_KEY,
  MISSING_KEY,
  outcome,
  petNotFound,
} from '../properties/outcome.js';
import { type StartedApp, startApp } from '../support/start-app.js';
import { servedContract, servedSchema } from './served-contract.js';

describe('Errors', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  it('All error responses carry the Error body (`code`, `message`, `status`) as `application/json`.', async () => {
    const { api } = service;
    const error = await servedSchema(api, 'Error');
    const declared = operationsOf(await servedContract(api)).flatMap((operation) =>
      Object.entries(operation.responses).filter(([status]) => Number(status) >= 400),
    );
    expect(declared.map(([, { content }]) => content!['application/json']!.schema)).toStrictEqual(
      declared.map(() => error),
    );

    const responses = [
      await api.get('/v1/pets?limit=0'),
      await api.get('/v1/pets', { key: null }),
      await api.get('/v1/pets/0'),
      await api.get('/v1/nothing'),
      await api.request('DELETE', '/v1/pets'),
      await api.post('/v1/pets', 'x'.repeat(200_000)),
      await api.get(`/v1/pets?${'x'.repeat(9000)}`),
      await api.post('/v1/pets', 'x', { headers: { 'content-type': 'text/plain' } }),
      await api.get('/v1/pets', { headers: { cookie: 'x'.repeat(20_000) } }),
      ...(await service.sendRaw('no HTTP at all\r\n\r\n')).responses,
    ];
    const statuses = [400, 401, 404, 404, 405, 413, 414, 415, 431, 400];
    expect(responses.map((response) => [response.header('content-type'), outcome(response)])).toStrictEqual(
      statuses.map((status) => [
        'application/json',
        { status, body: { code: expect.stringMatching(/^[A-Z_]+$/), message: expect.stringMatching(/\w/), status } },
      ]),
    );
  });

  it('400: request body lacks required fields or has invalid values, in `POST /pets`', async () => {
    const responses = [
      await service.api.post('/v1/pets', { name: 'Rex' }),
      await service.api.post('/v1/pets', { name: 'Rex', categoryId: true }),
    ];
    expect(responses.map(outcome)).toStrictEqual([badRequest('categoryId is required'), badRequest(CATEGORY_VIOLATED)]);
  });

  it('401: API key missing or invalid, in all operations', async () => {
    const operations = [
      ['GET', '/v1/pets'],
      ['POST', '/v1/pets'],
      ['GET', '/v1/pets/1'],
    ] as const;
    const responses = await Promise.all(
      operations.flatMap(([method, target]) =>
        [null, 'invalid'].map((key) => service.api.request(method, target, { key })),
      ),
    );
    expect(responses.map(outcome)).toStrictEqual(operations.flatMap(() => [MISSING_KEY, INVALID_KEY]));
  });

  it('404: requested animal not found, in `GET /pets/{petId}`', async () => {
    expect(outcome(await service.api.get('/v1/pets/1'))).toStrictEqual(petNotFound(1));
  });
});
