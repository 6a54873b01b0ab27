import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  badRequest,
  LIMIT_VIOLATED,
  methodNotAllowed,
  MISSING_KEY,
  NO_BODY,
  NO_JSON,
  noResourceAt,
  outcome,
  type Outcome,
  petNotFound,
  rejection,
} from '../properties/outcome.js';
import type { RequestOptions } from '../support/http/client.js';
import { type StartedApp, startApp } from '../support/start-app.js';

const NO_KEY = { key: null };
const WRONG_MEDIA_TYPE = { headers: { 'content-type': 'text/plain' } };
const TOO_LARGE_BODY = '{'.repeat(200_000);
const BROKEN_BODY = '{';

const UNAUTHORIZED = MISSING_KEY;
const TOO_LARGE = rejection(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than 102400 bytes.');
const BROKEN = badRequest('The body is not valid JSON: unexpected end.');
const NOT_FOUND = noResourceAt('/v1/dogs');
const METHOD_NOT_ALLOWED = methodNotAllowed('DELETE', '/v1/pets', 'GET, HEAD, OPTIONS, POST');

describe('the order of checks', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  it.each<[string, Outcome, string, RequestOptions]>([
    ['the path before the key', NOT_FOUND, 'GET /v1/dogs', NO_KEY],
    ['the path before the method', NOT_FOUND, 'DELETE /v1/dogs', {}],
    ['the path before the media type', NOT_FOUND, 'POST /v1/dogs', { body: 'x', ...WRONG_MEDIA_TYPE }],
    ['the path before the size', NOT_FOUND, 'POST /v1/dogs', { body: TOO_LARGE_BODY }],
    ['the path before the body', NOT_FOUND, 'POST /v1/dogs', { body: BROKEN_BODY }],
    ['the path before the parameters', NOT_FOUND, 'GET /v1/dogs?limit=0', {}],
    ['the method before the key', METHOD_NOT_ALLOWED, 'DELETE /v1/pets', NO_KEY],
    ['the method before the media type', METHOD_NOT_ALLOWED, 'DELETE /v1/pets', { body: 'x', ...WRONG_MEDIA_TYPE }],
    ['the method before the size', METHOD_NOT_ALLOWED, 'DELETE /v1/pets', { body: TOO_LARGE_BODY }],
    ['the method before the body', METHOD_NOT_ALLOWED, 'DELETE /v1/pets', { body: BROKEN_BODY }],
    ['the method before the parameters', METHOD_NOT_ALLOWED, 'DELETE /v1/pets?limit=0', {}],
    ['the key before the media type', UNAUTHORIZED, 'POST /v1/pets', { body: 'x', ...WRONG_MEDIA_TYPE, ...NO_KEY }],
    ['the key before the size', UNAUTHORIZED, 'POST /v1/pets', { body: TOO_LARGE_BODY, ...NO_KEY }],
    ['the key before the body', UNAUTHORIZED, 'POST /v1/pets', { body: BROKEN_BODY, ...NO_KEY }],
    ['the key before the missing body', UNAUTHORIZED, 'POST /v1/pets', NO_KEY],
    ['the key before the parameters', UNAUTHORIZED, 'GET /v1/pets?limit=0', NO_KEY],
    ['the key before the pet', UNAUTHORIZED, 'GET /v1/pets/abc', NO_KEY],
    ['the media type before the size', NO_JSON, 'POST /v1/pets', { body: TOO_LARGE_BODY, ...WRONG_MEDIA_TYPE }],
    ['the media type before the body', NO_JSON, 'POST /v1/pets', { body: BROKEN_BODY, ...WRONG_MEDIA_TYPE }],
    ['the size before the body', TOO_LARGE, 'POST /v1/pets', { body: TOO_LARGE_BODY }],
  ])('reports %s', async (_, expected, request, options) => {
    const [method, target] = request.split(' ') as [string, string];
    expect(outcome(await service.api.request(method, target, options))).toStrictEqual(expected);
  });

  it.each<[Outcome, string, RequestOptions]>([
    [NO_JSON, 'POST /v1/pets', { body: '{}', ...WRONG_MEDIA_TYPE }],
    [TOO_LARGE, 'POST /v1/pets', { body: TOO_LARGE_BODY }],
    [BROKEN, 'POST /v1/pets', { body: BROKEN_BODY }],
    [NO_BODY, 'POST /v1/pets', {}],
    [badRequest(LIMIT_VIOLATED), 'GET /v1/pets?limit=0', {}],
    [petNotFound('abc'), 'GET /v1/pets/abc', {}],
  ])('reports a single error: $status', async (expected, request, options) => {
    const [method, target] = request.split(' ') as [string, string];
    expect(outcome(await service.api.request(method, target, options))).toStrictEqual(expected);
  });

  it('rejects a missing key without waiting for the body', async () => {
    const connection = await service.connect();
    connection.send(
      'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 30\r\n\r\n{"na',
    );
    expect(outcome(await connection.response(2000))).toStrictEqual(UNAUTHORIZED);
  });

  it('rejects a body over the limit without waiting for it', async () => {
    const connection = await service.connect();
    connection.send(
      [
        'POST /v1/pets HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${service.key}`,
        'Content-Type: application/json',
        'Content-Length: 102401',
        '',
        '{"na',
      ].join('\r\n'),
    );
    expect(outcome(await connection.response(2000))).toStrictEqual(TOO_LARGE);
  });
});
