import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, createClient, nextCursor, UnexpectedResponse } from '../src/client.js';
import type { QueryStyle } from '../src/operation-call.js';
import { headerText } from '../src/parameter-text.js';
import { requestTarget } from '../src/request-target.js';

const ERROR = { code: 'UNAUTHORIZED', message: 'The API key is not valid.', status: 401 };

describe('the client', () => {
  let server: Server;
  let baseUrl: string;
  let client: Client;
  let requests: object[];
  let reply: (request: IncomingMessage, response: ServerResponse) => void;

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (bytes) => (body += String(bytes)));
      request.on('end', () => {
        const { method, url, headers } = request;
        requests.push({ method, url, body, key: headers.authorization, type: headers['content-type'] });
        reply(request, response);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    client = createClient({ baseUrl, key: 'secret' });
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Sets the next response. */
  const respond = (status: number, body: string, headers: Record<string, string> = {}) => {
    requests = [];
    reply = (_, response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };

  it('sends method, path, query and key', async () => {
    respond(200, '[]');
    const result = await client.listPets({ query: { limit: 2, status: 'sold', cursor: 'a/b&c' } });
    expect(requests).toStrictEqual([
      {
        method: 'GET',
        url: '/v1/pets?limit=2&status=sold&cursor=a%2Fb%26c',
        body: '',
        key: 'Bearer secret',
        type: undefined,
      },
    ]);
    expect([result.ok, result.status, result.body]).toStrictEqual([true, 200, []]);
  });

  it('requires no request where the contract requires none, and omits undefined parameters', async () => {
    respond(200, '[]');
    await client.listPets();
    await client.listPets({ query: { limit: undefined } });
    expect(requests).toMatchObject([{ url: '/v1/pets' }, { url: '/v1/pets' }]);
  });

  it('accepts a base address that ends with a slash', async () => {
    respond(200, '[]');
    await createClient({ baseUrl: `${baseUrl}/`, key: '' }).listPets();
    expect(requests).toMatchObject([{ url: '/v1/pets' }]);
  });

  it('sends and reads every digit of a 64-bit integer', async () => {
    respond(201, '{"id":9223372036854775807,"name":"Rex","categoryId":-9223372036854775808}');
    const created = await client.createPet({ body: { name: 'Rex', categoryId: 2n ** 53n + 1n } });
    expect(requests).toMatchObject([
      { method: 'POST', body: '{"name":"Rex","categoryId":9007199254740993}', type: 'application/json' },
    ]);
    expect(created.body).toStrictEqual({ id: 2n ** 63n - 1n, name: 'Rex', categoryId: -(2n ** 63n) });

    respond(200, '{"id":1,"name":"Rex","categoryId":7}');
    const found = await client.getPet({ path: { petId: -(2n ** 63n) } });
    expect(requests).toMatchObject([{ url: '/v1/pets/-9223372036854775808' }]);
    expect(found.body).toStrictEqual({ id: 1n, name: 'Rex', categoryId: 7n });
  });

  it('returns an error that the contract declares, with its body and headers', async () => {
    respond(401, JSON.stringify(ERROR), { 'www-authenticate': 'Bearer' });
    const result = await client.listPets();
    if (result.status !== 401) throw new Error(`the status is ${result.status}`);
    expect([result.ok, result.body, result.headers.get('WWW-Authenticate')]).toStrictEqual([false, ERROR, 'Bearer']);
    expect(result.response.status).toBe(401);
  });

  it.each<[string, number, string, Record<string, string>, string]>([
    ['of a proxy', 502, '<html>', { 'content-type': 'text/html' }, '502 is not a status that the contract declares.'],
    ['that is not JSON', 200, 'a', { 'content-type': 'text/plain' }, '200 came with text/plain, not JSON.'],
    ['with broken JSON', 200, '[', {}, '200 came with invalid JSON.'],
    ['with a fraction for an int64', 200, '[{"id":1.5}]', {}, '200 came with invalid JSON.'],
  ])('throws for a response %s', async (_, status, body, headers, message) => {
    respond(status, body, headers);
    const error: unknown = await client.listPets().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnexpectedResponse);
    expect(error).toMatchObject({ message, text: body, response: { status } });
  });

  it('stops when its signal aborts', async () => {
    reply = () => {};
    const stopping = new AbortController();
    const call = client.listPets({}, { signal: stopping.signal });
    stopping.abort();
    await expect(call).rejects.toThrow('aborted');
  });
});

describe('requestTarget', () => {
  it('encodes path parameters and repeats lists', () => {
    const parameters = { path: { name: 'a/b?' }, query: { tag: ['x y', 'z'], since: 2n ** 63n, none: undefined } };
    expect(requestTarget('/tags/{name}', parameters)).toBe('/tags/a%2Fb%3F?tag=x%20y&tag=z&since=9223372036854775808');
  });

  it('rejects an empty list, which it cannot repeat', () => {
    expect(() => requestTarget('/x', { query: { tag: [] } })).toThrow(
      new TypeError('The list tag cannot be empty: omit it, or give it an item.'),
    );
  });

  it.each(['', '.', '..'])('rejects the path parameter "%s", which would lead to another resource', (name) => {
    expect(() => requestTarget('/tags/{name}', { path: { name } })).toThrow(
      new TypeError(`The path parameter name cannot be "${name}".`),
    );
  });
});

describe('requestTarget with styles', () => {
  it.each<[QueryStyle, string[], string]>([
    ['form', ['a,b', 'c d', ''], '/x?tag=a%2Cb,c%20d,'],
    ['spaceDelimited', ['a,b', 'c'], '/x?tag=a%2Cb%20c'],
    ['pipeDelimited', ['a b', 'c'], '/x?tag=a%20b%7Cc'],
    ['form', [], '/x?tag='],
  ])('writes the style %s of %j', (style, tag, target) => {
    expect(requestTarget('/x', { query: { tag } }, { tag: style })).toBe(target);
  });

  it('writes each member of an object', () => {
    const filter = { size: 2n ** 63n, 'a&b': 'c', none: undefined };
    expect(requestTarget('/x', { query: { filter, other: 1 } }, { filter: 'deepObject' })).toBe(
      '/x?filter%5Bsize%5D=9223372036854775808&filter%5Ba%26b%5D=c&other=1',
    );
  });

  it.each<[QueryStyle, string]>([
    ['spaceDelimited', 'a b'],
    ['pipeDelimited', 'a|b'],
    ['form', ''],
  ])('rejects an item that the service would split: %s', (style, item) => {
    expect(() => requestTarget('/x', { query: { tag: [item] } }, { tag: style })).toThrow(TypeError);
  });
});

describe('headerText', () => {
  it.each([['a,b'], [' a'], ['']])(
    'rejects the item "%s" of a list, which the service would read otherwise',
    (item) => {
      expect(() => headerText('X-Tags', [item])).toThrow(TypeError);
    },
  );

  it('writes numbers and lists of them', () => {
    expect([headerText('X-A', 1e21), headerText('X-A', [1n, true])]).toStrictEqual([
      '1000000000000000000000',
      '1,true',
    ]);
  });
});

describe('nextCursor', () => {
  it.each([
    [null, undefined],
    ['</v1/pets?limit=2&cursor=3-36>; rel="next"', '3-36'],
    ['<https://petstore.example/v1/pets?cursor=a%2Bb>; rel="next"', 'a+b'],
    ['</v1/pets>; rel="successor-version", </docs>; rel="deprecation"', undefined],
    ['</v1/pets?cursor=1>; rel="prev", </v1/pets?cursor=2>; rel="next"', '2'],
  ])('reads %j', (link, cursor) => {
    expect(nextCursor(link)).toBe(cursor);
  });
});
