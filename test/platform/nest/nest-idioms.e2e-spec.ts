import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { map } from 'rxjs';
import { collectErrors } from './toys/log.js';
import { PICTURE } from './toys/responses/pictures.controller.js';
import { startToys } from './toys/start-toys.js';
import { TOYS_CONTRACT } from './toys/toys-contract.js';
import { Trace } from './toys/trace.js';
import {
  badRequest,
  FAILED,
  MISSING_KEY,
  NO_JSON,
  noResourceAt,
  outcome,
  rejection,
} from '../../properties/outcome.js';
import type { Outcome } from '../../properties/outcome.js';
import type { Client } from '../../support/http/client.js';
import type { StartedApp } from '../../support/start-app.js';

const BALL = { status: 200, body: { name: 'Ball' } };

let started: StartedApp;
let api: Client;
let errors: string[];
let trace: Trace;

beforeAll(async () => {
  started = await startToys();
  api = started.api;
  trace = started.app.get(Trace);
});

beforeEach(() => {
  // Nest has one logger per process: that of the last application started.
  errors = collectErrors(started.app);
  trace.take();
});

/** For responses that the contract check of the client does not support: other media types, and maps. */
async function getBytes(target: string, method = 'GET') {
  const headers = { Authorization: `Bearer ${started.key}` };
  const response = await fetch(`${started.baseUrl}${target}`, { method, headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('content-type'), headers: response.headers, bytes };
}

describe('a contract and a feature folder', () => {
  it('are enough for a new resource', async () => {
    expect((await api.get('/openapi.yaml')).bytes).toEqual(readFileSync(TOYS_CONTRACT));
    expect(outcome(await api.get('/v1/open-toys'))).toEqual(BALL);
    expect(outcome(await api.get('/v1/pets'))).toEqual(noResourceAt('/v1/pets'));
  });
});

describe('a guard', () => {
  it('runs after the key check and the body parser, first on the controller', async () => {
    expect(outcome(await api.post('/v1/guarded-toys', { name: 'Ball' }))).toEqual({
      status: 201,
      body: { seen: ['controller guard: Ball', 'method guard: Ball', 'handler: Ball'] },
    });
  });

  it('does not run without a key', async () => {
    expect(outcome(await api.post('/v1/guarded-toys', { name: 'Ball' }, { key: null }))).toEqual(MISSING_KEY);
    expect(trace.take()).toEqual([]);
  });

  it('does not run for a body that cannot be read', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect(outcome(await api.post('/v1/guarded-toys', 'Ball', { headers }))).toEqual(NO_JSON);
    expect(trace.take()).toEqual([]);
  });

  it('passes data to the handler', async () => {
    expect(outcome(await api.get('/v1/customers'))).toEqual({ status: 200, body: { seen: ['Ann of shop 1'] } });
  });

  it('reads the metadata of the handler', async () => {
    expect(outcome(await api.post('/v1/guarded-toys', { name: 'Knife' }))).toEqual(
      rejection(403, 'FORBIDDEN', 'Forbidden resource'),
    );
    expect(trace.take()).toEqual(['controller guard: Knife', 'method guard: Knife']);
  });
});

describe('an interceptor', () => {
  it('runs around the handler with request and response, and transforms its result', async () => {
    const response = await api.post('/v1/observed-toys', { name: 'Ball' });
    expect(outcome(response)).toEqual({
      status: 201,
      body: {
        name: 'BALL',
        seen: [
          'class, before: Ball',
          'method, before: ObservedToysController',
          'handler: Ball',
          'method, after: Ball',
          'class, after',
        ],
      },
    });
    expect(response.header('x-observed')).toBe('add');
  });

  it('receives the exception of the handler', async () => {
    const response = await api.get('/v1/observed-toys/1');
    expect(outcome(response)).toEqual(rejection(409, 'CONFLICT', 'The toy is being played with.'));
    expect(response.header('x-observed')).toBe('get');
    expect(trace.take()).toEqual(['class, before: undefined', 'class, error: The toy is being played with.']);
  });
});

describe('a pipe', () => {
  it.each<[string, string, Outcome]>([
    ['of the application converts a parameter', '/v1/painted-toys/RED', { status: 200, body: { name: 'red ball' } }],
    [
      'of the application rejects a parameter',
      '/v1/painted-toys/loud',
      rejection(404, 'NOT_FOUND', 'The param color does not accept loud.'),
    ],
    ['of Nest converts a parameter', '/v1/numbered-toys/41', { status: 200, body: { number: 42 } }],
    [
      'of Nest rejects a parameter',
      '/v1/numbered-toys/many',
      badRequest('Validation failed (numeric string is expected)'),
    ],
  ])('%s', async (_, target, expected) => {
    expect(outcome(await api.get(target))).toEqual(expected);
  });
});

describe('an exception', () => {
  it.each<[string, string, Outcome]>([
    ['of the application keeps its status', 'out-of-stock', rejection(409, 'CONFLICT', 'The toy is out of stock.')],
    ['of Nest keeps all its messages', 'gone', rejection(410, 'GONE', 'The toy is gone.; It will not come back.')],
    ['of http-errors keeps its status', 'lent', rejection(409, 'CONFLICT', 'The toy is lent.')],
    ['of http-errors hides a message that is not for callers', 'secret', rejection(409, 'CONFLICT', 'Conflict')],
    ['goes to the filter of the method', 'wet', rejection(409, 'PAINT_IS_WET', 'The paint is wet.')],
  ])('%s', async (_, reason, expected) => {
    expect(outcome(await api.get(`/v1/sold-toys/${reason}`))).toEqual(expected);
  });

  it('of Nest with the status 500 is logged, and hides its message', async () => {
    expect(outcome(await api.get('/v1/sold-toys/broken'))).toEqual(FAILED);
    expect(errors.join()).toContain('The secret is hunter2.');
  });

  it('with a declared 5xx status keeps its status', async () => {
    const response = await api.get('/v1/sold-toys/maintenance');
    expect(outcome(response)).toEqual(rejection(503, 'SERVICE_UNAVAILABLE', 'The shelves are being cleaned.'));
    expect(response.header('retry-after')).toBe('1');
  });

  it.each([
    ['of Nest', 'teapot'],
    ['of http-errors', 'steeping'],
  ])('%s with a status that the operation does not declare becomes 500 with a log entry', async (_, reason) => {
    const response = await api.get(`/v1/sold-toys/${reason}`);
    expect(outcome(response)).toEqual(FAILED);
    expect(errors).toEqual([
      expect.stringContaining('getSoldToy failed with 418, which openapi.yaml does not declare'),
    ]);
    expect(errors.join()).toContain(`requestId: '${response.header('x-request-id')}'`);
  });
});

describe('@Req()', () => {
  it("has Express' members", async () => {
    const headers = { host: 'shop.toys.test:80', 'x-color': 'red', referer: '/shelf', 'accept-language': 'en' };
    const response = await api.get('/v1/express-toys/big%20ball?color=red&color=blue&size', { headers });
    expect(outcome(response)).toEqual({
      status: 200,
      body: {
        method: 'GET',
        url: '/v1/express-toys/big%20ball?color=red&color=blue&size',
        originalUrl: '/v1/express-toys/big%20ball?color=red&color=blue&size',
        baseUrl: '',
        path: '/v1/express-toys/big%20ball',
        route: '/v1/express-toys/:toyId',
        params: { toyId: 'big ball' },
        query: { color: ['red', 'blue'], size: '' },
        ip: '127.0.0.1',
        ips: [],
        protocol: 'http',
        secure: false,
        get: 'red',
        header: 'red',
        referrer: '/shelf',
        hostname: 'shop.toys.test',
        subdomains: ['shop'],
        xhr: false,
        fresh: false,
        stale: true,
        accepts: 'html',
        acceptsLanguages: 'en',
        is: null,
        hasResponse: true,
        isOfApp: true,
      },
    });
  });

  it('reads the address of the caller from a trusted proxy', async () => {
    const behindProxy = await startToys({}, { prepare: (app) => app.set('trust proxy', true) });
    const headers = { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' };
    expect((await behindProxy.api.get('/v1/express-toys/1', { headers })).json).toMatchObject({
      ip: '192.0.2.7',
      ips: ['192.0.2.7'],
      protocol: 'https',
      secure: true,
    });
  });
});

describe('@Res({ passthrough: true })', () => {
  it("has Express' methods for header fields, cookies and locals", async () => {
    const response = await api.post('/v1/express-toys', { name: 'Ball' });
    expect(outcome(response)).toEqual({ status: 201, body: { name: 'Ball in paper' } });
    expect(response.headers).toMatchObject({
      'x-wrapped': ['paper'],
      'set-cookie': ['toy=Ball; Path=/; HttpOnly'],
      vary: ['X-Color'],
      location: ['/v1/open-toys'],
      link: ['</v1/open-toys>; rel="next"'],
    });
  });

  it('lets Nest send the response', async () => {
    const response = await api.get('/v1/accepted-toys/Ball');
    expect(outcome(response)).toEqual({ status: 202, body: { name: 'Ball' } });
    expect(response.header('x-wrapped')).toBe('paper');
  });
});

describe('a handler that writes the response itself', () => {
  const WAYS = [
    'json',
    'send',
    'end',
    'write',
    'write-head',
    'flush',
    'pipe',
    'pipeline',
    'later',
    'and-fails',
    'twice',
    'in-an-event',
    'undeclared-in-an-event',
    'with-callbacks',
    'in-an-observable',
  ];

  it.each(['', '/by-nest', '/by-request'].flatMap((by) => WAYS.map((way) => [`${way}${by}`])))(
    'causes a 500 for the caller and a log entry: %s',
    async (target) => {
      expect(outcome(await api.get(`/v1/written-toys/${target}`))).toEqual(FAILED);
      expect(errors.join()).toMatch(
        /The response of getWrittenToy(ByNest|ByRequest)? was written past the contract|The body must be a JSON object/,
      );
      // The failure of the handler is logged as well.
      expect(errors).toHaveLength(target.startsWith('and-fails') ? 2 : 1);
      expect(outcome(await api.get('/v1/open-toys'))).toEqual(BALL);
    },
  );
});

describe('a guard that responds itself', () => {
  it.each(['json', 'send', 'send-text', 'end', 'end-bytes', 'end-hex', 'end-callback', 'locals'])(
    'responds through %s',
    async (way) => {
      expect(outcome(await api.get(`/v1/express-responses/${way}`))).toEqual(BALL);
    },
  );

  it.each(['send-status', 'nothing'])('responds without a body: %s', async (way) => {
    const { status, bytes } = await api.get(`/v1/express-responses/${way}`);
    expect([status, bytes.length]).toEqual([204, 0]);
  });

  it('responds to HEAD without the body', async () => {
    const { status, bytes } = await api.head('/v1/express-responses/json');
    expect([status, bytes.length]).toEqual([200, 0]);
  });

  it.each([
    ['teapot', 418],
    ['bad-gateway', 502],
  ])('responds with 500 and logs an error when the status is not declared: %s', async (way, status) => {
    expect(outcome(await api.get(`/v1/express-responses/${way}`))).toEqual(FAILED);
    expect(errors.join()).toContain(`getExpressResponse returned ${status}, which openapi.yaml does not declare`);
  });
});

describe('a handler', () => {
  it('responds with the status of @HttpCode and the header of @Header', async () => {
    const response = await api.request('PUT', '/v1/ordered-toys/Ball');
    expect(outcome(response)).toEqual({ status: 202, body: { name: 'Ball' } });
    expect(response.header('x-wrapped')).toBe('paper');
  });

  it('responds with 500 and logs an error when the status that it sets is not declared', async () => {
    expect(outcome(await api.get('/v1/ordered-toys/Ball'))).toEqual(FAILED);
    expect(errors.join()).toContain('getOrder returned 502, which openapi.yaml does not declare');
  });

  it('serves PATCH', async () => {
    expect(outcome(await api.request('PATCH', '/v1/ordered-toys/Ball'))).toEqual(BALL);
  });

  it('sends 204 without a body', async () => {
    const { status, bytes } = await api.request('DELETE', '/v1/ordered-toys/Ball');
    expect([status, bytes.length]).toEqual([204, 0]);
  });

  it.each([
    ['the URL of @Redirect', '/v1/moved-toys/for-now', 307, '/v1/open-toys'],
    ['the URL it returns', '/v1/moved-toys/for-good', 308, '/v1/stock'],
  ])('redirects to %s without an undeclared body', async (_, target, status, location) => {
    const response = await api.get(target);
    expect([response.status, response.header('location'), response.bytes.length]).toEqual([status, location, 0]);
  });

  it('responds with 500 and logs an error when the contract declares a body of the redirection', async () => {
    expect(outcome(await api.get('/v1/moved-toys/to-another'))).toEqual(FAILED);
    expect(errors.join()).toContain(
      'getMovedToy returned 303: a redirection has no body, but the contract declares one',
    );
  });

  it('receives a member of the body through @Body', async () => {
    expect(outcome(await api.post('/v1/named-toys', { name: 'Ball', color: 'red' }))).toEqual({ ...BALL, status: 201 });
  });

  it('receives the values of @Headers, @Query, @Ip and custom decorators', async () => {
    const response = await api.get('/v1/named-toys?color=blue', { headers: { 'x-color': 'red' } });
    expect(outcome(response)).toEqual({
      status: 200,
      body: { seen: ['red', 'red', 'blue', 'blue', '127.0.0.1', 'very red'] },
    });
  });

  it('receives the value of a custom decorator without validation', async () => {
    expect(outcome(await api.get('/v1/named-toys/keeper'))).toEqual({ status: 200, body: { name: 'Keeper Ann' } });
  });

  it.each<[string, string, Outcome]>([
    ['the value of a promise', 'promise', BALL],
    ['the error of a rejected promise', 'rejection', rejection(409, 'CONFLICT', 'The toy is taken.')],
    ['the last value of an Observable', 'observable', BALL],
    ['the error of an Observable', 'failing%20observable', rejection(409, 'CONFLICT', 'The toy is taken.')],
    ['the value of a promised Observable', 'promised%20observable', BALL],
  ])('responds with %s', async (_, way, expected) => {
    expect(outcome(await api.get(`/v1/late-toys/${way}`))).toEqual(expected);
  });

  it('is public when the operation declares no security', async () => {
    expect(outcome(await api.get('/v1/open-toys', { key: null }))).toEqual(BALL);
  });

  it('receives a new request-scoped provider for each request', async () => {
    const responses = await Promise.all(
      ['red', 'blue'].map((color) => api.get('/v1/basket', { headers: { 'x-color': color } })),
    );
    const [red, blue] = responses.map(({ json }) => (json as { seen: string[] }).seen);
    expect([red![1], blue![1]]).toEqual(['red', 'blue']);
    expect(red![0]).not.toBe(blue![0]);
  });
});

describe('a controller that is bound to a host', () => {
  it('serves its host', async () => {
    expect(outcome(await api.get('/v1/hosted-toys', { headers: { host: 'toys.test' } }))).toEqual(BALL);
  });

  it('responds to another host with 404, and the service still responds', async () => {
    expect(outcome(await api.get('/v1/hosted-toys'))).toEqual(noResourceAt('/v1/hosted-toys'));
    expect(outcome(await api.get('/v1/open-toys'))).toEqual(BALL);
  });
});

describe('a DTO with rules that are not compiled', () => {
  const SET = { maker: { name: 'Ann' }, parts: [{ name: 'wheel', count: 4 }], tags: ['fast'] };

  it('creates instances without undeclared members', async () => {
    const body = { ...SET, secret: 1, maker: { name: 'Ann', secret: 1 }, parts: [{ ...SET.parts[0], secret: 1 }] };
    expect(outcome(await api.post('/v1/toy-sets', body))).toEqual({ status: 201, body: SET });
    expect(trace.take()).toEqual(['instances of maker, parts, tags']);
  });

  it.each<[string, object, string]>([
    ['a nested object', { ...SET, maker: { name: 7 } }, 'maker.name must be a string'],
    [
      'nested objects in an array',
      { ...SET, parts: [SET.parts[0], { name: 'door', count: 1.5 }] },
      'parts.1.count must be an integer from -2147483648 to 2147483647',
    ],
    [
      'the length of an array',
      { ...SET, parts: Array.from({ length: 3 }, () => SET.parts[0]) },
      'parts must contain no more than 2 elements',
    ],
    [
      'each item of an array',
      { ...SET, tags: ['fast', 'beautiful'] },
      'each value in tags must be longer than or equal to 1 and shorter than or equal to 5 characters',
    ],
    [
      'several rules of the contract at once',
      { maker: {}, parts: [{ name: 'wheel', count: '4' }], tags: SET.tags },
      'maker.name is required; parts.0.count must be an integer from -2147483648 to 2147483647',
    ],
    [
      'several rules of the DTO at once',
      { ...SET, parts: [{ name: 'wheel', count: 10 }], tags: ['beautiful'] },
      'parts.0.count must not be greater than 9; each value in tags must be longer than or equal to 1 and shorter than or equal to 5 characters',
    ],
    ['members named like those of Object.prototype', { ...SET, maker: { constructor: 1 } }, 'maker.name is required'],
    ['the type object', { ...SET, maker: 'Ann' }, 'maker must be an object'],
  ])('rejects a violation of %s', async (_, body, message) => {
    expect(outcome(await api.post('/v1/toy-sets', body))).toEqual(badRequest(message));
  });
});

describe('ParseArrayPipe', () => {
  it('creates an instance of each item', async () => {
    const body = [{ name: 'Ball', secret: 1 }, { name: 'Cube' }];
    expect(outcome(await api.post('/v1/toy-boxes', body))).toEqual({
      status: 201,
      body: { seen: ['Toy Ball', 'Toy Cube'] },
    });
  });

  it('rejects an invalid item', async () => {
    expect(outcome(await api.post('/v1/toy-boxes', [{ name: 'Ball' }, { name: 7 }]))).toEqual(
      badRequest('1.name must be a string'),
    );
  });
});

describe('a body that the operation does not require', () => {
  it.each<[string, object | undefined, Outcome]>([
    ['is accepted', { note: 'soon' }, { status: 201, body: { seen: ['soon'] } }],
    ['may lack optional members', {}, { status: 201, body: { seen: ['no note'] } }],
    ['may be omitted', undefined, { status: 201, body: { seen: ['no note'] } }],
    ['is validated', { note: 7 }, badRequest('note must be a string')],
  ])('%s', async (_, body, expected) => {
    expect(outcome(await api.request('POST', '/v1/wishes', { body }))).toEqual(expected);
  });
});

describe('the result of a handler', () => {
  const TOY = { name: 'Ball', price: 9_223_372_036_854_775_807n, maker: { name: 'Ann' } };

  it.each<[string, string, object]>([
    ['keeps an exact int64', 'exact', TOY],
    ['loses undeclared members', 'undeclared', TOY],
    ['may be null where the contract allows it', 'nullable', { ...TOY, note: null, parent: null }],
    ['writes dates as text', 'date', { ...TOY, madeAt: '2026-11-20T10:00:00.000Z' }],
  ])('%s', async (_, way, body) => {
    expect(outcome(await api.get(`/v1/stored-toys/${way}`))).toEqual({ status: 200, body });
  });

  it('keeps the members of a map', async () => {
    const { status, bytes } = await getBytes('/v1/stock');
    expect([status, JSON.parse(bytes.toString())]).toEqual([200, { ball: 3, car: 0 }]);
  });

  it('keeps the members of an object with arbitrary members', async () => {
    const { status, bytes } = await getBytes('/v1/facts');
    expect([status, JSON.parse(bytes.toString())]).toEqual([200, { ball: { isRound: true }, car: [4, 'wheels'] }]);
  });

  it.each(['lacking', 'lacking inside', 'null text', 'null number', 'null object'])(
    'becomes 500 with a log entry when a required member is missing: %s',
    async (way) => {
      expect(outcome(await api.get(`/v1/stored-toys/${encodeURIComponent(way)}`))).toEqual(FAILED);
      expect(errors).not.toEqual([]);
    },
  );
});

describe('a response that is not JSON', () => {
  it('sends the bytes of a StreamableFile', async () => {
    const { status, type, headers, bytes } = await getBytes('/v1/pictures/ball');
    expect([status, type, bytes]).toEqual([200, 'image/png', PICTURE]);
    expect(headers.get('content-disposition')).toBe('attachment; filename="ball.png"');
    expect(headers.get('content-length')).toBe(String(PICTURE.length));
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('public, max-age=60');
  });

  it('is a StreamableFile of a stream', async () => {
    const { status, type, bytes } = await getBytes('/v1/pictures/stream');
    expect([status, type, bytes]).toEqual([200, 'image/png', Buffer.concat([PICTURE, PICTURE])]);
  });

  it('is text', async () => {
    const { status, type, bytes } = await getBytes('/v1/labels/ball');
    expect([status, type, bytes.toString()]).toEqual([200, 'text/plain; charset=utf-8', 'This is a ball.']);
  });

  it('is a stream of events', async () => {
    const { status, type, bytes } = await getBytes('/v1/news');
    expect([status, type]).toEqual([200, 'text/event-stream']);
    expect(bytes.toString()).toContain('data: {"name":"Ball"}\n\n');
    expect(bytes.toString()).toContain('data: sold out\n\n');
  });

  it('has no body for HEAD', async () => {
    const { status, type, headers, bytes } = await getBytes('/v1/pictures/ball', 'HEAD');
    expect([status, type, bytes.length]).toEqual([200, 'image/png', 0]);
    expect(headers.get('content-length')).toBe(String(PICTURE.length));
  });

  it.each<[string, string, Outcome]>([
    ['the handler throws', 'car', rejection(404, 'NOT_FOUND', 'There is no picture of car.')],
    ['its stream cannot be opened', 'missing', FAILED],
    ['its status is not declared', 'part', FAILED],
  ])('becomes an Error body that is not cacheable when %s', async (_, name, expected) => {
    const response = await api.get(`/v1/pictures/${name}`);
    expect(outcome(response)).toEqual(expected);
    expect(response.header('cache-control')).toBe('no-store');
  });

  it('becomes an Error body when the stream of a path outside the contract cannot be opened', async () => {
    const response = await api.get('/posters/missing', { key: null });
    expect(outcome(response)).toEqual(FAILED);
    expect(response.header('cache-control')).toBe('no-store');
    expect(errors.join()).toContain('ENOENT');
  });

  it('ends early when its stream fails, and the service still responds', async () => {
    await expect(getBytes('/v1/pictures/half')).rejects.toThrow(/terminated|fetch failed/);
    expect(outcome(await api.get('/v1/open-toys'))).toEqual(BALL);
  });
});

describe('a global guard, interceptor or pipe', () => {
  it('runs for operations of the contract', async () => {
    const seen: string[] = [];
    const application = await startToys(
      {},
      {
        prepare: (app) =>
          app
            .useGlobalGuards({ canActivate: (context: ExecutionContext) => seen.push(context.getType()) > 0 })
            .useGlobalInterceptors({
              intercept: (_: ExecutionContext, next: CallHandler<object>) =>
                next.handle().pipe(map((toy) => ({ ...toy, name: 'Cube' }))),
            })
            .useGlobalPipes({ transform: (value: unknown) => (seen.push(String(value)), value) }),
      },
    );
    expect(outcome(await application.api.get('/v1/painted-toys/RED'))).toEqual({
      status: 200,
      body: { name: 'Cube' },
    });
    expect(seen).toEqual(['http', 'RED']);
  });
});

describe('the lifecycle hooks of a feature', () => {
  it('are called at start and at shutdown', async () => {
    const application = await startToys();
    const ofLife = application.app.get(Trace);
    expect(ofLife.take()).toEqual(['onModuleInit', 'onApplicationBootstrap']);
    await application.close();
    expect(ofLife.take()).toEqual(['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown']);
  });
});
