import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, NotFoundException, Param, Post, Res, StreamableFile } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { createGzip, type Gzip } from 'node:zlib';
import { AcceptedType } from '../../../../src/platform/http/request/accepted-type.decorator.js';
import { Client } from '../../../support/http/client.js';
import { type StartedApp, startApp } from '../../../support/start-app.js';
import { baseContract, getOf, json, postOf, writeContract } from '../../constructs/base-contract.js';

const ID = 2n ** 60n;
const SECRET = 'hunter2';

@Controller('things')
class ThingsController {
  @Get(':thingId')
  get(
    @Param('thingId') thingId: string,
    @AcceptedType() type: string,
    @Res({ passthrough: true }) response: Response,
  ): unknown {
    response.setHeader('ETag', '"1"');
    if (thingId === 'old') response.setHeader('ETag', '"0"');
    if (thingId === 'unnamed' || thingId === 'dated') response.removeHeader('ETag');
    if (thingId === 'dated') response.setHeader('Last-Modified', new Date(0).toUTCString());
    if (thingId === 'missing') throw new NotFoundException();
    if (thingId === 'wrong') return { name: 'Ball' };
    if (thingId === 'stream') return new StreamableFile(Buffer.from('a,b'), { type: 'text/csv' });
    return type === 'text/csv' ? 'a,b' : { id: ID, name: 'Ball', owner: SECRET };
  }

  @Post()
  add(@Res({ passthrough: true }) response: Response): object {
    response.setHeader('ETag', '"1"');
    return { id: 1 };
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

type Change = (body: unknown) => unknown;
type Writer = (...args: unknown[]) => Response;

/** What the middleware has seen. */
let seen: Record<string, unknown>[] = [];

/** As compression and on-headers do it. */
function compress(response: Response): void {
  const [writeHead, write, end] = (['writeHead', 'write', 'end'] as const).map((name) =>
    (response[name] as Writer).bind(response),
  ) as [Writer, Writer, Writer];
  let hasSeenHead = false;
  let stream: Gzip | undefined;
  response.writeHead = (...args: unknown[]) => {
    if (!hasSeenHead) {
      hasSeenHead = true;
      seen.push(response.getHeaders());
      const type = String(response.getHeader('Content-Type') ?? '');
      if (/json|csv/.test(type)) {
        response.setHeader('Vary', [response.getHeader('Vary') ?? [], 'Accept-Encoding'].flat().join(', '));
        response.setHeader('Content-Encoding', 'gzip');
        response.removeHeader('Content-Length');
        stream = createGzip();
        stream.on('data', (chunk) => write(chunk));
        stream.on('end', () => end());
      }
    }
    return writeHead(...args);
  };
  const startHead = () => hasSeenHead || response.writeHead(response.statusCode);
  response.write = (...args: unknown[]) => {
    startHead();
    return stream ? stream.write(...(args as [Buffer])) : Boolean(write(...args));
  };
  response.end = (...args: unknown[]) => {
    startHead();
    if (!stream) return end(...args);
    stream.end(...(args as [Buffer]));
    return response;
  };
}

/** As logs of responses do it. */
function replace(response: Response, name: 'json' | 'send', change: Change): void {
  const original = (response[name] as Writer).bind(response);
  response[name] = (body: unknown) => {
    seen.push({ [name]: body, status: response.statusCode });
    return original(change(body));
  };
}

const CHANGES: Record<string, Change> = {
  same: (body) => body,
  changed: (body) => Object.assign(body as object, { name: 'Cube' }),
  wrapped: (data) => ({ data }),
  text: (text) => String(text).replace('Ball', 'Cube'),
  numbers: () => ({ id: Number.NaN }),
};

function middleware(request: Request, response: Response, next: NextFunction): void {
  const { 'x-compress': compresses, 'x-json': ofJson, 'x-send': ofSend, 'x-status': status } = request.headers;
  if (compresses !== undefined) compress(response);
  if (typeof ofJson === 'string') replace(response, 'json', CHANGES[ofJson]!);
  if (typeof ofSend === 'string') replace(response, 'send', CHANGES[ofSend]!);
  if (status !== undefined)
    replace(response, 'json', (body) => {
      response.status(Number(status));
      return body;
    });
  next();
}

let started: StartedApp;
let client: Client;

beforeAll(async () => {
  const contract = baseContract('3.0.3');
  const { responses } = getOf(contract);
  const id = { type: 'integer', format: 'int64' };
  const thing = { type: 'object', required: ['id'], properties: { id, name: { type: 'string' } } };
  responses[200].content = { ...json(thing), 'text/csv': { schema: { type: 'string' } } };
  const later = { type: 'object', required: ['later'], properties: { later: id } };
  responses[202] = { description: 'Later.', content: { ...responses[200].content, ...json(later) } };
  responses[304] = { description: 'Not modified.', headers: { ETag: { required: true, schema: { type: 'string' } } } };
  responses[406] = responses[404];
  postOf(contract).responses[304] = { description: 'Not modified.' };
  delete postOf(contract).requestBody;
  const file = writeContract(contract);
  const prepare = (app: { use: (handler: typeof middleware) => unknown }) => void app.use(middleware);
  started = await startApp({}, { contractFile: file, features: [ThingsModule], prepare });
  // The check would miss Vary, ETag and the like, which this contract does not declare.
  client = new Client({ port: started.port, key: started.key, check: () => {} });
});

afterAll(() => client.close());

beforeEach(() => {
  seen = [];
});

async function send(target: string, headers: Record<string, string> = {}, method = 'GET') {
  const authorization = `Bearer ${started.key}`;
  const response = await fetch(`${started.baseUrl}/v1/things${target}`, {
    method,
    headers: { authorization, ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const THING = `{"id":${ID},"name":"Ball"}`;
const FAILED_TEXT =
  '{"code":"INTERNAL_SERVER_ERROR","message":"The service failed; the request was not at fault.","status":500}';

describe('middleware that compresses', () => {
  it.each([
    ['JSON', '/a', {}, 200, THING],
    ['text', '/a', { accept: 'text/csv' }, 200, 'a,b'],
    ['a stream', '/stream', { accept: 'text/csv' }, 200, 'a,b'],
    ['an error', '/missing', {}, 404, /"status":404/],
    ['a failure', '/wrong', {}, 500, FAILED_TEXT],
    ['an unknown path', '/a/b', {}, 404, /"status":404/],
  ])('sees the head, and compresses the body: %s', async (_, target, headers, status, text) => {
    const response = await send(target, { 'x-compress': 'yes', ...headers });
    expect(response).toMatchObject({ status, text: expect.stringMatching(text) });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(seen).toEqual([
      expect.objectContaining({
        'content-type': expect.stringMatching(/^(application\/json|text\/csv)/),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': response.headers.get('x-request-id'),
      }),
    ]);
  });

  it('adds to the Vary of the platform, and no header is sent twice', async () => {
    const plain = await client.request('GET', '/v1/things/a');
    const response = await client.request('GET', '/v1/things/a', { headers: { 'x-compress': 'yes' } });
    const namesOf = ({ rawHeaders }: typeof plain) => rawHeaders.filter((__, index) => index % 2 === 0);
    const names = namesOf(response).map((name) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    expect(response.header('vary')).toBe('Accept, Accept-Encoding');
    expect(plain.header('vary')).toBe('Accept');
  });

  it.each([
    ['a body that is not modified', '/a', 'GET', { 'if-none-match': '"1"' }, 304],
    ['OPTIONS', '', 'OPTIONS', {}, 204],
  ] as const)('sees the head without a body: %s', async (_, target, method, headers, status) => {
    expect((await sendPlainly(target, { 'x-compress': 'yes', ...headers }, method)).status).toBe(status);
    expect(seen).toEqual([expect.objectContaining({ 'cache-control': 'no-store' })]);
    expect(seen[0]).not.toHaveProperty('content-type');
  });
});

describe('middleware that replaces json', () => {
  it.each([
    ['a handler returns', '/a', 200, { id: ID, name: 'Ball' }, THING],
    ['is an error', '/missing', 404, { status: 404 }, /"status":404/],
    ['breaks the contract', '/wrong', 500, { status: 500 }, FAILED_TEXT],
    ['has an unknown path', '/a/b', 404, { status: 404 }, /"status":404/],
  ])('gets the body as it is sent, without undeclared members: what %s', async (_, target, status, body, text) => {
    const response = await send(target, { 'x-json': 'same' });
    expect(response).toMatchObject({ status, text: expect.stringMatching(text) });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(seen).toEqual([{ json: expect.objectContaining(body), status }]);
    expect(seen[0]!.json).not.toHaveProperty('owner');
  });

  it('may change the body within the contract', async () => {
    const response = await send('/a', { 'x-json': 'changed' });
    expect(response).toMatchObject({ status: 200, text: `{"id":${ID},"name":"Cube"}` });
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it.each(['wrapped', 'numbers'])('gets a 500 for a body that breaks the contract: %s', async (change) => {
    expect(await send('/a', { 'x-json': change })).toMatchObject({ status: 500, text: FAILED_TEXT });
  });

  it.each([
    ['with another body', '202'],
    ['that is not declared', '203'],
  ])('gets a 500 for a status %s', async (_, status) => {
    expect(await send('/a', { 'x-status': status })).toMatchObject({ status: 500, text: FAILED_TEXT });
  });

  it('is not called for text', async () => {
    expect(await send('/a', { 'x-json': 'same', accept: 'text/csv' })).toMatchObject({ status: 200, text: 'a,b' });
    expect(seen).toEqual([]);
  });
});

describe('middleware that replaces send', () => {
  it.each([
    ['JSON', {}, THING],
    ['text', { accept: 'text/csv' }, 'a,b'],
  ])('gets the text of the body: %s', async (_, headers, text) => {
    expect(await send('/a', { 'x-send': 'same', ...headers })).toMatchObject({ status: 200, text });
    expect(seen).toEqual([{ send: text, status: 200 }]);
  });

  it('is called beside json, and compresses', async () => {
    const response = await send('/a', { 'x-send': 'same', 'x-json': 'same', 'x-compress': 'yes' });
    expect(response).toMatchObject({ status: 200, text: THING });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(seen.map((one) => Object.keys(one)[0])).toEqual(['json', 'send', expect.any(String)]);
  });

  it('may change the text within the contract', async () => {
    expect(await send('/a', { 'x-send': 'text' })).toMatchObject({ status: 200, text: THING.replace('Ball', 'Cube') });
  });

  it('gets a 500 for a text that breaks the contract', async () => {
    expect(await send('/a', { 'x-send': 'numbers' })).toMatchObject({ status: 500, text: FAILED_TEXT });
  });
});

/** For conditional requests, fetch would add Cache-Control: no-cache, for which no response is fresh. */
const sendPlainly = (
  target: string,
  headers: Record<string, string>,
  method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS' = 'GET',
) => client.request(method, `/v1/things${target}`, { headers });

describe('a declared 304', () => {
  it.each([
    ['its tag', '/a', { 'if-none-match': '"1"' }],
    ['one of its tags', '/a', { 'if-none-match': '"0", W/"1"' }],
    ['any version', '/a', { 'if-none-match': '*' }],
    ['its tag of text', '/a', { 'if-none-match': '"1"', accept: 'text/csv' }],
    ['its tag of a stream', '/stream', { 'if-none-match': '"1"', accept: 'text/csv' }],
  ])('is sent to a client that has the body: %s', async (_, target, headers) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const response = await sendPlainly(target, headers, method);
      expect(response).toMatchObject({ status: 304, text: '' });
      expect(response.header('etag')).toBe('"1"');
      expect(response.header('content-type')).toBeUndefined();
    }
  });

  it.each([
    ['it has another version', '/a', { 'if-none-match': '"2"' }, 200],
    ['it says nothing', '/a', {}, 200],
    ['the handler sets another tag', '/old', { 'if-none-match': '"1"' }, 200],
    ['the handler sets no tag', '/unnamed', { 'if-none-match': '"1"' }, 200],
    ['the handler sets no tag for any', '/unnamed', { 'if-none-match': '*' }, 200],
    ['the response is an error', '/missing', { 'if-none-match': '"1"' }, 404],
    ['the response breaks the contract', '/wrong', { 'if-none-match': '"1"' }, 500],
  ])('is not sent when %s', async (_, target, headers, status) => {
    expect((await sendPlainly(target, headers)).status).toBe(status);
  });

  it('is replaced by a 500 when it lacks a header that it requires', async () => {
    expect(await sendPlainly('/dated', { 'if-none-match': '*' })).toMatchObject({ status: 500, text: FAILED_TEXT });
  });

  it('is not sent for a creation', async () => {
    expect((await sendPlainly('', { 'if-none-match': '"1"' }, 'POST')).status).toBe(201);
  });
});
