import { describe, expect, it } from '@jest/globals';
import type { NextFunction, Request, Response } from 'express';
import type { Config } from '../../../../src/config.js';
import { type StartedApp, startApp, type StartOptions, startRefusal } from '../../../support/start-app.js';
import { baseContract, json, type Part, writeContract } from '../../constructs/base-contract.js';
import { ThingsModule } from '../../constructs/things.module.js';
import { closing, uncheckedClient } from './opened.js';

const ERRORS = [400, 404, 405, 408, 414, 431, 500, 503];
const text = (schema: object = {}, required = true) => ({ required, schema: { type: 'string', ...schema } });
const ALLOW = { Allow: text() };
const OWN = {
  'X-Request-Id': text({ pattern: '^[!-~]{1,128}$' }),
  'Cache-Control': text({ enum: ['no-store'] }),
  'X-Content-Type-Options': text({ enum: ['nosniff'] }),
};

/** What a contract declares for one status without an operation. */
interface Declared {
  readonly status: number;
  readonly headers?: object;
  /** The codes of its Error. */
  readonly codes?: readonly string[];
}

/** A service whose contract declares this, besides 404. */
async function start(
  declared: readonly Declared[],
  config: Partial<Config> = {},
  options: StartOptions = {},
): Promise<StartedApp> {
  const contract: Part = baseContract('3.0.3');
  const { required, properties } = contract.components.schemas.Error;
  for (const { status, headers = {}, codes } of declared) {
    const code = { type: 'string', ...(codes && { enum: codes }) };
    const content = json({ type: 'object', required, properties: { ...properties, code } });
    const body = status === 204 ? {} : { content };
    contract['x-protocol-responses'][status] = { description: 'Sent.', headers, ...body };
  }
  const file = writeContract(contract);
  return closing(startApp(config, { contractFile: file, features: [ThingsModule], ...options }));
}

/** Middleware that responds to some requests, and adds a header to the others. */
const MIDDLEWARE: StartOptions = {
  prepare: (app) =>
    app.use((request: Request, response: Response, next: NextFunction) => {
      response.setHeader('X-Region', 'eu');
      if (request.path === '/v1/tea') response.status(418).end();
      else next();
    }),
};

describe('a response to a request without an operation', () => {
  it.each<[string, Declared, string]>([
    [
      'the Cache-Control of 404',
      { status: 404, headers: { 'Cache-Control': text({ enum: ['public'] }) } },
      '"Cache-Control: no-store" with 404',
    ],
    [
      'the nosniff of 204',
      { status: 204, headers: { 'X-Content-Type-Options': text({ maxLength: 3 }) } },
      '"X-Content-Type-Options: nosniff" with 204',
    ],
    [
      'the id of a caller',
      { status: 400, headers: { 'X-Request-Id': text({ format: 'uuid' }, false) } },
      '"X-Request-Id: a" with 400',
    ],
    [
      'the Allow of 405',
      { status: 405, headers: { Allow: text({ enum: ['OPTIONS, POST'] }) } },
      '"Allow: GET, HEAD, OPTIONS" with 405',
    ],
    [
      'the Allow of 204',
      { status: 204, headers: { allow: text({ pattern: 'GET' }) } },
      '"Allow: OPTIONS, POST" with 204',
    ],
    [
      'the Retry-After of 503',
      { status: 503, headers: { 'Retry-After': { schema: { type: 'integer', minimum: 30 } } } },
      '"Retry-After: 1" with 503',
    ],
  ])('stops the start when its header has a schema that the service breaks: %s', async (_, declared, sent) => {
    expect(await startRefusal(start([declared]))).toBe(
      `FILE:1:1 the service sends ${sent}, which the schema must accept.`,
    );
  });

  it.each<[number, string]>([
    [400, 'BAD_REQUEST'],
    [404, 'NOT_FOUND'],
    [405, 'METHOD_NOT_ALLOWED'],
    [408, 'REQUEST_TIMEOUT'],
    [414, 'URI_TOO_LONG'],
    [431, 'REQUEST_HEADER_FIELDS_TOO_LARGE'],
    [500, 'INTERNAL_SERVER_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
  ])('stops the start when its schema refuses the code of the service: %i', async (status, code) => {
    expect(await startRefusal(start([{ status, codes: ['OTHER'] }]))).toBe(
      `FILE:1:1 the service sends ${status} with the code "${code}", which the schema must accept.`,
    );
  });

  it.each<[string, number, object]>([
    ['a challenge with 404', 404, { 'WWW-Authenticate': text() }],
    ['Allow with 404', 404, ALLOW],
    ['Retry-After with 405', 405, { ...ALLOW, 'Retry-After': text() }],
    ['another header with 204', 204, { 'X-Region': text() }],
    ['another header with 431', 431, { 'X-Region': text() }],
  ])('stops the start when it requires a header that the service does not send: %s', async (_, status, headers) => {
    expect(await startRefusal(start([{ status, headers }]))).toBe(
      `FILE:1:1 the service sends ${status} without this header; make it optional.`,
    );
  });

  it.each([200, 302, 401, 413, 417, 418, 429])(
    'stops the start when the service never sends it: %i',
    async (status) => {
      expect(await startRefusal(start([{ status }]))).toBe(
        `FILE:1:1 the service sends no ${status} to a request without an operation; remove it here.`,
      );
    },
  );

  it('stops the start when the service never sends it, also with CORS_ORIGINS', async () => {
    expect(await startRefusal(start([{ status: 418 }], { corsOrigins: ['https://shop.example'] }))).toBe(
      'FILE:1:1 the service sends no 418 to a request without an operation; remove it here.',
    );
  });

  it('is sent as it is declared', async () => {
    const retry = { 'Retry-After': { required: true, schema: { type: 'integer', minimum: 1, maximum: 1 } } };
    const allow = { Allow: text({ enum: ['OPTIONS, POST', 'GET, HEAD, OPTIONS'] }) };
    const own = { ...OWN, 'X-Region': text({ enum: ['eu'] }, false) };
    const headers: Record<number, object> = {
      204: { ...own, ...allow },
      405: { ...own, ...allow },
      503: { ...own, ...retry },
    };
    const started = await start([204, ...ERRORS].map((status) => ({ status, headers: headers[status] ?? own })));
    const client = uncheckedClient(started);
    for (const [method, target, status, sent] of [
      ['GET', '/v1/dogs', 404, undefined],
      ['DELETE', '/v1/things', 405, 'OPTIONS, POST'],
      ['POST', '/v1/things/1', 405, 'GET, HEAD, OPTIONS'],
      ['OPTIONS', '/v1/things/1', 204, 'GET, HEAD, OPTIONS'],
      ['GET', `/v1/${'a'.repeat(8192)}`, 414, undefined],
    ] as const) {
      const response = await client.request(method, target, { headers: { 'X-Request-Id': 'mine' } });
      expect([response.status, response.headers.allow?.join()]).toEqual([status, sent]);
      expect(response.headers).toMatchObject({
        'x-request-id': ['mine'],
        'cache-control': ['no-store'],
        'x-content-type-options': ['nosniff'],
      });
    }
  });

  it('may be that of middleware, or have a header of middleware', async () => {
    const region = { 'X-Region': text() };
    const started = await start([{ status: 418 }, { status: 404, headers: region }], {}, MIDDLEWARE);
    const client = uncheckedClient(started);
    expect((await client.request('GET', '/v1/tea')).status).toBe(418);
    const response = await client.request('GET', '/v1/dogs');
    expect([response.status, response.headers['x-region']]).toEqual([404, ['eu']]);
  });

  it('stops the start when it has a header of middleware, but is sent before that', async () => {
    expect(await startRefusal(start([{ status: 431, headers: { 'X-Region': text() } }], {}, MIDDLEWARE))).toBe(
      'FILE:1:1 the service sends 431 without this header; make it optional.',
    );
  });
});
