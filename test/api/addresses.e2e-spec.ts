import { beforeAll, describe, expect, it } from '@jest/globals';
import { FAILED, nothingAt, outcome, refusal } from '../properties/outcome.js';
import { readOpenApi } from '../contract/open-api.js';
import { operationsOf } from '../contract/contract.js';
import { type StartedApp, startApp } from '../support/start-app.js';

describe('an address', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  it.each([
    '/v1',
    '/v1/',
    '/v1//pets',
    '/v1/pets/',
    '/v1/Pets',
    '/v1/PETS',
    '/v1/pet',
    '/v1/pets2',
    '/v1/pets.json',
    '/v1/pets;x=1',
    '/v1/p%65ts',
    '/v1/pets%2F1',
    '/v1/./pets',
    '/v1/../v1/pets',
    '/v1/dogs',
    '/v1/dogs/1',
    '/v1/store/orders',
    '/v1/store/inventory',
    '/v1/categories',
    '/v1/categories/7',
    '/v1/pets/1/events',
    '/v1/webhooks',
    '/v1/live',
    '/v1/docs',
    '/v1/__proto__',
    '/v1/%zz',
  ])('below the base address has nothing unless the contract says so: %s', async (path) => {
    const answers = [
      await service.api.get(path),
      await service.api.get(path, { key: null }),
      await service.api.get(`${path}?limit=0`),
      await service.api.post(path, '{'),
      await service.api.request('DELETE', path),
      await service.api.request('OPTIONS', path),
    ];
    expect(answers.map(outcome)).toStrictEqual(answers.map(() => nothingAt(path)));
  });

  it.each([
    '/',
    '/pets',
    '/pets/1',
    '/v2/pets',
    '/v1.0.0/pets',
    '/v10/pets',
    '/V1/pets',
    '//v1/pets',
    '/dogs',
    '/.env',
  ])('has nothing without the version segment /v1: %s', async (path) => {
    const answers = [await service.api.get(path), await service.api.get(path, { key: null })];
    expect(answers.map(({ status, json }) => ({ status, code: (json as { code: string }).code }))).toStrictEqual(
      answers.map(() => ({ status: 404, code: 'NOT_FOUND' })),
    );
  });

  it('is found in the absolute form as well', async () => {
    const head = `GET http://elsewhere:1234/v1/pets?limit=1 HTTP/1.1\r\nHost: elsewhere:1234`;
    const { answers } = await service.sendRaw(`${head}\r\nAuthorization: Bearer ${service.key}\r\n\r\n`);
    expect(answers.map(outcome)).toStrictEqual([{ status: 200, body: [] }]);
  });

  it('may have 8 kB', async () => {
    const longest = '/v1/pets?'.padEnd(8192, 'x');
    const answers = [await service.api.get(longest), await service.api.get(`${longest}x`)];
    expect(answers.map(outcome)).toStrictEqual([
      { status: 200, body: [] },
      refusal(414, 'URI_TOO_LONG', 'The request target is longer than 8192 bytes.'),
    ]);
  });
});

describe('an address that no operation has', () => {
  it('is answered with the fixed sentence when a middleware fails on it', async () => {
    const fail = () => {
      throw new Error('SELECT secret');
    };
    const broken = await startApp({}, { prepare: (app) => app.use(fail) });
    expect(outcome(await broken.api.get('/v1/nothing'))).toStrictEqual(FAILED);
  });
});

describe('the contract', () => {
  it('has the three operations of the specification and no other, no callback and no webhook', () => {
    const document = readOpenApi();
    const operations = operationsOf(document).map(({ method, path, name }) => `${method} ${path} ${name}`);
    expect(operations).toStrictEqual(['GET /pets listPets', 'POST /pets createPet', 'GET /pets/{petId} getPet']);
    expect(Object.keys(document)).not.toContain('webhooks');
    expect(
      JSON.stringify(document, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('"callbacks"');
  });
});
