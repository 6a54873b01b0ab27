import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ManyRequests, TIME } from '../support/http/many-requests.js';
import { CODED, INVALID_KEY, LIMIT_VIOLATED, MISSING_KEY, NO_JSON, badRequest, outcome } from './outcome.js';

const requests = new ManyRequests(3_000);

/** Standard header fields that do not affect a list request. */
const IGNORED =
  'accept accept-charset accept-encoding accept-language cache-control content-type cookie content-encoding ' +
  'forwarded from if-match if-modified-since if-none-match if-range origin max-forwards pragma prefer range referer ' +
  'user-agent via x-forwarded-host x-forwarded-proto x-http-method-override x-method-override x-original-url ' +
  'proxy-authorization';

describe('header fields', () => {
  const value = fc
    .string({
      unit: fc.constantFrom(...Array.from(' \t!"#%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~\x80\xe9\xff')),
      maxLength: 40,
    })
    .map((text) => text.trim());
  const name = fc.oneof(
    fc
      .string({ unit: fc.constantFrom(...Array.from("abcxyz019-_.!#$%&'*+^`|~")), minLength: 1, maxLength: 20 })
      .map((text) => `x-${text}`),
    fc.constantFrom(...IGNORED.split(' ')),
  );

  it(
    'do not affect the response when the service ignores them',
    async () => {
      const expected = outcome(await requests.send('GET', '/v1/pets?limit=3'));
      await requests.check(60, fc.dictionary(name, value, { maxKeys: 8, noNullPrototype: true }), async (headers) => {
        expect(outcome(await requests.send('GET', '/v1/pets?limit=3', { headers }))).toEqual(expected);
      });
    },
    TIME,
  );

  it(
    'admit only callers with a valid key',
    async () => {
      const scheme = fc.oneof(
        { arbitrary: fc.constantFrom('Bearer', 'bearer', 'BEARER', 'bEARER'), weight: 3 },
        { arbitrary: fc.constantFrom('Basic', 'Token', 'Bearer:', '"Bearer"', 'Bear', 'Bearerr', ''), weight: 1 },
      );
      const { key } = requests.service;
      const token = fc.oneof(
        { arbitrary: fc.constant(key), weight: 2 },
        fc.constantFrom(
          key.slice(1),
          key.slice(0, -1),
          `${key}x`,
          `${key}=`,
          key.toUpperCase(),
          `"${key}"`,
          `${key},${key}`,
          '',
        ),
        fc
          .tuple(fc.nat(key.length - 1), fc.constantFrom('0', 'f', '-'))
          .map(([at, odd]) => key.slice(0, at) + odd + key.slice(at + 1)),
        value,
      );
      await requests.check(
        60,
        fc.tuple(scheme, fc.constantFrom(' ', '  ', '   ', '\t', ''), token),
        async ([word, gap, secret]) => {
          const authorization = `${word}${gap}${secret}`.trim();
          const response = await requests.send('GET', '/v1/pets?limit=0', { key: null, headers: { authorization } });
          const isGood = /^bearer +/i.test(authorization) && authorization.replace(/^bearer +/i, '') === key;
          const hasToken = /^bearer +\S/i.test(authorization);
          expect(outcome(response)).toEqual(isGood ? badRequest(LIMIT_VIOLATED) : hasToken ? INVALID_KEY : MISSING_KEY);
        },
      );
    },
    TIME,
  );

  it(
    'must declare a JSON body',
    async () => {
      const good = {
        arbitrary: fc.constantFrom('application/json', 'Application/JSON', 'APPLICATION/JSON'),
        weight: 4,
      };
      const types = [
        'text/json',
        'application/jsonp',
        'application/problem+json',
        'text/plain',
        '*/*',
        'application/*',
        'json',
        '',
      ];
      const type = fc.oneof(good, { arbitrary: fc.oneof(fc.constantFrom(...types), value), weight: 1 });
      const goodParameters = [
        '',
        '; charset=utf-8',
        ';charset=UTF-8',
        '; charset="utf-8"',
        ' ; x=y',
        '; x=y; charset=utf-8',
      ];
      const badParameters = [
        '; charset=latin1',
        '; charset=utf-16',
        '; charset="iso-8859-1"',
        '; x=y;charset=us-ascii',
      ];
      const parameters = fc.constantFrom(...goodParameters, ...badParameters);
      const coding = fc.oneof(
        { arbitrary: fc.constantFrom(undefined, 'identity', 'Identity'), weight: 3 },
        { arbitrary: fc.constantFrom('gzip', 'br', 'deflate', 'x', 'identity, gzip', 'gzip, identity'), weight: 1 },
      );
      await requests.check(60, fc.tuple(type, parameters, coding), async ([mediaType, rest, contentCoding]) => {
        const contentType = `${mediaType}${rest}`.trim();
        const headers = { 'content-type': contentType, ...(contentCoding && { 'content-encoding': contentCoding }) };
        const response = await requests.send('POST', '/v1/pets', { body: '[]', headers });
        const isJson = /^application\/json *(;|$)/i.test(contentType) && !/charset=(?!"?utf-8)/i.test(contentType);
        const isPlain = contentCoding === undefined || /^identity$/i.test(contentCoding);
        const accepted = badRequest('The body must be a JSON object.');
        expect(outcome(response)).toEqual(isJson ? (isPlain ? accepted : CODED) : NO_JSON);
      });
    },
    TIME,
  );
});
