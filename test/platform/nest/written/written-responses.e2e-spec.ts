import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  Module,
  NotFoundException,
  Param,
  Post,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { setImmediate } from 'node:timers/promises';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { NEVER, type Observable } from 'rxjs';
import { FAILED, outcome } from '../../../properties/outcome.js';
import { type StartedApp, startApp } from '../../../support/start-app.js';
import { baseContract, getOf, json, postOf, writeContract } from '../../constructs/base-contract.js';
import { collectErrors } from '../toys/log.js';

class Conflict extends Error {}

const SOLD = { code: 'SOLD', message: 'It is sold.', status: 409 };
const WRONG = { statusCode: 409, path: '/v1/things/json' };

const conflict = (response: Response) => response.status(409).set('X-Owner', 'Ann');

const CODINGS: Record<string, (text: string) => Buffer> = {
  gzip: (text) => gzipSync(text),
  deflate: (text) => deflateSync(text),
  br: (text) => brotliCompressSync(text),
};

const compressed = (response: Response, coding: string, body: Buffer) =>
  conflict(response).type('json').set('Content-Encoding', coding).end(body);

/** What breaks the contract, with the reason in the log. */
const WRONG_WAYS: Record<string, [(response: Response) => unknown, string]> = {
  json: [(response) => conflict(response).json(WRONG), 'code is required'],
  send: [(response) => conflict(response).send(WRONG), 'code is required'],
  'end-text': [(response) => conflict(response).type('json').end(JSON.stringify(WRONG)), 'code is required'],
  'end-bytes': [(response) => conflict(response).type('json').end(Buffer.from('{}')), 'code is required'],
  head: [
    (response) =>
      response
        .set({ ETag: '"7"', 'Transfer-Encoding': 'chunked' })
        .writeHead(409, { 'x-owner': 'Ann', 'content-type': 'application/json' })
        .end('{}'),
    'code is required',
  ],
  'no-json': [(response) => conflict(response).type('json').end('{'), 'the body is not valid JSON'],
  text: [
    (response) => conflict(response).send('It is sold.'),
    'the media type is text/html, but application/json is declared',
  ],
  nothing: [(response) => conflict(response).end(), 'the media type is missing, but application/json is declared'],
  'no-header': [(response) => response.status(409).json(SOLD), 'the header X-Owner is missing'],
  'parts-of-text': [
    (response) => (conflict(response).type('text').write('It is '), response.end('sold.')),
    'the media type is text/plain, but application/json is declared',
  ],
  parts: [
    (response) => (conflict(response).type('json').write('{"code":'), response.end('7}')),
    'code must be a string',
  ],
  'parts-without-end': [
    (response) => (conflict(response).type('json').write('{"code":"SOLD",'), response.end()),
    'the body is not valid JSON',
  ],
  'flushed-parts': [
    (response) => (conflict(response).type('json').flushHeaders(), response.write('{'), response.end('}')),
    'code is required',
  ],
  ...Object.fromEntries(
    Object.entries(CODINGS).map(([coding, encode]) => [
      coding,
      [
        (response: Response) => compressed(response, coding, encode(JSON.stringify(WRONG))),
        'code is required',
      ] as const,
    ]),
  ),
  'not-compressed': [(response) => compressed(response, 'gzip', Buffer.from('{}')), 'the body is not valid gzip'],
  'unknown-coding': [
    (response) => compressed(response, 'zstd', Buffer.from('{}')),
    'the coding zstd of the body cannot be checked',
  ],
  flush: [(response) => (response.status(409).flushHeaders(), response.end()), 'the header X-Owner is missing'],
  'undeclared-body': [
    (response) => response.status(302).type('text').end('See there.'),
    'it has a body, which is not declared',
  ],
};

/** What keeps the contract. */
const RIGHT_WAYS: Record<string, (response: Response) => unknown> = {
  json: (response) => conflict(response).json(SOLD),
  head: (response) =>
    response
      .writeHead(409, 'Sold', ['X-Owner', 'Ann', 'Content-Type', 'application/json; charset=utf-8'])
      .end(JSON.stringify(SOLD)),
  parts: (response) => {
    conflict(response).type('json').flushHeaders();
    response.write('{"code":"SOLD",', () => response.end('"message":"It is sold.","status":409}'));
  },
  ...Object.fromEntries(
    Object.entries(CODINGS).map(([coding, encode]) => [
      coding,
      (response: Response) => compressed(response, coding, encode(JSON.stringify(SOLD))),
    ]),
  ),
  'compressed-parts': (response) => {
    const stream = createGzip();
    conflict(response).type('json').set('Content-Encoding', 'gzip');
    stream.pipe(response);
    stream.end(JSON.stringify(SOLD));
  },
};

const WAYS: Record<string, (response: Response) => unknown> = {
  ...Object.fromEntries(Object.entries(WRONG_WAYS).map(([way, [write]]) => [`wrong-${way}`, write])),
  ...RIGHT_WAYS,
  redirect: (response) => response.redirect('/v1/things/other'),
  large: (response) => {
    const part = 'a'.repeat(1024 * 1024);
    conflict(response).type('json').write('{"code":"');
    for (let count = 0; count < 25; count += 1) response.write(part);
    response.end('"}');
  },
  slow: (response) => {
    conflict(response)
      .type('json')
      .write(`{"code":"${'a'.repeat(SLOW_BYTES)}",`);
    slow.push(() => response.end('"message":"It is sold.","status":409}'));
  },
};

/** Two such responses leave no room for a third one. */
const SLOW_BYTES = 10 * 1024 * 1024;

/** Each ends a response that is slow. */
const slow: (() => void)[] = [];

const wayOf = (host: ArgumentsHost) => host.switchToHttp().getRequest<Request<{ thingId: string }>>().params.thingId;

@Catch(Conflict)
class ConflictFilter implements ExceptionFilter<Conflict> {
  catch(_: Conflict, host: ArgumentsHost): void {
    WAYS[wayOf(host)]!(host.switchToHttp().getResponse());
  }
}

/** As Nest's documentation has it. */
@Catch(NotFoundException)
class DocumentedFilter implements ExceptionFilter<NotFoundException> {
  catch(error: NotFoundException, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const status = error.getStatus();
    http
      .getResponse<Response>()
      .status(status)
      .json({ statusCode: status, timestamp: new Date().toISOString(), path: http.getRequest<Request>().url });
  }
}

const answersIn = (context: ExecutionContext, place: string) => {
  const request = context.switchToHttp().getRequest<Request>();
  if (request.headers['x-place'] !== place) return false;
  WAYS[wayOf(context)]!(context.switchToHttp().getResponse());
  return true;
};

const guard: CanActivate = {
  // Never settles: the request has its response.
  canActivate: (context) => (answersIn(context, 'guard') ? new Promise<boolean>(() => {}) : true),
};

const interceptor = {
  intercept: (context: ExecutionContext, next: CallHandler): Observable<unknown> =>
    answersIn(context, 'interceptor') ? NEVER : next.handle(),
};

@Controller('things')
@UseFilters(ConflictFilter, DocumentedFilter)
class ThingsController {
  @Get(':thingId')
  @UseGuards(guard)
  @UseInterceptors(interceptor)
  get(@Param('thingId') thingId: string): object {
    if (thingId === 'missing') throw new NotFoundException();
    throw new Conflict();
  }

  @Post()
  add(): Promise<object> {
    return Promise.reject(new Conflict());
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

/** Sessions do it, which ignore a second end. Here it closes the connection, so that the caller does not wait for ever. */
function endOnce(response: Response): void {
  const end = response.end.bind(response) as (...args: unknown[]) => Response;
  let hasEnded = false;
  response.end = (...args: unknown[]) => {
    if (hasEnded) return response.destroy();
    hasEnded = true;
    return end(...args);
  };
}

let started: StartedApp;
let errors: string[];

beforeAll(async () => {
  const contract = baseContract('3.0.3');
  const { responses } = getOf(contract);
  const owner = { required: true, schema: { type: 'string' } };
  responses[302] = { description: 'Elsewhere.' };
  responses[503] = { ...responses[404], headers: { 'Retry-After': { schema: { type: 'integer' } } } };
  responses[409] = { ...responses[404], headers: { 'X-Owner': owner } };
  responses[200].content = json({ type: 'object', properties: { name: { type: 'string' } } });
  delete postOf(contract).requestBody;
  const file = writeContract(contract);
  started = await startApp(
    {},
    {
      contractFile: file,
      features: [ThingsModule],
      prepare: (app) =>
        void app.use((request: Request, response: Response, next: () => void) => {
          if (request.headers['x-wrap'] !== undefined) endOnce(response);
          if (request.headers['x-place'] !== 'middleware') next();
          else WAYS[request.path.slice('/v1/things/'.length)]!(response);
        }),
    },
  );
});

beforeEach(() => {
  errors = collectErrors(started.app);
});

afterEach(async () => {
  // The connection is still in order.
  expect(await started.api.get('/v1/nothing')).toMatchObject({ status: 404 });
});

const get = (way: string, place = 'filter', method: 'GET' | 'HEAD' = 'GET') =>
  started.api.request(method, `/v1/things/${way}`, { headers: { 'x-place': place } });

const fetchThing = (way: string) =>
  fetch(`${started.baseUrl}/v1/things/${way}`, {
    headers: { authorization: `Bearer ${started.key}` },
    redirect: 'manual',
  });

describe('a response that an exception filter writes', () => {
  it.each(Object.entries(WRONG_WAYS).map(([way, [, reason]]) => [way, reason]))(
    'is replaced by a 500 when it breaks the contract: %s',
    async (way, reason) => {
      expect(outcome(await get(`wrong-${way}`))).toEqual(FAILED);
      expect(errors).toHaveLength(1);
      expect(errors[0]).toContain('getThing returned');
      expect(errors[0]).toContain(reason);
    },
  );

  it("is replaced by a 500 in the form of Nest's documentation", async () => {
    expect(outcome(await get('missing'))).toEqual(FAILED);
    expect(errors.join()).toContain(
      'getThing returned 404: the response does not match openapi.yaml: code is required',
    );
  });

  it.each(['wrong-json', 'wrong-head', 'wrong-parts-of-text'])(
    'is replaced by a 500 also when middleware wraps the end of the response: %s',
    async (way) => {
      const headers = { 'x-wrap': 'yes' };
      expect(outcome(await started.api.request('GET', `/v1/things/${way}`, { headers }))).toEqual(FAILED);
    },
  );

  it.each(Object.keys(RIGHT_WAYS))('is sent when it keeps the contract: %s', async (way) => {
    // It reads compressed bodies.
    const response = await fetchThing(way);
    expect([response.status, await response.json()]).toEqual([409, SOLD]);
    expect(response.headers.get('x-owner')).toBe('Ann');
    expect(errors).toEqual([]);
  });

  it('becomes a 503 when there is no room for its parts', async () => {
    const response = await get('large');
    expect(outcome(response)).toEqual({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE', message: 'The service is overloaded; try again.', status: 503 },
    });
    expect(response.header('retry-after')).toBe('1');
    expect(errors).toEqual([]);
  });

  it('becomes a 503 while parts of other responses take the room', async () => {
    const fetchSlow = async () => {
      const response = await fetchThing('slow');
      return [response.status, (await response.arrayBuffer()).byteLength > SLOW_BYTES];
    };
    const first = [fetchSlow(), fetchSlow()];
    while (slow.length < first.length) await setImmediate();
    expect((await get('slow')).status).toBe(503);
    for (const end of slow) end();
    expect(await Promise.all(first)).toEqual([
      [409, true],
      [409, true],
    ]);
  });

  it('is sent without the body that Express adds to a redirection', async () => {
    const response = await fetchThing('redirect');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/v1/things/other']);
    expect(await response.text()).toBe('');
  });

  it('is checked without its body when that is not sent', async () => {
    expect((await get('json', 'filter', 'HEAD')).status).toBe(409);
    expect((await get('wrong-no-header', 'filter', 'HEAD')).status).toBe(500);
  });
});

describe.each([
  ['a guard', 'guard'],
  ['an interceptor', 'interceptor'],
  ['middleware', 'middleware'],
])('a response that %s writes', (_, place) => {
  it('is replaced by a 500 when it breaks the contract', async () => {
    expect(outcome(await get('wrong-json', place))).toEqual(FAILED);
    expect(errors.join()).toContain(
      'getThing returned 409: the response does not match openapi.yaml: code is required',
    );
  });

  it('is sent when it keeps the contract', async () => {
    expect(outcome(await get('json', place))).toEqual({ status: 409, body: SOLD });
    expect(errors).toEqual([]);
  });
});
