import { beforeAll, describe, expect, it } from '@jest/globals';
import { CODED, NO_JSON, outcome } from '../../properties/outcome.js';
import type { Pet } from '../../support/pets.js';
import { type StartedApp, startApp } from '../../support/start-app.js';

const NEW_PET = { name: 'Rex', categoryId: 7 };

describe('POST /pets with a Content-Type or Content-Encoding', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  const post = (headers: Record<string, string | null>, body: unknown = NEW_PET) =>
    service.api.post('/v1/pets', body, { headers });

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'Application/Json',
    'application/json;charset=utf-8',
    'application/json; charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json; Charset="utf-8"',
    'application/json ; charset=utf-8',
    'application/json;',
    'application/json; profile="https://shop.example/pet"',
  ])('accepts %s', async (type) => {
    const response = await post({ 'content-type': type });
    expect(outcome(response)).toStrictEqual({ status: 201, body: { id: (response.json as Pet).id, ...NEW_PET } });
  });

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/octet-stream',
    'application/problem+json',
    'application/vnd.api+json',
    'application/json-patch+json',
    'application/jsonp',
    'application/json2',
    'xapplication/json',
    'application',
    'json',
    'application/*',
    '*/*',
    'application/json, text/plain',
    'text/plain, application/json',
    'application/json; charset=latin1',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset=utf-8x',
    'application/json; charset=',
    ';',
    '',
  ])('rejects "%s" with 415', async (type) => {
    expect(outcome(await post({ 'content-type': type }))).toStrictEqual(NO_JSON);
  });

  it('rejects a body without a Content-Type', async () => {
    expect(outcome(await post({ 'content-type': null }))).toStrictEqual(NO_JSON);
  });

  it('rejects a chunked body without a Content-Type', async () => {
    const headers = { 'content-type': null, 'content-length': null, 'transfer-encoding': 'chunked' };
    expect(outcome(await post(headers))).toStrictEqual(NO_JSON);
  });

  it('rejects text/plain even without a body', async () => {
    expect(outcome(await post({ 'content-type': 'text/plain' }, ''))).toStrictEqual(NO_JSON);
  });

  it.each(['gzip', 'GZIP', 'x-gzip', 'br', 'deflate', 'zstd', 'nonsense', 'identity, gzip', 'gzip, identity', ''])(
    'rejects the content coding "%s" with 415',
    async (coding) => {
      expect(outcome(await post({ 'content-encoding': coding }))).toStrictEqual(CODED);
    },
  );

  it.each(['identity', 'Identity'])('accepts the content coding %s', async (coding) => {
    const response = await post({ 'content-encoding': coding });
    expect(outcome(response)).toStrictEqual({ status: 201, body: { id: (response.json as Pet).id, ...NEW_PET } });
  });
});
