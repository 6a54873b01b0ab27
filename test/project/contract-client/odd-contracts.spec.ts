import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildClient } from './build-client.js';
import { ODD_CONTRACT } from './odd-contracts.js';

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

type Client = Record<'putValues' | 'getPart', (request: object) => Promise<Answer>>;

const PLACE = { key: 'a/ä ?', id: -(2n ** 63n) };

describe('the client of another contract', () => {
  let server: Server;
  let client: Client;
  let received: { url?: string; body: string; version?: string | string[] };
  let answer: { status: number; body: string; headers: Record<string, string> };

  beforeAll(async () => {
    const createClient = await buildClient<Client>(ODD_CONTRACT);
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (bytes) => (body += String(bytes)));
      request.on('end', () => {
        received = { url: request.url, body, version: request.headers['x-version'] };
        response.writeHead(answer.status, answer.headers).end(answer.body);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    client = createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, key: '' });
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const respond = (status: number, body = '', headers: Record<string, string> = {}): void => {
    answer = { status, body, headers: { 'content-type': 'application/json', ...headers } };
  };

  it.each<[string, string, unknown]>([
    ['nested lists of int64', '{"nested":[[1],[9007199254740993,2]]}', { nested: [[1n], [2n ** 53n + 1n, 2n]] }],
    [
      'a map of int64 beside members',
      '{"map":{"name":"a","count":1,"other":1.5,"x":9223372036854775807,"y":null}}',
      { map: { name: 'a', count: 1, other: 1.5, x: 2n ** 63n - 1n, y: null } },
    ],
    ['a map of maps of int64', '{"maps":{"a":{"b":-9007199254740993}}}', { maps: { a: { b: -(2n ** 53n) - 1n } } }],
    ['an int64 that may be null', '{"nullable":7}', { nullable: 7n }],
    ['an int64 or the type null', '{"absent":7}', { absent: 7n }],
    ['the type null in the place of an int64', '{"absent":null}', { absent: null }],
    ['null in the place of an int64', '{"nullable":null}', { nullable: null }],
    ['an int64 or text', '{"either":9007199254740993}', { either: 2n ** 53n + 1n }],
    [
      'an int64 or an object with one',
      '{"expanded":[1,{"id":2,"name":"a","sizes":[3]}]}',
      { expanded: [1n, { id: 2n, name: 'a', sizes: [3n] }] },
    ],
    [
      'a number or a list of int64',
      '{"listed":[9007199254740994,[9007199254740993]]}',
      { listed: [2 ** 53 + 2, [2n ** 53n + 1n]] },
    ],
    ['text in the place of an int64', '{"either":"9007199254740993"}', { either: '9007199254740993' }],
    ['a small integer without bounds', '{"plain":7}', { plain: 7 }],
    ['a large integer without bounds', '{"plain":9007199254740993}', { plain: 2n ** 53n + 1n }],
    ['an integer with the bounds of an int64', '{"large":9223372036854775807}', { large: 2n ** 63n - 1n }],
    ['a constant', '{"fixed":9007199254740993}', { fixed: 2n ** 53n + 1n }],
    ['a number', '{"ratio":0.1}', { ratio: 0.1 }],
    ['values of any type', '{"any":[9007199254740993,{"a":1}]}', { any: [2n ** 53n + 1n, { a: 1 }] }],
    ['undeclared members', '{"open":{"a":9007199254740993}}', { open: { a: 2n ** 53n + 1n } }],
  ])('sends and reads %s', async (_, text, body) => {
    respond(200, text);
    expect(await client.putValues({ body })).toMatchObject({ ok: true, status: 200, body });
    expect(received).toMatchObject({ url: '/v1/values', body: text });
  });

  it('does not round an integer where the contract has a number', async () => {
    respond(200, '{"ratio":9007199254740993}');
    await expect(client.putValues({ body: {} })).rejects.toThrow('200 came with invalid JSON.');
  });

  it('refuses another media type than it asks for', async () => {
    respond(200, 'a,b', { 'content-type': 'text/csv' });
    await expect(client.putValues({ body: {} })).rejects.toThrow('200 came with text/csv, not JSON.');
  });

  it('sends every digit in the path, the query and a header', async () => {
    respond(200, '1');
    const query = { ids: [2n ** 53n + 1n, 1n], least: 2n ** 60n };
    await client.getPart({ path: PLACE, query, header: { 'X-Version': 2n ** 63n - 1n } });
    expect(received).toMatchObject({
      url: '/v1/parts/a%2F%C3%A4%20%3F/-9223372036854775808?ids=9007199254740993&ids=1&least=1152921504606846976',
      version: '9223372036854775807',
    });
  });

  it('sends a number beyond 2^53 as digits', async () => {
    respond(200, '1');
    await client.getPart({ path: PLACE, query: { least: 1e21 }, header: { 'X-Version': -0 } });
    expect(received).toMatchObject({ version: '0' });
    expect(new URL(received.url ?? '', 'http://a').searchParams.get('least')).toBe('1000000000000000000000');
  });

  it.each<[number, string, boolean, unknown]>([
    [200, '9223372036854775807', true, 2n ** 63n - 1n],
    [202, '{"after":3}', true, { after: 3 }],
    [204, '', true, undefined],
    [304, '', false, undefined],
    [410, '"gone"', false, 'gone'],
  ])('tells %i from the other statuses', async (status, text, ok, body) => {
    respond(status, text);
    expect(await client.getPart({ path: PLACE })).toMatchObject({ ok, status, body });
  });

  it('returns a redirection that the contract declares', async () => {
    respond(303, '', { location: '/v1/values' });
    const result = await client.getPart({ path: PLACE });
    expect([result.status, result.body, result.headers.get('Location')]).toStrictEqual([303, undefined, '/v1/values']);
    expect(received.url).toContain('/v1/parts/');
  });
});
