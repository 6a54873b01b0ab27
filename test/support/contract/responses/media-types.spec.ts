import { describe, expect, it } from '@jest/globals';
import type { Contract, Operation } from '../../../contract/contract.js';
import type { MediaType, Response } from '../../../contract/open-api.js';
import { buildExchange, type ExchangeParts } from '../../http/build-exchange.js';
import { responseChecker } from './check-response.js';

const JSON_LIST = { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } };
const CSV = { 'text/csv': { schema: { type: 'string' } } };

const operation = (
  path: string,
  content: Record<string, MediaType>,
  more: Record<string, Response> = {},
): Operation => ({
  name: path.slice(1),
  method: 'GET',
  path,
  responses: { 200: { content }, 304: {}, ...more },
});

const contract: Contract = {
  basePath: '',
  operations: [
    operation('/csv', CSV),
    operation('/json', JSON_LIST),
    operation('/either', { ...JSON_LIST, ...CSV }, { 404: { content: JSON_LIST } }),
    operation('/refusing', CSV, { 406: { content: JSON_LIST } }),
  ],
  protocolResponses: {},
};

type Headers = ExchangeParts['headers'];
const csv = (headers: Headers, request = 'GET /csv', body: string | undefined = 'a,b'): ExchangeParts => ({
  request,
  body,
  headers: { 'content-type': 'text/csv', ...headers },
});
const stream = (headers: Headers, request = 'GET /csv'): ExchangeParts =>
  csv({ 'content-length': null, 'transfer-encoding': 'chunked', ...headers }, request);
const unmodified = (headers: Headers, body?: string): ExchangeParts => ({
  request: 'GET /json',
  status: 304,
  body,
  headers: { 'content-length': null, 'content-type': null, ...headers },
});

describe('responseChecker, for media types', () => {
  const check = responseChecker({ contract });

  it.each<[string, ExchangeParts]>([
    ['a declared type', csv({})],
    ['a declared type with parameters', csv({ 'content-type': 'Text/CSV; charset=utf-8; header=present' })],
    ['another charset', csv({ 'content-type': 'text/csv;charset=latin1' })],
    ['the type that was chosen', csv({ vary: 'Accept' }, 'GET /either')],
    ['JSON that was chosen', { request: 'GET /either', body: ['a'], headers: { vary: 'Accept' } }],
    ['Vary of a type that may be refused', csv({ vary: 'Accept' }, 'GET /refusing')],
    ['HEAD', csv({ 'content-length': '3' }, 'HEAD /csv', '')],
    ['a stream', stream({})],
    ['a stream that was chosen', stream({ vary: 'Accept' }, 'GET /either')],
    ['304', unmodified({})],
    ['304 with the length of the body', unmodified({ 'content-length': '7' })],
  ])('accepts %s', (_, exchange) => {
    expect(() => check(buildExchange(exchange))).not.toThrow();
  });

  it.each<[string, ExchangeParts]>([
    ['the media type is text/html instead of text/csv', csv({ 'content-type': 'text/html' })],
    ['the media type is application/json instead of text/csv', csv({ 'content-type': 'application/json' })],
    ['the media type is text/csv-schema instead of text/csv', csv({ 'content-type': 'text/csv-schema' })],
    ['the media type is missing instead of text/csv', csv({ 'content-type': null })],
    [
      'the media type is text/plain instead of application/json or text/csv',
      csv({ 'content-type': 'text/plain' }, 'GET /either'),
    ],
    [
      'the media type is application/json; charset=latin1 instead of application/json or text/csv',
      { request: 'GET /either', body: [], headers: { 'content-type': 'application/json; charset=latin1' } },
    ],
    ['the body is not of type array', { request: 'GET /either', body: {} }],
    ['the media type is text/csv instead of application/json', { ...csv({}, 'GET /either'), status: 404 }],
    ['the response to HEAD has a body', csv({}, 'HEAD /csv')],
    ['the header vary is not declared', csv({ vary: 'Accept' })],
    ['the header pragma is not declared', csv({ pragma: 'no-cache' })],
    ['the header vary is not declared', csv({ vary: 'Origin, Accept' }, 'GET /either')],
    ['Content-Length is 9 and the body has 3 bytes', csv({ 'content-length': '9' })],
    ['Content-Length is missing and the body has 3 bytes', csv({ 'content-length': null })],
    ['Transfer-Encoding is chunked and Content-Length is 3', stream({ 'content-length': '3' })],
    ['Transfer-Encoding is gzip and Content-Length is missing', stream({ 'transfer-encoding': 'gzip' })],
    [
      'the body is sent with Transfer-Encoding instead of Content-Length',
      {
        request: 'GET /either',
        body: [],
        headers: { 'content-length': null, 'transfer-encoding': 'chunked' },
      },
    ],
    ['the response has a body and the contract declares none', unmodified({}, 'a')],
    ['Content-Length is x', unmodified({ 'content-length': 'x' })],
  ])('reports: %s', (difference, exchange) => {
    const sentence = `${exchange.request} returned ${exchange.status ?? 200}: ${difference}`;
    expect(() => check(buildExchange(exchange))).toThrow(new Error(sentence));
  });
});
