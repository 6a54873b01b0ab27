import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from './client.js';
import type { Exchange } from './exchange.js';

describe('Client', () => {
  let server: Server;
  let client: Client;
  let seen: Exchange[];
  let received: string;
  let reply: (request: IncomingMessage, response: ServerResponse) => void;

  beforeAll(async () => {
    server = createServer((request, response) => {
      received = '';
      request.on('data', (bytes) => (received += String(bytes)));
      reply(request, response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    client = new Client({ port, key: 'secret', check: (exchange) => void seen.push(exchange) });
  });

  beforeEach(() => {
    seen = [];
    reply = (request, response) =>
      request.on('end', () => response.end(JSON.stringify({ ...request.headers, received })));
  });

  afterAll(() => {
    client.close();
    server.close();
  });

  it('sends the key and exact JSON', async () => {
    const { json } = await client.post('/a?b=c', { id: 2n ** 63n });
    expect(json).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/json',
      received: '{"id":9223372036854775808}',
    });
  });

  it('sends text and bytes unchanged', async () => {
    expect((await client.post('/', '{"a":')).json).toMatchObject({ received: '{"a":' });
    expect((await client.post('/', Buffer.from([0x41, 0x0a]))).json).toMatchObject({ received: 'A\n' });
  });

  it('sends another key, no key, or no media type on request', async () => {
    expect((await client.get('/', { key: 'other' })).json).toMatchObject({ authorization: 'Bearer other' });
    expect((await client.get('/', { key: null })).json).not.toHaveProperty('authorization');
    const { json } = await client.post('/', '{}', { headers: { 'Content-Type': null } });
    expect(json).not.toHaveProperty('content-type');
  });

  it('gives the typed client a response whose status has no body', async () => {
    reply = (_, response) => response.writeHead(304).end();
    await expect(client.call.listPets()).rejects.toThrow('304 is not a status that the contract declares.');
  });

  it('reads status, every header and exact JSON', async () => {
    reply = (_, response) =>
      response.writeHead(207, ['Link', '<a>', 'link', '<b>', 'X-One', '1']).end('{"id":9223372036854775807}');
    const result = await client.get('/');
    expect(result.status).toBe(207);
    expect(result.headers).toMatchObject({ link: ['<a>', '<b>'], 'x-one': ['1'] });
    expect(result.header('X-One')).toBe('1');
    expect(result.header('X-Two')).toBeUndefined();
    expect(() => result.header('Link')).toThrow('the response has 2 headers Link');
    expect(result.json).toEqual({ id: 2n ** 63n - 1n });
  });

  it('reads a response that arrives before the body is sent', async () => {
    reply = (_, response) => {
      response.writeHead(413, { connection: 'close', 'content-length': 2 }).end('no', () => response.destroy());
    };
    const result = await client.post('/', Buffer.alloc(4_000_000));
    expect([result.status, result.text]).toEqual([413, 'no']);
  });

  it('checks every response to its typed client', async () => {
    reply = (_, response) =>
      response.writeHead(200, ['Content-Type', 'application/json', 'Link', '<a>']).end('[{"id":1}]');
    const result = await client.call.listPets({ query: { limit: 2 } });
    expect(result.body).toEqual([{ id: 1n }]);
    expect(result.response.headers.get('Link')).toBe('<a>');
    expect(seen).toMatchObject([{ method: 'GET', target: '/v1/pets?limit=2', raw: false, response: { status: 200 } }]);
  });

  it('sends the key and exact JSON with its typed client, or another key', async () => {
    const keys: unknown[] = [];
    reply = (request, response) =>
      request.on('end', () => {
        keys.push(request.headers.authorization);
        response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":9223372036854775807}');
      });
    const body = { name: 'Rex', categoryId: 2n ** 63n - 1n };
    expect((await client.call.createPet({ body })).body).toEqual({ id: 2n ** 63n - 1n });
    expect(received).toBe('{"name":"Rex","categoryId":9223372036854775807}');
    await client.callsWith('other').createPet({ body });
    expect(keys).toEqual(['Bearer secret', 'Bearer other']);
  });

  it('checks every response', async () => {
    await client.post('/a?b=c', 'text');
    expect(seen).toMatchObject([{ method: 'POST', target: '/a?b=c', body: Buffer.from('text'), raw: false }]);
  });
});
