import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { STATUS_BY_CODE } from '../../src/platform/errors/error-codes.js';
import { CONTRACT_FILE, readOpenApi } from '../contract/open-api.js';
import type { HttpResponse } from '../support/http/http-response.js';
import { type StartedApp, startApp } from '../support/start-app.js';

/** Only its own origin, except for the contract's staging server, and the style attributes and data URLs of Swagger UI. */
const POLICY = [
  `default-src 'self'`,
  `base-uri 'self'`,
  `connect-src 'self' https://staging.petstore.test`,
  `font-src 'self'`,
  `form-action 'self'`,
  `frame-ancestors 'self'`,
  `img-src 'self' data:`,
  `object-src 'none'`,
  `script-src 'self'`,
  `script-src-attr 'none'`,
  `style-src 'self' 'unsafe-inline'`,
];

/** The URLs that the page references. */
function references(html: string): string[] {
  return [...html.matchAll(/(?:src|href|action)\s*=\s*["']?([^"'\s>]+)/gi)].map(([, address]) => address!);
}

/** Converts bigints up to 2^53 to numbers, as exact-json reads them. */
function withPlainIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(withPlainIntegers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withPlainIntegers(member)]));
}

describe('the documentation', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  const get = (target: string): Promise<HttpResponse> => service.api.get(target, { key: null });

  it('serves the contract byte for byte at /openapi.yaml', async () => {
    const response = await get('/openapi.yaml');
    expect(response.status).toBe(200);
    expect(response.header('content-type')).toBe('application/yaml; charset=utf-8');
    expect(response.bytes.equals(readFileSync(CONTRACT_FILE))).toBe(true);
  });

  it('serves the same contract as JSON at /openapi.json', async () => {
    const response = await get('/openapi.json');
    expect(response.status).toBe(200);
    expect(response.header('content-type')).toMatch(/^application\/json(; charset=utf-8)?$/);
    expect(response.json).toStrictEqual(withPlainIntegers(readOpenApi()));
  });

  it('serves Swagger UI with the contract at /docs', async () => {
    const page = await get('/docs');
    expect(page.status).toBe(200);
    expect(page.header('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('<div id="swagger-ui"></div>');

    const script = await get('/docs/start.js');
    expect(script.status).toBe(200);
    expect(script.text).toContain(`url: '/openapi.yaml'`);
    expect(script.text).toContain('persistAuthorization: true');
    expect(script.text).toContain('validatorUrl: null');
  });

  it('references only its own host', async () => {
    const { text } = await get('/docs');
    expect(references(text)).not.toStrictEqual([]);
    for (const address of references(text)) expect(address).toMatch(/^\/[^/]/);
    expect(text).not.toMatch(/https?:|url\(|@import|<style|style=| on\w+=/i);
    expect((await get('/docs/start.js')).text).not.toMatch(/https?:|\/\//i);
  });

  it('serves every file that the page references', async () => {
    const { text } = await get('/docs');
    const responses = await Promise.all(references(text).map(get));
    expect(
      responses.map(({ status, headers, bytes }) => [status, headers['content-type'], bytes.length > 100]),
    ).toStrictEqual([
      [200, ['text/css; charset=utf-8'], true],
      [200, ['image/png'], true],
      [200, ['text/javascript; charset=utf-8'], true],
      [200, ['text/javascript; charset=utf-8'], true],
    ]);
  });

  it.each(['/docs', '/docs/start.js', '/docs/swagger-ui-bundle.js'])(
    'sends strict security headers: %s',
    async (target) => {
      const { headers } = await get(target);
      expect(headers['content-security-policy']?.join().split(';').toSorted()).toStrictEqual(POLICY.toSorted());
      expect(headers).toMatchObject({
        'cross-origin-opener-policy': ['same-origin'],
        'cross-origin-resource-policy': ['same-origin'],
        'origin-agent-cluster': ['?1'],
        'referrer-policy': ['no-referrer'],
        'x-content-type-options': ['nosniff'],
        'x-dns-prefetch-control': ['off'],
        'x-frame-options': ['SAMEORIGIN'],
        'x-permitted-cross-domain-policies': ['none'],
      });
      // The page must work over plain HTTP on a developer's machine.
      expect(headers['strict-transport-security']).toBeUndefined();
    },
  );

  it.each(['/docs/index.html', '/docs/swagger-initializer.js'])(
    "does not serve Swagger UI's default page for another contract: %s",
    async (target) => {
      expect((await get(target)).status).toBe(404);
    },
  );

  it.each([
    '/docs/nothing.js',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/..%2fpackage.json',
    '/docs/....//package.json',
    '/docs/%00',
    '/openapi',
    '/openapi.yml',
    '/openapi.yaml/x',
  ])('returns 404 for %s', async (target) => {
    const response = await get(target);
    const { code } = response.json as { code: string };
    expect({ status: response.status, code, cacheControl: response.header('cache-control') }).toStrictEqual({
      status: 404,
      code: 'NOT_FOUND',
      cacheControl: 'no-store',
    });
  });

  it.each<[string, string, Record<string, string>]>([
    ['GET', '/docs/nothing', {}],
    ['POST', '/docs', {}],
    ['OPTIONS', '/nothing', {}],
    ['DELETE', '/live', {}],
    ['GET', '/docs/nothing', { range: 'bytes=99999999-', 'if-match': '"other"' }],
  ])('rejects with a documented code: %s %s %j', async (method, target, headers) => {
    const { status, json } = await service.api.request(method, target, { key: null, headers });
    const { code } = json as { code: keyof typeof STATUS_BY_CODE };
    expect({ code, status: STATUS_BY_CODE[code] }).toStrictEqual({ code, status });
  });

  it('does not reveal the server software', async () => {
    const targets = [
      '/docs',
      '/docs/start.js',
      '/docs/swagger-ui.css',
      '/openapi.yaml',
      '/openapi.json',
      '/live',
      '/ready',
      '/nothing',
      '/v1/pets',
      '/v1/dogs',
    ];
    const responses = await Promise.all(targets.map(get));
    expect(responses.map(({ headers }) => [headers['x-powered-by'], headers.server])).toStrictEqual(
      targets.map(() => [undefined, undefined]),
    );
  });
});
