import { describe, expect, it } from '@jest/globals';
import { responseChecker } from './check-response.js';
import { buildExchange } from '../../http/build-exchange.js';
import type { ExchangeParts } from '../../http/build-exchange.js';

const CHALLENGE = { 'www-authenticate': 'Bearer realm="pets"' };
const DEPRECATED = {
  deprecation: '@1795132800',
  sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  link: '</v1/pets>; rel="successor-version"',
};
const ALLOW = { allow: 'GET, HEAD, OPTIONS, POST' };
const REX = { id: 1, name: 'Rex', categoryId: 2n ** 63n - 1n, status: 'available' };

const rejection = (status: number): Partial<ExchangeParts> => ({ status, body: { code: 'C', message: 'm', status } });
const created = (member: object, headers = {}): ExchangeParts => ({
  request: 'POST /v1/pets',
  status: 201,
  body: { ...REX, ...member },
  headers: { location: '/v1/pets/1', ...headers },
});
const head: ExchangeParts = { request: 'HEAD /v1/pets', headers: { 'content-type': 'application/json' } };

describe('responseChecker', () => {
  const check = responseChecker();

  it.each<[string, ExchangeParts]>([
    ['a page', { body: [REX] }],
    [
      'a page with a query and a declared charset',
      { request: 'GET /v1/pets?limit=1', body: [], headers: { 'content-type': 'application/json; charset=utf-8' } },
    ],
    ['a page requested with an absolute URL', { request: 'GET http://localhost/v1/pets?limit=1', body: [] }],
    ['a page for HEAD', head],
    ['a page for HEAD with the length of the page', { ...head, headers: { ...head.headers, 'content-length': '7' } }],
    ['a created pet', created({ id: -(2n ** 63n), status: undefined })],
    ['a rejected key', { ...rejection(401), headers: CHALLENGE }],
    ['a deprecated operation', { request: 'GET /v1/pets/1', body: REX, headers: DEPRECATED }],
    ['an unknown path', { request: 'GET /v1/dogs', ...rejection(404) }],
    ['an unknown method', { request: 'DELETE /v1/pets', ...rejection(405), headers: ALLOW }],
    ['the methods of a path', { request: 'OPTIONS /v1/pets', status: 204, headers: ALLOW }],
    ['a target that is too long', { request: 'GET /v1/pets/1', ...rejection(414) }],
    ['bytes that are not a request', { request: '', raw: true, ...rejection(400) }],
    ['bytes that only begin like a request', { request: 'GET /v1/pets/1', raw: true, ...rejection(400) }],
    [
      'a page outside the contract',
      { request: 'GET /docs', headers: { 'x-anything': '1', 'x-content-type-options': null } },
    ],
    ['readiness', { request: 'GET /ready', status: 503, body: { status: 'not ready', checks: {} } }],
  ])('accepts %s', (_, exchange) => {
    expect(() => check(buildExchange(exchange))).not.toThrow();
  });

  it.each<[string, ExchangeParts]>([
    ['the contract does not declare this status for listPets', rejection(418)],
    ['the contract does not declare this status for listPets', { status: 204 }],
    ['the contract does not declare this status for getPet', { request: 'GET /v1/pets/1', ...rejection(400) }],
    ['the contract does not declare this status for such a request', { request: 'GET /v1/dogs', ...rejection(405) }],
    ['the contract does not declare this status for such a request', { request: 'DELETE /v1/pets', ...rejection(404) }],
    ['the contract does not declare this status for such a request', { request: 'GET /v1/pets/', body: [] }],
    ['the contract does not declare this status for such a request', { request: '', raw: true, ...rejection(401) }],
    [
      'the body lacks status',
      { request: 'GET /ready', status: 503, body: { code: 'C', message: 'm' }, headers: { 'retry-after': '1' } },
    ],
    ['the media type is text/html instead of application/json', { body: [], headers: { 'content-type': 'text/html' } }],
    [
      'the media type is application/json; charset=latin1 instead of application/json',
      { body: [], headers: { 'content-type': 'application/json; charset=latin1' } },
    ],
    ['the media type is missing instead of application/json', { body: [], headers: { 'content-type': null } }],
    ['the response to HEAD has a body', { ...head, body: [] }],
    ['the body is not JSON: the JSON text has no value at character 0', { body: '' }],
    [
      'the body is not JSON: the JSON text has the member id twice',
      { body: '[{"id":1,"id":1,"name":"Rex","categoryId":7}]' },
    ],
    ['the body is not of type array', { body: {} }],
    ['the body[1] lacks id', { body: [REX, { ...REX, id: undefined }] }],
    ['the body.id is not a valid int64; the body.id is greater than 9223372036854775807', created({ id: 2n ** 63n })],
    [
      'the body.categoryId is not a valid int64; the body.categoryId is less than -9223372036854775808',
      created({ categoryId: -(2n ** 63n) - 1n }),
    ],
    ['the body.id is not of type integer; the body.id is not a valid int64', created({ id: 1.5 })],
    ['the body.id is not of type integer; the body.id is not a valid int64', created({ id: '1' })],
    ['the body.name is not of type string', created({ name: null })],
    [
      'the body.status is not of type string; the body.status is not one of available, pending, sold',
      created({ status: null }),
    ],
    ['the body.status is not one of available, pending, sold', created({ status: 'lost' })],
    ['the body.secret is not declared', created({ secret: 1 })],
    ['the header Location is missing', created({}, { location: null })],
    ['the header location is not a valid uri-reference', created({}, { location: '/v1/pets/{1}' })],
    ['the header location is sent 2 times', created({}, { location: ['/a', '/b'] })],
    ['the header etag is not declared', created({}, { etag: '"1"' })],
    ['the header access-control-allow-origin is not declared', created({}, { 'access-control-allow-origin': '*' })],
    ['the header X-Powered-By reveals the server software', created({}, { 'x-powered-by': 'Express' })],
    ['X-Content-Type-Options is not nosniff', { body: [], headers: { 'x-content-type-options': null } }],
    ['the header Cache-Control is missing', { body: [], headers: { 'cache-control': null } }],
    ['the header WWW-Authenticate is missing', rejection(401)],
    ['the member status is 401', { ...rejection(401), status: 400 }],
    ['the body lacks code', { status: 400, body: { message: 'm', status: 400 } }],
    [
      'the body.error is not declared',
      { status: 400, body: { code: 'C', message: 'm', status: 400, error: 'Bad Request' } },
    ],
    ['the header retry-after is not of type integer', { ...rejection(503), headers: { 'retry-after': 'soon' } }],
    ['the header retry-after is less than 1', { ...rejection(503), headers: { 'retry-after': '0' } }],
    [
      'the header Deprecation is missing',
      { request: 'GET /v1/pets/1', body: REX, headers: { ...DEPRECATED, deprecation: null } },
    ],
    ['the header Allow is missing', { request: 'DELETE /v1/pets', ...rejection(405) }],
    [
      'Allow names GET, POST instead of GET, HEAD, OPTIONS, POST',
      { request: 'DELETE /v1/pets', ...rejection(405), headers: { allow: 'GET, POST' } },
    ],
    [
      'the response has a body and the contract declares none',
      {
        request: 'OPTIONS /v1/pets',
        status: 204,
        body: 'x',
        headers: { ...ALLOW, 'content-type': null, 'content-length': null },
      },
    ],
    ['Content-Length is 3 and the body has 2 bytes', { body: [], headers: { 'content-length': '3' } }],
    ['Content-Length is missing and the body has 2 bytes', { body: [], headers: { 'content-length': null } }],
    [
      'the body is sent with Transfer-Encoding instead of Content-Length',
      { body: [], headers: { 'content-length': null, 'transfer-encoding': 'chunked' } },
    ],
    [
      'the media type is text/html instead of application/json',
      { request: 'GET /nothing', ...rejection(404), headers: { 'content-type': 'text/html' } },
    ],
    ['the body lacks code', { request: 'GET /live', status: 418, body: { message: 'm', status: 418 } }],
    [
      'the body lacks code',
      { request: 'GET /live', status: 503, body: { message: 'm', status: 503 }, headers: { 'retry-after': '1' } },
    ],
  ])('reports: %s', (difference, exchange) => {
    const { request = 'GET /v1/pets', status = 200 } = exchange;
    const subject = request === '' ? 'unreadable request' : request;
    const sentence = `${subject} returned ${status}: ${difference}`;
    expect(() => check(buildExchange(exchange))).toThrow(new Error(sentence));
  });

  it('accepts CORS headers only when the service allows other origins', () => {
    const exchange = buildExchange({ body: [], headers: { vary: 'Origin', 'access-control-allow-origin': '*' } });
    expect(() => responseChecker({ cors: true })(exchange)).not.toThrow();
    expect(() => check(exchange)).toThrow('the header vary is not declared');
  });
});
