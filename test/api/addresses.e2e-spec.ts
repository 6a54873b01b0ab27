import { beforeAll, describe, expect, it } from '@jest/globals';
import { FAILED, noResourceAt, outcome, rejection } from '../properties/outcome.js';
import { operationsOf, readContract } from '../contract/contract.js';
import { readOpenApi } from '../contract/open-api.js';
import { matchTarget } from '../support/contract/match-target.js';
import { type StartedApp, startApp } from '../support/start-app.js';

const contract = readContract();

/** Paths that resemble a declared one: other spellings, more segments, fewer letters. */
function lookalikes(path: string): string[] {
  const [, resource = '', ...rest] = path.split('/');
  const below = (name: string) => `/v1/${[name, ...rest].join('/')}`;
  return [
    `/v1/${path}`,
    `/v1/.${path}`,
    `/v1/../v1${path}`,
    `/v1${path}/`,
    `/v1${path}2`,
    `/v1${path}.json`,
    `/v1${path};x=1`,
    `/v1${path}%2F1`,
    `/v1${path}/1/events`,
    `/v1${path}`.slice(0, -1),
    below(resource.toUpperCase()),
    below(resource.charAt(0).toUpperCase() + resource.slice(1)),
    below(resource.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)),
  ];
}

/** Names that the specification mentions but does not define, and names that the service uses elsewhere. */
const UNDECLARED = [
  '/v1',
  '/v1/',
  '/v1/dogs',
  '/v1/dogs/1',
  '/v1/store/orders',
  '/v1/store/inventory',
  '/v1/categories',
  '/v1/categories/7',
  '/v1/webhooks',
  '/v1/live',
  '/v1/docs',
  '/v1/__proto__',
  '/v1/%zz',
];

const declaredPaths = [...new Set(contract.operations.map(({ path }) => path.replaceAll(/\{\w+\}/g, '1')))];
const undeclared = [...new Set([...UNDECLARED, ...declaredPaths.flatMap(lookalikes)])].filter(
  (path) => matchTarget(contract, 'GET', path).methods.length === 0,
);

describe('a path', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  it.each(undeclared)('returns 404 for an undeclared path: %s', async (path) => {
    const responses = [
      await service.api.get(path),
      await service.api.get(path, { key: null }),
      await service.api.get(`${path}?limit=0`),
      await service.api.post(path, '{'),
      await service.api.request('DELETE', path),
      await service.api.request('OPTIONS', path),
    ];
    expect(responses.map(outcome)).toStrictEqual(responses.map(() => noResourceAt(path)));
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
  ])('returns 404 without the version segment /v1: %s', async (path) => {
    const responses = [await service.api.get(path), await service.api.get(path, { key: null })];
    expect(responses.map(({ status, json }) => ({ status, code: (json as { code: string }).code }))).toStrictEqual(
      responses.map(() => ({ status: 404, code: 'NOT_FOUND' })),
    );
  });

  it('accepts the absolute form', async () => {
    const head = `GET http://elsewhere:1234/v1/pets?limit=1 HTTP/1.1\r\nHost: elsewhere:1234`;
    const { responses } = await service.sendRaw(`${head}\r\nAuthorization: Bearer ${service.key}\r\n\r\n`);
    expect(responses.map(outcome)).toStrictEqual([{ status: 200, body: [] }]);
  });

  it('accepts a request target of 8 kB and rejects one byte more with 414', async () => {
    const longest = '/v1/pets?'.padEnd(8192, 'x');
    const responses = [await service.api.get(longest), await service.api.get(`${longest}x`)];
    expect(responses.map(outcome)).toStrictEqual([
      { status: 200, body: [] },
      rejection(414, 'URI_TOO_LONG', 'The request target is longer than 8192 bytes.'),
    ]);
  });
});

describe('an undeclared path', () => {
  it('returns the fixed message when a middleware fails', async () => {
    const fail = () => {
      throw new Error('SELECT secret');
    };
    const broken = await startApp({}, { prepare: (app) => app.use(fail) });
    expect(outcome(await broken.api.get('/v1/nothing'))).toStrictEqual(FAILED);
  });
});

describe('the contract', () => {
  it('declares exactly the three operations of the specification on pets, and no callback and no webhook', () => {
    const document = readOpenApi();
    const operations = operationsOf(document)
      .filter(({ path }) => /^\/pets\b/.test(path))
      .map(({ method, path, name }) => `${method} ${path} ${name}`);
    expect(operations).toStrictEqual(['GET /pets listPets', 'POST /pets createPet', 'GET /pets/{petId} getPet']);
    expect(Object.keys(document)).not.toContain('webhooks');
    expect(
      JSON.stringify(document, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('"callbacks"');
  });
});
