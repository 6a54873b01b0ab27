import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newApiKey } from '../../src/auth/api-key.js';
import { newRequestId } from '../../src/platform/http/outcomes/request-id.js';
import { RequestLog } from '../../src/platform/http/outcomes/request-log.js';
import { adminUrl } from './metrics.js';
import { creation, goodCreation, listRequest, message } from '../support/http/raw/raw-requests.js';
import { startApp, type StartedApp } from '../support/start-app.js';

/** A UUID of version 7 (RFC 9562). */
const NEW_ID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const CHOSEN = 'X-Request-Id: order/7.a_b~c+d=e:f@g-h';

let service: StartedApp;
/** Waits only shortly for a request to arrive. */
let impatient: StartedApp;

beforeAll(async () => {
  service = await startApp();
  impatient = await startApp({ apiKeys: [service.key], headersTimeout: 500, requestTimeout: 1000 });
});

const serviceFor = (status: number): StartedApp => (status === 408 ? impatient : service);

function get(path: string, ...headers: string[]): string {
  return message([`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers]);
}

async function answer(bytes: string, by = service): Promise<{ status: number; id: string | undefined }> {
  const connection = await by.connect();
  const response = await connection.send(bytes).response();
  return { status: response.status, id: response.header('x-request-id') };
}

describe('the id of a request', () => {
  /** Each with the header fields that are to be added. */
  const REQUESTS: Record<string, readonly [status: number, request: (...headers: string[]) => string]> = {
    'a list': [200, (...headers) => listRequest(service.key, ...headers)],
    'a creation': [201, (...headers) => goodCreation(service.key, ...headers)],
    HEAD: [200, (...headers) => listRequest(service.key, ...headers).replace('GET', 'HEAD')],
    OPTIONS: [204, (...headers) => listRequest(service.key, ...headers).replace('GET', 'OPTIONS')],
    'an invalid query': [400, (...headers) => listRequest(service.key, ...headers).replace('/pets', '/pets?limit=0')],
    'a missing key': [401, (...headers) => get('/v1/pets', ...headers)],
    'a missing pet': [404, (...headers) => listRequest(service.key, ...headers).replace('/pets', '/pets/7')],
    'an unknown path of the contract': [404, (...headers) => get('/v1/dogs', ...headers)],
    'an unknown path': [404, (...headers) => get('/dogs', ...headers)],
    'a wrong method': [405, (...headers) => get('/v1/pets', ...headers).replace('GET', 'PUT')],
    'an early response to a large body': [
      413,
      (...headers) => creation(service.key, ['Content-Length: 20000000', ...headers], 'x'),
    ],
    'a body that is not JSON': [
      415,
      (...headers) => goodCreation(service.key, ...headers).replace('application/json', 'text/plain'),
    ],
    'two Host fields': [400, (...headers) => get('/v1/pets', 'Host: localhost', ...headers)],
    'a long target': [414, (...headers) => get(`/${'x'.repeat(9000)}`, ...headers)],
    CONNECT: [400, (...headers) => message(['CONNECT localhost:80 HTTP/1.1', 'Host: localhost', ...headers])],
    'a malformed chunk': [
      400,
      (...headers) => creation(service.key, ['Transfer-Encoding: chunked', ...headers], 'nonsense\r\n'),
    ],
    'a body that never arrives': [408, (...headers) => creation(service.key, ['Content-Length: 9', ...headers], '')],
    '/live': [200, (...headers) => get('/live', ...headers)],
    '/ready': [200, (...headers) => get('/ready', ...headers)],
    '/docs': [200, (...headers) => get('/docs', ...headers)],
    'a file of the documentation': [200, (...headers) => get('/docs/swagger-ui.css', ...headers)],
    'the contract': [200, (...headers) => get('/openapi.yaml', ...headers)],
  };

  it.each(Object.keys(REQUESTS))('is in the response, new or as the client chose it: %s', async (name) => {
    const [status, request] = REQUESTS[name]!;
    const by = serviceFor(status);
    expect(await Promise.all([answer(request(), by), answer(request(CHOSEN), by)])).toEqual([
      { status, id: expect.stringMatching(NEW_ID) },
      { status, id: CHOSEN.slice('X-Request-Id: '.length) },
    ]);
  });

  it.each([
    ['a malformed request', 'nonsense\r\n\r\n', 400],
    ['large header fields', get('/v1/pets', CHOSEN, `X-Long: ${'x'.repeat(20_000)}`), 431],
    ['header fields that never end', `GET /v1/pets HTTP/1.1\r\n${CHOSEN}\r\n`, 408],
  ])('is new in the response to a request that cannot be read: %s', async (_, bytes, status) => {
    expect(await answer(bytes, serviceFor(status))).toEqual({ status, id: expect.stringMatching(NEW_ID) });
  });

  it.each([
    ['empty', 'X-Request-Id: '],
    ['two words', 'X-Request-Id: a b'],
    ['repeated', 'X-Request-Id: a\r\nX-Request-Id: b'],
    ['a comma', 'X-Request-Id: a,b'],
    ['markup', 'X-Request-Id: <script>'],
    ['a quote', 'X-Request-Id: a"b'],
    ['a command to a terminal', 'X-Request-Id: \u009b31mred'],
    ['the bytes of U+2028', 'X-Request-Id: a\u00e2\u0080\u00a8b'],
    ['129 characters', `X-Request-Id: ${'a'.repeat(129)}`],
  ])('is new when the chosen one is not well-formed: %s', async (_, header) => {
    expect(await answer(listRequest(service.key, header))).toEqual({ status: 200, id: expect.stringMatching(NEW_ID) });
  });

  // The log has the ids of requests.
  it.each<[string, (key: string) => string]>([
    ['itself', (key) => key],
    ['after other characters', (key) => `order-${key}`],
    ['before a letter', (key) => `${key}b`],
    ['before a digit', (key) => `${key}0`],
    ['between letters', (key) => `a${key}b`],
    ['after the beginning of a key', (key) => `pets_${key}`],
    ['before the beginning of a key', (key) => `${key}pets_`],
  ])('is new when the chosen one contains an API key: %s', async (_, chosen) => {
    for (const key of [service.key, newApiKey()]) {
      expect(await answer(listRequest(service.key, `X-Request-Id: ${chosen(key)}`))).toEqual({
        status: 200,
        id: expect.stringMatching(NEW_ID),
      });
    }
  });

  it.each(['a digest', 'a key with a wrong checksum'])('may look like an API key: %s', async (form) => {
    const key = newApiKey();
    const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    const id = form === 'a digest' ? `order_${'0123456789abcdef'.repeat(2)}012345` : wrong;
    expect(await answer(listRequest(service.key, `X-Request-Id: ${id}`))).toEqual({ status: 200, id });
  });

  // Keys of API_KEYS have any form.
  it.each([
    ['one of API_KEYS', 'X-Request-Id: topsecret123', ''],
    ['more than one of API_KEYS', 'X-Request-Id: order-topsecret123.7', ''],
    ['more than the bearer token', 'X-Request-Id: order-othersecret', 'Authorization: Bearer othersecret'],
    ['credentials without a scheme', 'X-Request-Id: order-othersecret', 'Authorization: othersecret'],
  ])('is new when the chosen one contains %s', async (_, id, authorization) => {
    const configured = await startApp({ apiKeys: ['unrelated', 'topsecret123'] });
    const connection = await configured.connect();
    const request = get('/v1/pets', id, ...(authorization === '' ? [] : [authorization]));
    const response = await connection.send(request).response();
    expect(response.status).toBe(401);
    expect(response.header('x-request-id')).toMatch(NEW_ID);
  });

  it('may contain a key of API_KEYS that is too short to be a secret, but not be one', async () => {
    const configured = await startApp({ apiKeys: ['test'] });
    const answers = async (id: string) =>
      (await (await configured.connect()).send(get('/v1/pets', `X-Request-Id: ${id}`)).response()).header(
        'x-request-id',
      );
    expect(await answers('test-7')).toBe('test-7');
    expect(await answers('test')).toMatch(NEW_ID);
  });

  it('is new in the log when the chosen one contains a key, and on the admin port', async () => {
    const observed = jest.spyOn(RequestLog.prototype, 'add');
    const { app, api } = await startApp({ apiKeys: ['topsecret123'], adminPort: 0, logRequests: 'errors' });
    const headers = { 'X-Request-Id': 'order-topsecret123', Authorization: 'Bearer topsecret123' };
    expect((await api.get('/v1/pets/7', { headers })).status).toBe(404);
    const ids = observed.mock.calls.map(([{ requestId }]) => requestId);
    observed.mockRestore();
    expect(ids).toEqual([expect.stringMatching(NEW_ID)]);
    const onAdminPort = await fetch(`${adminUrl(app)}/live`, { headers });
    expect(onAdminPort.headers.get('x-request-id')).toMatch(NEW_ID);
  });

  it('may have 128 characters', async () => {
    const id = 'a'.repeat(128);
    expect(await answer(listRequest(service.key, `X-Request-Id: ${id}`))).toEqual({ status: 200, id });
  });
});

describe('new ids', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('are different and sort in their order, also within a millisecond and when the clock is set back', () => {
    const start = Date.now() + 60_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
    const ids = Array.from({ length: 10_000 }, newRequestId);
    clock.mockReturnValue(start - 3_600_000);
    ids.push(...Array.from({ length: 10 }, newRequestId));
    clock.mockReturnValue(start + 1000);
    ids.push(newRequestId());
    expect(ids.filter((id) => !NEW_ID.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
    expect(Number.parseInt(ids.at(-1)!.replace('-', '').slice(0, 12), 16)).toBe(start + 1000);
  });
});
