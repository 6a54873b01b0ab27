import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { INVALID_KEY, MISSING_KEY, outcome } from '../properties/outcome.js';
import type { HttpResponse } from '../support/http/http-response.js';
import { type StartedApp, startApp } from '../support/start-app.js';

const CHALLENGE = 'Bearer realm="pets"';
const CHALLENGE_TO_INVALID = 'Bearer realm="pets", error="invalid_token"';

const OPERATIONS = [
  ['GET', '/v1/pets'],
  ['POST', '/v1/pets'],
  ['GET', '/v1/pets/1'],
] as const;

function rejectionOf(response: HttpResponse) {
  return { ...outcome(response), challenge: response.headers['www-authenticate'] };
}

const MISSING = { ...MISSING_KEY, challenge: [CHALLENGE] };
const INVALID = { ...INVALID_KEY, challenge: [CHALLENGE_TO_INVALID] };

describe('an API key', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  const list = (headers: Record<string, string | string[] | null>, target = '/v1/pets') =>
    service.api.get(target, { key: null, headers });

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('is accepted with the scheme %s', async (scheme) => {
    const response = await list({ authorization: `${scheme} ${service.key}` });
    expect(outcome(response)).toStrictEqual({ status: 200, body: [] });
    expect(response.headers['www-authenticate']).toBeUndefined();
  });

  it('is accepted after several spaces', async () => {
    expect(outcome(await list({ authorization: `Bearer    ${service.key}` }))).toStrictEqual({ status: 200, body: [] });
  });

  it.each(OPERATIONS)('is required by %s %s', async (method, target) => {
    expect(rejectionOf(await service.api.request(method, target, { key: null }))).toStrictEqual(MISSING);
  });

  it.each(OPERATIONS)('is rejected by %s %s when it is wrong', async (method, target) => {
    expect(rejectionOf(await service.api.request(method, target, { key: 'wrong' }))).toStrictEqual(INVALID);
  });

  it.each<[string, string | null, string]>([
    ['/v1/pets', null, CHALLENGE],
    ['/v1/pets', 'wrong', CHALLENGE_TO_INVALID],
    ['/v1/pets/1', null, CHALLENGE],
    ['/v1/pets/1', 'wrong', CHALLENGE_TO_INVALID],
  ])('is required by HEAD %s: the key %s gets a 401 without a body', async (target, key, challenge) => {
    const { status, bytes, headers } = await service.api.head(target, { key });
    expect({ status, length: bytes.length, challenge: headers['www-authenticate'] }).toStrictEqual({
      status: 401,
      length: 0,
      challenge: [challenge],
    });
  });

  it.each<[string, (key: string) => string]>([
    ['an empty header', () => ''],
    ['the scheme alone', () => 'Bearer'],
    ['the scheme and a space', () => 'Bearer '],
    ['the key alone', (key) => key],
    ['the scheme Basic', () => `Basic ${Buffer.from('ann:secret').toString('base64')}`],
    ['the scheme Basic with the key', (key) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
    ['the scheme Digest', () => 'Digest username="ann"'],
    ['the scheme Token', (key) => `Token ${key}`],
    ['the scheme ApiKey', (key) => `ApiKey ${key}`],
    ['a longer scheme', (key) => `Bearers ${key}`],
    ['a scheme and no space', (key) => `Bearer${key}`],
    ['a colon', (key) => `Bearer: ${key}`],
    ['another scheme first', (key) => `Basic x, Bearer ${key}`],
  ])('is reported as missing when there is only %s', async (_, credentials) => {
    expect(rejectionOf(await list({ authorization: credentials(service.key) }))).toStrictEqual(MISSING);
  });

  it.each<[string, (key: string) => string]>([
    ['cut short', (key) => key.slice(0, -1)],
    ['with an extra character', (key) => `${key}x`],
    ['in upper case', (key) => key.toUpperCase()],
    ['padded', (key) => `${key}=`],
    ['in quotes', (key) => `"${key}"`],
    ['in angle brackets', (key) => `<${key}>`],
    ['twice', (key) => `${key} ${key}`],
    ['in a list', (key) => `${key}, ${key}`],
    ['with a parameter', (key) => `${key}; realm=pets`],
    ['after a second scheme', (key) => `Bearer ${key}`],
    ['encoded', (key) => Buffer.from(key).toString('base64')],
    ['as its hash', (key) => createHash('sha256').update(key).digest('base64')],
    ['replaced by another key', () => 'pets_00000000000000000000000000000000000000'],
    ['with 10 kB', () => 'x'.repeat(10_000)],
    ['in Latin-1', () => 'ké'],
    ['as null', () => 'null'],
    ['as undefined', () => 'undefined'],
    ['as __proto__', () => '__proto__'],
    ['as SQL', () => `' OR ''='`],
  ])('is rejected %s', async (_, token) => {
    expect(rejectionOf(await list({ authorization: `Bearer ${token(service.key)}` }))).toStrictEqual(INVALID);
  });

  it.each<[string, (key: string) => Record<string, string>]>([
    ['in X-API-Key', (key) => ({ 'x-api-key': key })],
    ['in API-Key', (key) => ({ 'api-key': key })],
    ['in Proxy-Authorization', (key) => ({ 'proxy-authorization': `Bearer ${key}` })],
    ['in X-Authorization', (key) => ({ 'x-authorization': `Bearer ${key}` })],
    ['in X-Forwarded-Authorization', (key) => ({ 'x-forwarded-authorization': `Bearer ${key}` })],
    ['in WWW-Authenticate', (key) => ({ 'www-authenticate': `Bearer ${key}` })],
    ['in a cookie', (key) => ({ cookie: `Authorization=Bearer ${key}; api_key=${key}; access_token=${key}` })],
  ])('is not accepted %s', async (_, headers) => {
    expect(rejectionOf(await list(headers(service.key)))).toStrictEqual(MISSING);
  });

  it.each(['access_token', 'api_key', 'apiKey', 'key', 'token', 'authorization', 'Authorization'])(
    'is not accepted in the query as %s',
    async (name) => {
      const { key } = service;
      expect(rejectionOf(await list({}, `/v1/pets?${name}=${key}`))).toStrictEqual(MISSING);
      expect(rejectionOf(await list({}, `/v1/pets?${name}=Bearer%20${key}`))).toStrictEqual(MISSING);
    },
  );

  it('is not accepted in the body', async () => {
    const { api, key } = service;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const responses = [
      await api.post('/v1/pets', `access_token=${key}`, { key: null, headers: form }),
      await api.post('/v1/pets', { access_token: key, name: 'Rex', categoryId: 7 }, { key: null }),
    ];
    expect(responses.map(rejectionOf)).toStrictEqual([MISSING, MISSING]);
  });

  it.each<[string, (key: string) => string[]]>([
    ['the same twice', (key) => [`Bearer ${key}`, `Bearer ${key}`]],
    ['a right and a wrong one', (key) => [`Bearer ${key}`, 'Bearer wrong']],
    ['a wrong and a right one', (key) => ['Bearer wrong', `Bearer ${key}`]],
    ['a right one and Basic', (key) => [`Bearer ${key}`, 'Basic eDp5']],
    ['a right and an empty one', (key) => [`Bearer ${key}`, '']],
  ])('is rejected when two Authorization headers are sent: %s', async (_, values) => {
    const fields = values(service.key).map((value) => `Authorization: ${value}\r\n`);
    const { responses } = await service.sendRaw(`GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n${fields.join('')}\r\n`);
    expect(responses.map(rejectionOf)).toStrictEqual([INVALID]);
  });

  it('is rejected when a second Authorization header is sent, even after another scheme', async () => {
    const fields = `Authorization: Basic eDp5\r\nAUTHORIZATION: Bearer ${service.key}\r\n`;
    const { responses } = await service.sendRaw(`GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`);
    expect(responses.map(({ status }) => status)).toStrictEqual([401]);
  });

  it.each([
    ['a tab after the scheme', (key: string) => `Bearer\t${key}`],
    ['a NUL', (key: string) => `Bearer ${key}\0`],
    ['line folding', (key: string) => `Bearer\r\n ${key}`],
  ])('is not accepted with %s', async (_, credentials) => {
    const field = `Authorization: ${credentials(service.key)}`;
    const { responses } = await service.sendRaw(`GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n${field}\r\n\r\n`);
    expect([400, 401]).toContain(responses[0]!.status);
  });

  it('is checked for each request of a connection', async () => {
    const requests = [service.key, 'wrong', service.key].map(
      (key) => `GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    const { responses } = await service.sendRaw(requests.join(''), 3);
    expect(responses.map(({ status }) => status)).toStrictEqual([200, 401, 200]);
  });

  it('never appears in a response, valid or not', async () => {
    const { api, key: right } = service;
    const responses: HttpResponse[] = [];
    for (const key of [right, 'wrong-but-secret']) {
      responses.push(
        await api.get('/v1/pets', { key }),
        await api.get('/v1/pets?limit=0', { key }),
        await api.get('/v1/pets/1', { key }),
        await api.get('/v1/dogs', { key }),
        await api.get('/dogs', { key }),
        await api.get(`/dogs?access_token=${key}`),
        await api.get(`/v1/dogs?access_token=${key}`),
        await api.get(`/v1/pets?access_token=${key}&limit=1`),
        await api.get('/ready', { key }),
        await api.get('/docs', { key }),
        await api.post('/v1/pets', '{', { key }),
        await api.request('TRACE', '/v1/pets', { key }),
        await api.request('OPTIONS', '/v1/pets', { key }),
        await api.get('/v1/pets', { headers: { authorization: `Basic ${key}` } }),
        await api.get('/v1/pets', { headers: { authorization: key } }),
      );
    }
    const received = responses.map(({ rawHeaders, text }) => [...rawHeaders, text].join('\n')).join('\n');
    expect(received).not.toContain(right);
    expect(received).not.toContain('wrong-but-secret');
  });
});
