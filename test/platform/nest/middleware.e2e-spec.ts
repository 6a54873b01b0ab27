import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  type CallHandler,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestMiddleware,
  type NestModule,
  RequestMethod,
  Scope,
  VERSION_NEUTRAL,
  VersioningType,
} from '@nestjs/common';
import type { ExpressAdapter, NestExpressApplication } from '@nestjs/platform-express';
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import express, { type NextFunction, type Request, type Response } from 'express';
import { parse } from 'yaml';
import { FEATURES } from '../../../src/app.module.js';
import { PetsController } from '../../../src/pets/pets.controller.js';
import { StartError } from '../../../src/platform/process/start-error.js';
import { type Part, writeContract } from '../constructs/base-contract.js';
import { collectErrors } from './toys/log.js';
import { startToys } from './toys/start-toys.js';
import { badRequest, FAILED, outcome } from '../../properties/outcome.js';
import type { HttpResponse } from '../../support/http/http-response.js';
import { Client } from '../../support/http/client.js';
import { contractCheck } from '../../support/contract/contract-check.js';
import { startApp, type StartedApp, type StartOptions } from '../../support/start-app.js';

type Send = (started: StartedApp) => Promise<HttpResponse>;

type Configure = (consumer: MiddlewareConsumer) => void;

type Route = Parameters<ReturnType<MiddlewareConsumer['apply']>['exclude']>[number];

const seen: string[] = [];

function witness(request: Request, _: Response, next: NextFunction): void {
  seen.push(`${request.method} ${request.originalUrl}`);
  next();
}

@Injectable()
class Witness implements NestMiddleware {
  use(request: Request, response: Response, next: NextFunction): void {
    witness(request, response, next);
  }
}

@Injectable({ scope: Scope.REQUEST })
class WitnessOfOneRequest extends Witness {}

function pass(_: Request, __: Response, next: NextFunction): void {
  next();
}

function prepared(prepare: (app: NestExpressApplication) => unknown): StartOptions {
  return { prepare: (app) => void prepare(app) };
}

function instanceOf(app: NestExpressApplication): express.Express {
  return app.getHttpAdapter().getInstance();
}

function configured(configure: Configure): StartOptions {
  @Module({})
  class MiddlewareModule implements NestModule {
    configure(consumer: MiddlewareConsumer): void {
      configure(consumer);
    }
  }
  return { features: [...FEATURES, MiddlewareModule] };
}

function raw(bytes: string): Send {
  return async (started) => (await started.sendRaw(bytes)).responses[0]!;
}

/** The outcome of a list request, and whether an error was logged. */
async function sendWith(options: StartOptions): Promise<{ outcome: object; isLogged: boolean }> {
  const started = await startApp({}, options);
  const errors = collectErrors(started.app);
  const response = await started.api.get('/v1/pets');
  await started.close();
  return { outcome: outcome(response), isLogged: errors.length > 0 };
}

afterEach(() => {
  seen.splice(0);
});

describe('a middleware', () => {
  it.each<[string, StartOptions]>([
    ['app.use', prepared((app) => app.use(witness))],
    ['app.use, after another', prepared((app) => app.use(pass, witness))],
    ['app.use, in a list', prepared((app) => app.use([pass, witness]))],
    ['app.use, in a router', prepared((app) => app.use(express.Router().use(witness)))],
    ['app.use with /', prepared((app) => app.use('/', witness))],
    ['app.use with /v1', prepared((app) => app.use('/v1', witness))],
    ['app.use with /v1/', prepared((app) => app.use('/v1/', witness))],
    ['app.use with /v1/pets', prepared((app) => app.use('/v1/pets', witness))],
    ['app.use with /V1, which Express treats as /v1', prepared((app) => app.use('/V1', witness))],
    ['app.use with a parameter', prepared((app) => app.use('/:version/pets', witness))],
    ['app.use with a wildcard', prepared((app) => app.use('/*path', witness))],
    ['app.use with several paths', prepared((app) => app.use(['/docs', '/v1/pets'], witness))],
    ['app.use with a regular expression', prepared((app) => app.use(/^\/v1/, witness))],
    ["Express' own use", prepared((app) => instanceOf(app).use(witness))],
    ["Express' own use with /v1", prepared((app) => instanceOf(app).use('/v1', witness))],
    ['the adapter', prepared((app) => app.getHttpAdapter().use(witness as never))],
    ["configure for '*'", configured((consumer) => consumer.apply(witness).forRoutes('*'))],
    ["configure for '*path'", configured((consumer) => consumer.apply(witness).forRoutes('{*path}'))],
    ["configure with a class for '*'", configured((consumer) => consumer.apply(Witness).forRoutes('*'))],
    [
      'configure with a request-scoped class',
      configured((consumer) => consumer.apply(WitnessOfOneRequest).forRoutes('*')),
    ],
    ['configure for a controller', configured((consumer) => consumer.apply(Witness).forRoutes(PetsController))],
    ['configure for a path', configured((consumer) => consumer.apply(witness).forRoutes('v1/pets'))],
    [
      'configure for a method',
      configured((consumer) => consumer.apply(witness).forRoutes({ path: 'v1/pets', method: RequestMethod.GET })),
    ],
    [
      'configure with an excluded route',
      configured((consumer) =>
        consumer.apply(Witness).exclude({ path: 'v1/pets', method: RequestMethod.POST }).forRoutes('*'),
      ),
    ],
  ])('runs for operations of the contract when it is registered by %s', async (_, options) => {
    const started = await startApp({}, options);
    expect(outcome(await started.api.get('/v1/pets?limit=1'))).toEqual({ status: 200, body: [] });
    expect(seen).toEqual(['GET /v1/pets?limit=1']);
    await started.close();
  });

  it.each<[string, StartOptions]>([
    ['another path', prepared((app) => app.use('/docs', witness))],
    ['a path with the same beginning', prepared((app) => app.use('/v10', witness))],
    [
      'another method',
      configured((consumer) => consumer.apply(witness).forRoutes({ path: 'v1/pets', method: RequestMethod.POST })),
    ],
    [
      'all operations but this one',
      configured((consumer) =>
        consumer.apply(witness).exclude({ path: 'v1/pets', method: RequestMethod.GET }).forRoutes('*'),
      ),
    ],
  ])('does not run when it is registered for %s', async (_, options) => {
    const started = await startApp({}, options);
    expect(outcome(await started.api.get('/v1/pets'))).toEqual({ status: 200, body: [] });
    expect(seen).toEqual([]);
    await started.close();
  });

  it('runs for HEAD when it is registered for GET', async () => {
    const { api } = await startApp(
      {},
      configured((consumer) => consumer.apply(witness).forRoutes({ path: 'v1/pets', method: RequestMethod.GET })),
    );
    expect((await api.head('/v1/pets')).status).toBe(200);
    expect(seen).toEqual(['HEAD /v1/pets']);
  });

  it('runs before the key is checked, in the order of registration', async () => {
    const { api } = await startApp(
      {},
      prepared((app) =>
        app
          .use((_: Request, __: Response, next: NextFunction) => (seen.push('first'), next()))
          .use((_: Request, __: Response, next: NextFunction) => (seen.push('second'), next())),
      ),
    );
    expect((await api.get('/v1/pets', { key: null })).status).toBe(401);
    expect(seen).toEqual(['first', 'second']);
  });

  it('changes the request that the handler receives', async () => {
    const { api } = await startToys(
      {},
      prepared((app) =>
        app.use((request: Request, _: Response, next: NextFunction) => {
          request.headers['x-color'] = 'green';
          next();
        }),
      ),
    );
    expect(outcome(await api.get('/v1/named-toys?color=blue'))).toEqual({
      status: 200,
      body: { seen: ['green', 'green', 'blue', 'blue', '127.0.0.1', 'very green'] },
    });
  });

  it('can rewrite the path to that of an operation, and the handler receives the original URL', async () => {
    const { api } = await startToys(
      {},
      prepared((app) =>
        app.use((request: Request, _: Response, next: NextFunction) => {
          request.url = request.url.replace('/old', '/v1/express-toys');
          next();
        }),
      ),
    );
    expect((await api.get('/old/7')).json).toMatchObject({
      originalUrl: '/old/7',
      url: '/v1/express-toys/7',
      path: '/v1/express-toys/7',
      params: { toyId: '7' },
    });
  });

  it('can rewrite the query that it has read, which is then checked', async () => {
    const { api } = await startToys(
      {},
      prepared((app) =>
        app.use((request: Request, _: Response, next: NextFunction) => {
          seen.push(request.query.color as string);
          request.url = request.url.replace('color=blue', 'color=green');
          next();
        }),
      ),
    );
    expect(outcome(await api.get('/v1/named-toys?color=blue', { headers: { 'x-color': 'red' } }))).toEqual({
      status: 200,
      body: { seen: ['red', 'red', 'green', 'green', '127.0.0.1', 'very red'] },
    });
    expect(seen).toEqual(['blue']);
  });

  it('can add to the query where it is registered for a path', async () => {
    const { api } = await startToys(
      {},
      prepared((app) =>
        app.use('/v1', (request: Request, _: Response, next: NextFunction) => {
          request.query.color = 'green';
          next();
        }),
      ),
    );
    expect((await api.get('/v1/named-toys?color=blue', { headers: { 'x-color': 'red' } })).json).toEqual({
      seen: ['red', 'red', 'green', 'green', '127.0.0.1', 'very red'],
    });
  });

  it('can be asynchronous before the body is read', async () => {
    const { api } = await startApp(
      {},
      prepared((app) =>
        app.use(async (_: Request, __: Response, next: NextFunction) => {
          await setTimeout(20);
          next();
        }),
      ),
    );
    const pet = { name: 'Rex', categoryId: 2n ** 63n - 1n };
    expect(outcome(await api.post('/v1/pets', pet))).toEqual({ status: 201, body: { id: 1, ...pet } });
  });

  it('keeps its asynchronous context for interceptors', async () => {
    const customers = new AsyncLocalStorage<string>();
    const { api } = await startApp(
      {},
      prepared((app) =>
        app
          .use((_: Request, __: Response, next: NextFunction) => customers.run('Ann', next))
          .useGlobalInterceptors({
            intercept: (_: ExecutionContext, next: CallHandler) => {
              seen.push(`${customers.getStore()} adds a pet`);
              return next.handle();
            },
          }),
      ),
    );
    expect((await api.post('/v1/pets', { name: 'Rex', categoryId: 7 })).status).toBe(201);
    expect(seen).toEqual(['Ann adds a pet']);
  });

  it('can read the headers of the finished response', async () => {
    const { api } = await startApp(
      {},
      prepared((app) =>
        app.use((_: Request, response: Response, next: NextFunction) => {
          response.on('finish', () => seen.push(`${response.statusCode} ${response.get('Content-Length')}`));
          next();
        }),
      ),
    );
    const rejection = await api.get('/v1/pets', { key: null });
    const page = await api.get('/v1/pets');
    expect(seen).toEqual([`401 ${rejection.bytes.length}`, `200 ${page.bytes.length}`]);
  });

  it('can respond itself', async () => {
    const { api } = await startApp(
      {},
      prepared((app) => app.use('/v1/pets', (_: Request, response: Response) => response.status(200).json([]))),
    );
    expect(outcome(await api.get('/v1/pets', { key: null }))).toEqual({ status: 200, body: [] });
  });
});

describe('a middleware that fails', () => {
  const FAILURES: [string, () => Error, object][] = [
    ['an error', () => new Error('hunter2'), FAILED],
    ['an exception', () => new BadRequestException('The moon is full.'), badRequest('The moon is full.')],
    [
      'an error with a status, as in Express',
      () => Object.assign(new Error('The moon is full.'), { status: 400, statusCode: 400, expose: true }),
      badRequest('The moon is full.'),
    ],
    ['an exception with a status that the operation does not declare', () => new ForbiddenException('hunter2'), FAILED],
  ];
  const WAYS: [string, (fail: () => Error) => (request: Request, response: Response, next: NextFunction) => unknown][] =
    [
      ['calls next with', (fail) => (_, __, next) => next(fail())],
      [
        'throws',
        (fail) => () => {
          throw fail();
        },
      ],
      ['rejects with', (fail) => () => Promise.reject(fail())],
    ];
  const rows = WAYS.flatMap(([way, middleware]) =>
    FAILURES.map(([failure, fail, expected]) => [way, failure, middleware(fail), expected] as const),
  );

  it.each(rows)('returns an Error body when it %s %s (app.use)', async (_, __, middleware, expected) => {
    const result = await sendWith(prepared((app) => app.use(middleware)));
    expect(result).toEqual({ outcome: expected, isLogged: expected === FAILED });
  });

  it.each(rows)('returns an Error body when it %s %s (configure)', async (_, __, middleware, expected) => {
    const result = await sendWith(configured((consumer) => consumer.apply(middleware).forRoutes('*')));
    expect(result).toEqual({ outcome: expected, isLogged: expected === FAILED });
  });

  it('keeps the deprecation headers of the response', async () => {
    const { api } = await startApp(
      {},
      prepared((app) => app.use((_: Request, __: Response, next: NextFunction) => next(new Error('hunter2')))),
    );
    const response = await api.get('/v1/pets/1');
    expect(outcome(response)).toEqual(FAILED);
    expect(response.header('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  });
});

describe('a middleware that is not supported', () => {
  const PARSERS: [string, express.Handler][] = [
    ['jsonParser', express.json()],
    ['urlencodedParser', express.urlencoded()],
    ['rawParser', express.raw()],
    ['textParser', express.text()],
  ];

  it.each(PARSERS)('prevents the start with an error that names it: %s', async (name, parser) => {
    await expect(
      startApp(
        {},
        prepared((app) => app.use(parser)),
      ),
    ).rejects.toThrow(
      new StartError(
        `The middleware ${name} would read request bodies before the service validates them; mount it outside /v1.`,
      ),
    );
  });

  it.each<[string, (app: NestExpressApplication) => unknown]>([
    ['app.use with /v1', (app) => app.use('/v1', express.json())],
    ['app.use, after another', (app) => app.use(pass, express.json())],
    ["Express' own use", (app) => instanceOf(app).use(express.json())],
    ['app.useBodyParser', (app) => app.useBodyParser('json')],
  ])('prevents the start if it is registered by %s', async (_, prepare) => {
    await expect(startApp({}, prepared(prepare))).rejects.toThrow(
      /^The middleware jsonParser would read request bodies/,
    );
  });

  it('is accepted for another path', async () => {
    const { api } = await startApp(
      {},
      prepared((app) => app.use('/hooks', express.json())),
    );
    expect((await api.post('/v1/pets', { name: 'Rex', categoryId: 2n ** 63n - 1n })).status).toBe(201);
  });

  it.each<[string, StartOptions]>([
    ['registered by configure', configured((consumer) => consumer.apply(express.json()).forRoutes('*'))],
    [
      'with another name',
      prepared((app) => app.use((...args: Parameters<express.Handler>) => express.json()(...args))),
    ],
  ])(
    'leads to 500 with a log entry if it has read the body: %s',
    async (_, options) => {
      const { app, api } = await startApp({}, options);
      const errors = collectErrors(app);
      expect(outcome(await api.post('/v1/pets', { name: 'Rex', categoryId: 7 }))).toEqual(FAILED);
      expect(errors).not.toEqual([]);
    },
    60_000,
  );

  it.each(['setOnRequestHook', 'setOnResponseHook'] as const)(
    'prevents the start if it is a hook: %s',
    async (name) => {
      const prepare = (app: NestExpressApplication) => (app.getHttpAdapter() as ExpressAdapter)[name](() => {});
      await expect(startApp({}, prepared(prepare))).rejects.toThrow(
        new StartError(
          'Request and response hooks of the adapter are not supported; use middleware or an interceptor.',
        ),
      );
    },
  );

  it.each<[string | string[], string]>([
    ['/greetings/:name', '/greetings/Ann'],
    ['/', '/'],
    ['/robots.txt', '/robots.txt'],
    ['/files{/:name}', '/files'],
    [['/a', '/b'], '/b'],
  ])('leaves routes of Express outside the contract as they are: %s', async (route, path) => {
    const prepare = (app: NestExpressApplication) =>
      void instanceOf(app).get(route, (request: Request, response: Response) => {
        response.json({ path: request.path });
      });
    const { api } = await startApp({}, prepared(prepare));
    expect((await api.get(path)).json).toEqual({ path });
    expect((await api.get('/v1/pets')).status).toBe(200);
  });

  it.each<[string, Configure]>([
    ['witness for /pets', (consumer) => consumer.apply(witness).forRoutes('pets')],
    ['Witness for /pets/:petId', (consumer) => consumer.apply(Witness).forRoutes('pets/:petId')],
    ['witness for /pets/*path', (consumer) => consumer.apply(witness).forRoutes('/pets/*path')],
    [
      'witness for GET /pets',
      (consumer) => consumer.apply(witness).forRoutes({ path: 'pets', method: RequestMethod.GET }),
    ],
    ['pass, Witness for /Pets', (consumer) => consumer.apply(pass, Witness).exclude('live').forRoutes('live', 'Pets')],
  ])('prevents the start if its path lacks the base path: %s', async (middleware, configure) => {
    const path = middleware.slice(middleware.indexOf('/'));
    await expect(startApp({}, configured(configure))).rejects.toThrow(
      new StartError(
        `The middleware ${middleware} would never run, because no route has this path; pass /v1${path} to forRoutes().`,
      ),
    );
  });

  it.each([
    ['/v1/pets/:petId', '/shop/v1/pets/:petId'],
    ['/pets/:petId', '/shop/v1/pets/:petId'],
  ])('prevents the start if its path lacks a part of a longer base path: %s', async (path, whole) => {
    const contract: Part = parse(readFileSync('openapi.yaml', 'utf8'));
    const contractFile = writeContract({ ...contract, servers: [{ url: '/shop/v1' }] });
    const options = configured((consumer) => consumer.apply(witness).forRoutes(path));
    await expect(startApp({}, { ...options, contractFile })).rejects.toThrow(
      new StartError(
        `The middleware witness for ${path} would never run, because no route has this path; pass ${whole} to forRoutes().`,
      ),
    );
  });

  it.each<[string, Route]>([
    ['/v1/petz', '/v1/petz'],
    ['/V1/petz/', 'V1/petz/'],
    ['/v1/petz/:petId', 'v1/petz/:petId'],
    ['/v1/petz/*rest', '/v1/petz/*rest'],
    ['/v1/pets/:petId/toys', '/v1/pets/:petId/toys'],
    ['PUT /v1/pets', { path: '/v1/pets', method: RequestMethod.PUT }],
    ['POST /v1/pets/:petId', { path: 'v1/pets/:petId', method: RequestMethod.POST }],
    ['GET /v1', { path: 'v1', method: RequestMethod.GET }],
    ['DELETE /v1/pets', { path: '/v1/pets', method: RequestMethod.DELETE }],
  ])('prevents the start if no operation has its path and method: %s', async (name, route) => {
    const options = configured((consumer) => consumer.apply(Witness).forRoutes('/v1/pets', route));
    await expect(startApp({}, options)).rejects.toThrow(
      new StartError(
        `The middleware Witness for ${name} would run for no operation, because no operation has this path and method; pass what openapi.yaml declares to forRoutes().`,
      ),
    );
  });

  it.each<[string, Route]>([
    ['/v1/petz', '/v1/petz'],
    ['/v1/petz/*rest', 'v1/petz/*rest'],
    ['/v1', 'v1'],
    ['PATCH /v1/pets', { path: '/v1/pets', method: RequestMethod.PATCH }],
  ])('prevents the start if it excludes what no operation has: %s', async (name, route) => {
    const options = configured((consumer) => consumer.apply(pass, Witness).exclude('/v1/pets', route).forRoutes('*'));
    await expect(startApp({}, options)).rejects.toThrow(
      new StartError(
        `The middleware pass, Witness excludes ${name}, but no operation has this path and method; pass what openapi.yaml declares to exclude().`,
      ),
    );
  });

  it.each<[string, Route, Route]>([
    ['/v1/pets', '/v1/pets', '/v1/pets/:petId'],
    ['GET /v1/pets', { path: '/v1/pets', method: RequestMethod.GET }, { path: 'v1/pets', method: RequestMethod.POST }],
    ['/v1/pets/:petId', 'v1/pets/:petId', { path: 'v1/pets', method: RequestMethod.ALL }],
    ['/v1/*rest', '/v1/*rest', '/live'],
  ])('prevents the start if it excludes operations for which it would not run: %s', async (name, excluded, route) => {
    const options = configured((consumer) => consumer.apply(pass, Witness).exclude(excluded).forRoutes(route));
    await expect(startApp({}, options)).rejects.toThrow(
      new StartError(
        `The middleware pass, Witness excludes ${name}, but would not run there anyway; pass a route that forRoutes() covers to exclude().`,
      ),
    );
  });

  it.each<[string, Configure]>([
    ['forRoutes() is not called', (consumer) => consumer.apply(Witness)],
    ['forRoutes() is not called after exclude()', (consumer) => consumer.apply(Witness).exclude('/v1/pets')],
    ['forRoutes() gets no route', (consumer) => consumer.apply(Witness).forRoutes()],
  ])('prevents the start if it has no route: %s', async (_, configure) => {
    await expect(startApp({}, configured(configure))).rejects.toThrow(
      new StartError(
        'The middleware Witness would never run, because its module passes no route to forRoutes(); pass a path or a controller, or remove the middleware.',
      ),
    );
  });

  it('prevents the start if it excludes a path that lacks the base path', async () => {
    const options = configured((consumer) => consumer.apply(witness).exclude('pets/:petId').forRoutes('*'));
    await expect(startApp({}, options)).rejects.toThrow(
      new StartError(
        'The middleware witness excludes /pets/:petId, but no route has this path; pass /v1/pets/:petId to exclude().',
      ),
    );
  });

  it.each<[string, Configure, string[]?]>([
    ['a wildcard', (consumer) => consumer.apply(witness).forRoutes('/v1/*rest')],
    ['a wildcard within a segment', (consumer) => consumer.apply(witness).forRoutes('/v1/pe*rest')],
    // Nest leaves out what is no function.
    ['a part that is off', (consumer) => consumer.apply(witness, undefined as never).forRoutes(PetsController)],
    [
      'all parts off',
      (consumer) =>
        consumer
          .apply(undefined as never)
          .exclude('/v1/petz')
          .forRoutes('/v1/petz'),
      [],
    ],
    ['optional segments', (consumer) => consumer.apply(witness).forRoutes('/v1/pets{/:petId}{/:toy}')],
    ['the base path', (consumer) => consumer.apply(witness).forRoutes('/v1')],
    ['parameters', (consumer) => consumer.apply(witness).forRoutes('/:version/:things')],
    ['another case', (consumer) => consumer.apply(witness).forRoutes('/V1/Pets')],
    ['a slash at its end', (consumer) => consumer.apply(witness).forRoutes('/v1/pets/')],
    ['every method', (consumer) => consumer.apply(witness).forRoutes({ path: 'v1/pets', method: RequestMethod.ALL })],
    ['an excluded path', (consumer) => consumer.apply(witness).exclude('v1/pets/').forRoutes(PetsController), []],
    ['an excluded wildcard', (consumer) => consumer.apply(witness).exclude('/v1/*rest').forRoutes('*'), []],
    ['excluded paths outside', (consumer) => consumer.apply(witness).exclude('/live', '/hooks').forRoutes('*')],
    [
      'HEAD and OPTIONS, which the service answers',
      (consumer) =>
        consumer
          .apply(witness)
          .forRoutes(
            { path: '/v1/pets', method: RequestMethod.OPTIONS },
            { path: '/v1/pets/:petId', method: RequestMethod.HEAD },
            PetsController,
          ),
    ],
    [
      'paths of health and documentation',
      (consumer) => consumer.apply(witness).forRoutes('/live', '/ready', '/docs', '/openapi.json', '/v1/pets'),
    ],
  ])('may have %s', async (_, configure, expected = ['GET /v1/pets']) => {
    const { api } = await startApp({}, configured(configure));
    await api.get('/v1/pets');
    expect(seen).toEqual(expected);
  });

  it('may have a path to which Nest adds versions', async () => {
    const { api } = await startApp(
      {},
      {
        ...configured((consumer) => consumer.apply(witness).exclude('v1/pets/:petId').forRoutes('v1/pets')),
        prepare: (app) =>
          void app.enableVersioning({ type: VersioningType.URI, defaultVersion: ['9', VERSION_NEUTRAL] }),
      },
    );
    await api.get('/v1/pets');
    await api.get('/v1/pets/1');
    expect(seen).toEqual(['GET /v1/pets']);
  });

  it('runs for routes outside of the contract, and may have a path of its own', async () => {
    const { api } = await startApp(
      {},
      configured((consumer) => consumer.apply(witness).forRoutes('live', '/hooks')),
    );
    for (const path of ['/live', '/hooks', '/v1/pets']) await api.get(path);
    expect(seen).toEqual(['GET /live', 'GET /hooks']);
  });

  it('throws an error that names it when it is registered after the start', async () => {
    const { app } = await startApp();
    const expected = new StartError(
      'The middleware witness is registered after the routes and would never run for operations of the contract; register it before init().',
    );
    expect(() => app.use(witness)).toThrow(expected);
    expect(() => app.use('/v1/pets', witness)).toThrow(expected);
    expect(() => instanceOf(app).use(witness)).toThrow(expected);
    expect(() => app.use('/docs', witness)).not.toThrow();
  });
});

describe('a response with a middleware registered', () => {
  let without: StartedApp;
  let withMiddleware: StartedApp;

  beforeAll(async () => {
    without = await startApp();
    withMiddleware = await startApp(
      {},
      prepared((app) => app.use(pass)),
    );
    for (const { api } of [without, withMiddleware]) {
      await api.post('/v1/pets', { name: 'Rex', categoryId: 2n ** 63n - 1n, status: 'sold' });
      await api.post('/v1/pets', { name: 'Tom', categoryId: -(2n ** 53n + 1n) });
    }
  });

  it.each<[string, Send]>([
    ['a page and its Link', ({ api }) => api.get('/v1/pets?limit=1')],
    ['an exact int64', ({ api }) => api.get('/v1/pets/1')],
    ['a creation', ({ api }) => api.post('/v1/pets', { name: 'Ann', categoryId: -(2n ** 63n) })],
    ['HEAD of a list', ({ api }) => api.head('/v1/pets')],
    ['HEAD of one', ({ api }) => api.head('/v1/pets/2')],
    ['OPTIONS', ({ api }) => api.request('OPTIONS', '/v1/pets', { key: null })],
    ['405 and Allow', ({ api }) => api.request('DELETE', '/v1/pets')],
    ['405 without a key', ({ api }) => api.request('PUT', '/v1/pets/1', { key: null })],
    ['404 of an unknown path', ({ api }) => api.get('/v1/dogs')],
    ['404 of the base path', ({ api }) => api.get('/v1')],
    ['404 of a trailing slash', ({ api }) => api.get('/v1/pets/')],
    ['404 of another case', ({ api }) => api.get('/v1/PETS')],
    ['404 of the base path in another case', ({ api }) => api.get('/V1/pets')],
    ['404 of broken percent-encoding', ({ api }) => api.get('/v1/pets/%zz')],
    ['404 of an unknown pet, with deprecation headers', ({ api }) => api.get('/v1/pets/99')],
    ['401 without a key, with deprecation headers', ({ api }) => api.get('/v1/pets/1', { key: null })],
    ['401 of a wrong key', ({ api }) => api.get('/v1/pets', { key: 'wrong' })],
    ['400 of a parameter', ({ api }) => api.get('/v1/pets?limit=0')],
    ['400 of a body', ({ api }) => api.post('/v1/pets', '{"name":')],
    ['400 of a missing body', ({ api }) => api.request('POST', '/v1/pets')],
    ['413', ({ api }) => api.post('/v1/pets', { name: 'x'.repeat(200_000), categoryId: 1 })],
    ['415', ({ api }) => api.post('/v1/pets', '{}', { headers: { 'content-type': 'text/plain' } })],
    ['414', ({ api }) => api.get(`/v1/pets?x=${'a'.repeat(9_000)}`)],
    ['414 outside the contract', ({ api }) => api.get(`/live?x=${'a'.repeat(9_000)}`)],
    ['a path outside the contract', ({ api }) => api.get('/live')],
    ['a page of the documentation', ({ api }) => api.get('/docs')],
    ['an unknown path outside the contract', ({ api }) => api.get('/nothing')],
    ['no Host', raw('GET /v1/pets HTTP/1.1\r\n\r\n')],
    ['the absolute form', raw('GET http://pets.test/v1/pets/99 HTTP/1.1\r\nHost: pets.test\r\n\r\n')],
    ['malformed HTTP', raw('nonsense\r\n\r\n')],
    ['CONNECT', raw('CONNECT pets.test:80 HTTP/1.1\r\nHost: pets.test\r\n\r\n')],
    ['OPTIONS *', raw('OPTIONS * HTTP/1.1\r\nHost: pets.test\r\n\r\n')],
  ])('stays the same: %s', async (_, send) => {
    const [expected, actual] = [await send(without), await send(withMiddleware)];
    const { date: _date, 'x-request-id': _id, ...expectedHeaders } = expected.headers;
    const { date: __date, 'x-request-id': __id, ...actualHeaders } = actual.headers;
    expect(actual.text).toBe(expected.text);
    expect([actual.status, actualHeaders]).toEqual([expected.status, expectedHeaders]);
  });
});

const ORIGIN = 'https://shop.example';

describe.each<[string, Parameters<NestExpressApplication['enableCors']>[0]]>([
  ['options', { origin: ORIGIN }],
  ['a function', (_: Request, decide: (error: null, options: object) => void) => decide(null, { origin: ORIGIN })],
])('app.enableCors with %s', (_, options) => {
  let client: Client;

  beforeAll(async () => {
    const { port, key } = await startApp(
      {},
      prepared((app) => app.enableCors(options)),
    );
    client = new Client({ port, key, check: contractCheck({ cors: true }) });
  });

  afterAll(() => client.close());

  it.each<[string, number, (headers: Record<string, string>) => Promise<HttpResponse>]>([
    ['a list', 200, (headers) => client.get('/v1/pets', { headers })],
    ['a missing key', 401, (headers) => client.get('/v1/pets', { headers, key: null })],
    ['an unknown path', 404, (headers) => client.get('/v1/dogs', { headers })],
    ['a wrong method', 405, (headers) => client.request('DELETE', '/v1/pets', { headers })],
  ])('lets a page of the allowed origin read %s', async (__, status, send) => {
    const response = await send({ origin: ORIGIN });
    expect([response.status, response.header('access-control-allow-origin')]).toEqual([status, ORIGIN]);
  });

  it('responds to a preflight as the contract declares OPTIONS', async () => {
    const headers = { origin: ORIGIN, 'access-control-request-method': 'POST' };
    const response = await client.request('OPTIONS', '/v1/pets', { key: null, headers });
    expect([response.status, response.header('access-control-allow-origin')]).toEqual([204, ORIGIN]);
    expect(response.header('allow')).toBe('GET, HEAD, OPTIONS, POST');
  });
});
