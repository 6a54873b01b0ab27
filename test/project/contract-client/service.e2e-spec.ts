import { beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AcceptedType } from '../../../src/platform/http/request/accepted-type.decorator.js';
import { startApp } from '../../support/start-app.js';
import { baseContract, json } from '../../platform/constructs/base-contract.js';
import { buildClient } from './build-client.js';

const LINES = 'name,note\nAda,"a,b"\n';
const BYTES = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);

@Controller('seen')
class SeenController {
  @Get()
  see(@Query() query: object, @Req() { headers }: Request): object {
    return { seen: JSON.stringify({ query, list: headers['x-list'], cookie: headers.cookie }) };
  }
}

@Controller('files')
class FilesController {
  @Get('table')
  table(@AcceptedType() type: string): string | Buffer {
    return type === 'text/csv' ? LINES : BYTES;
  }

  @Get('picture')
  picture(): Buffer {
    return BYTES;
  }

  @Get('lines')
  async *lines(): AsyncGenerator<string> {
    yield '{"id":1}\n';
    yield '{"id":2}\n';
  }
}

@Module({ controllers: [SeenController, FilesController] })
class ClientModule {}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

type Call = (request?: object) => Promise<Answer>;
type Calls = Record<'see' | 'table' | 'picture' | 'lines', Call>;

const TEXTS = { type: 'array', items: { type: 'string' } };
const FILTER = {
  type: 'object',
  properties: { size: { type: 'integer', format: 'int64' }, 'a&b': { type: 'string' } },
  additionalProperties: false,
};
const query = (name: string, schema: object, more: object = {}) => ({ name, in: 'query', schema, ...more });

const PARAMETERS = [
  query('commas', TEXTS, { explode: false }),
  query('spaces', TEXTS, { style: 'spaceDelimited', explode: false }),
  query('bars', TEXTS, { style: 'pipeDelimited', explode: false }),
  query('filter', FILTER, { style: 'deepObject', explode: true }),
  query('free', { type: 'string' }, { allowReserved: true }),
  { name: 'X-List', in: 'header', schema: { type: 'array', items: { type: 'integer' }, maxItems: 3 } },
  { name: 'session', in: 'cookie', schema: { type: 'string', maxLength: 5 } },
];

/** A contract with what `openapi.yaml` does not use. */
function contract(): string {
  const document = baseContract('3.0.3');
  // The responses of errors of the base contract, to which each operation adds its own.
  const errors = Object.fromEntries(
    Object.entries(document.paths['/things'].post.responses).filter(([status]) => status !== '201'),
  );
  const get = (operationId: string, content: object, parameters: object[] = []) => ({
    get: { operationId, parameters, responses: { 200: { description: 'Found.', content }, ...errors } },
  });
  const file = (media: string) => ({ [media]: { schema: { type: 'string', format: 'binary' } } });
  document.paths = {
    '/seen': get('see', json({ type: 'object', properties: { seen: { type: 'string' } } }), PARAMETERS),
    '/files/table': get('table', { 'text/csv': { schema: { type: 'string' } }, ...file('application/octet-stream') }),
    '/files/picture': get('picture', file('image/png')),
    '/files/lines': get('lines', file('application/x-ndjson')),
  };
  return JSON.stringify(document);
}

describe('the client of a service with other parameters and media types', () => {
  let client: Calls;
  let address: string;
  let createClient: Awaited<ReturnType<typeof buildClient<Calls>>>;

  beforeAll(async () => {
    const file = join(mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'service-')), 'openapi.yaml');
    writeFileSync(file, contract());
    const { baseUrl, key } = await startApp({}, { contractFile: file, features: [ClientModule] });
    address = `${baseUrl}/v1`;
    createClient = await buildClient(contract());
    client = createClient({ baseUrl: address, key });
  });

  const seen = async (request: object): Promise<unknown> => {
    const { status, body } = await client.see(request);
    expect([status, body]).toEqual([200, { seen: expect.any(String) }]);
    return JSON.parse((body as { seen: string }).seen);
  };

  it.each<[string, object]>([
    ['a list with commas', { commas: ['a', 'b,c', 'd e', '', 'ä&=+'] }],
    ['an empty list with commas', { commas: [] }],
    ['a list with spaces', { spaces: ['a', 'b,c', '', 'd|e+f'] }],
    ['a list with bars', { bars: ['a', 'b c', 'd,e'] }],
    ['an object', { filter: { size: 7, 'a&b': 'c=d' } }],
    ['text with reserved characters', { free: "a/b?c&d=#e+f:@!$'()*,;" }],
  ])('sends %s', async (_, sent) => {
    expect(await seen({ query: sent })).toEqual({ query: sent });
  });

  it('sends every digit of an object', async () => {
    // The handler gets a bigint, which JSON does not know.
    const result = await client.see({ query: { filter: { size: 2n ** 63n } } });
    expect(result).toMatchObject({ status: 400, body: { message: expect.stringContaining('filter.size must be') } });
  });

  it('sends lists in headers', async () => {
    expect(await seen({ header: { 'X-List': [1, 2n ** 53n + 1n] } })).toEqual({
      query: {},
      list: '1,9007199254740993',
    });
    expect(await client.see({ header: { 'X-List': [1, 2, 3, 4] } })).toMatchObject({ status: 400 });
  });

  it('sends cookies', async () => {
    expect(await seen({ cookie: { session: 'a;b ä', none: undefined } })).toEqual({
      query: {},
      cookie: 'session=a%3Bb%20%C3%A4',
    });
    expect(await client.see({ cookie: { session: 'a;b äc' } })).toMatchObject({ status: 400 });
  });

  it('reads text, of several media types the first', async () => {
    expect(await client.table()).toMatchObject({ status: 200, body: LINES });
  });

  it.each<['picture' | 'lines', Buffer]>([
    ['picture', BYTES],
    ['lines', Buffer.from('{"id":1}\n{"id":2}\n')],
  ])('reads a stream: %s', async (name, expected) => {
    const { status, body } = await client[name]();
    const read = await new Response(body as ReadableStream).arrayBuffer();
    expect([status, Buffer.from(read)]).toEqual([200, expected]);
  });

  it('reads the JSON of an error where a success is something else', async () => {
    const stranger = createClient({ baseUrl: address, key: 'none' });
    expect(await stranger.table()).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect(await stranger.lines()).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
  });
});
