import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  Body,
  type CanActivate,
  Catch,
  ConflictException,
  Controller,
  Delete,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  HttpException,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Param,
  Post,
  Req,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import express, { type NextFunction, type Request, type Response } from 'express';
import { request as send } from 'node:http';
import { inspect } from 'node:util';
import { FAILED, MISSING_KEY, outcome } from '../../properties/outcome.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { baseContract, getOf, json, postOf, writeContract } from '../constructs/base-contract.js';
import { collectErrors } from './toys/log.js';

type Use = (request: Request, response: Response) => unknown;

const USED_EARLY =
  'Middleware, a guard or a request-scoped provider of the application uses request.body of addThing, which is read after them; use an interceptor, a pipe or a guard of the feature instead';

const THING = { name: 'Rex' };

/** What the parts of the feature saw as the body. */
const seen: unknown[] = [];
/** What the handler was called with. */
const handled: unknown[] = [];

const bodyOf = (context: ExecutionContext | ArgumentsHost): unknown =>
  context.switchToHttp().getRequest<Request>().body;

/** What the middleware does; each test sets its own. */
let use: Use = () => {};

/** For listeners, whose errors would end the process. */
function bodyOrError(request: Request): unknown {
  try {
    return request.body as unknown;
  } catch (error) {
    return error;
  }
}

function using(request: Request, response: Response, next: NextFunction): unknown {
  const used = use(request, response);
  return used instanceof Promise ? used.then(() => next()) : next();
}

const guard: CanActivate = {
  canActivate: (context) => {
    seen.push(['guard', bodyOf(context)]);
    return true;
  },
};

const interceptor = {
  intercept: (context: ExecutionContext, next: { handle(): never }) => {
    seen.push(['interceptor', bodyOf(context)]);
    return next.handle();
  },
};

const pipe = { transform: (value: unknown) => (seen.push(['pipe', value]), value) };

@Controller('things')
class ThingsController {
  @Post()
  @UseGuards(guard)
  @UseInterceptors(interceptor)
  @UsePipes(pipe)
  add(@Body() body: object, @Req() request: Request): object {
    handled.push(body);
    seen.push(['a copy of the request', { ...request }.body], ['a derived request', Object.create(request).body]);
    return { ...body, isInspected: inspect(request, { depth: 0 }).includes('body: [Object') };
  }

  @Get(':thingId')
  get(@Param('thingId') thingId: string, @Req() request: Request): object {
    return { thingId, body: request.body === undefined ? 'none' : 'some' };
  }

  @Delete(':thingId')
  remove(@Param('thingId') thingId: string): object {
    return { thingId };
  }
}

/** Logs the bodies of requests that fail, as many applications do. */
@Catch(HttpException)
class LoggingFilter implements ExceptionFilter<HttpException> {
  catch(error: HttpException, host: ArgumentsHost): void {
    seen.push(['filter', bodyOf(host)]);
    const status = error.getStatus();
    host
      .switchToHttp()
      .getResponse<Response>()
      .status(status)
      .json({ code: 'FILTERED', message: error.message, status });
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply((request: Request, response: Response, next: NextFunction) => {
        if (request.headers['x-place'] !== undefined) return next();
        return using(request, response, next);
      })
      .forRoutes(ThingsController);
  }
}

function contractFile(): string {
  const contract = baseContract('3.0.3');
  const { responses } = getOf(contract);
  postOf(contract).requestBody = { content: json({ type: 'object', additionalProperties: true }) };
  Object.assign(postOf(contract).responses, {
    401: { ...responses[401], headers: { 'WWW-Authenticate': { schema: { type: 'string' } } } },
    409: responses[404],
  });
  contract.paths['/things/{thingId}'].delete = {
    ...getOf(contract),
    operationId: 'removeThing',
    responses: { ...responses, 403: responses[404] },
  };
  const file = writeContract(contract);
  return file;
}

const file = contractFile();
let started: StartedApp;
let errors: string[];

/** What a handler of errors that Express calls found. */
let inErrorHandler: unknown[] = [];

beforeAll(async () => {
  started = await startApp(
    {},
    {
      contractFile: file,
      features: [ThingsModule],
      prepare: (app) => {
        app.use('/hooks', express.json(), (request: Request, response: Response) => response.json(request.body));
        app.use((request: Request, response: Response, next: NextFunction) =>
          request.headers['x-place'] === 'app.use' ? using(request, response, next) : next(),
        );
        app.use((error: Error, request: Request, _: Response, next: NextFunction) => {
          inErrorHandler.push(request.body, error.message);
          next(error);
        });
      },
    },
  );
  errors = collectErrors(started.app);
});

beforeEach(() => {
  for (const list of [seen, handled, errors]) list.splice(0);
  inErrorHandler = [];
  use = () => {};
});

const post = (headers: Record<string, string> = {}) => started.api.post('/v1/things', THING, { headers });

describe.each([
  ['configure', {}],
  ['app.use', { 'x-place': 'app.use' }],
])('middleware of %s that uses the body before it is read', (_, headers) => {
  it.each<[string, Use]>([
    ['checks it', ({ body }, response) => body?.role === 'admin' && response.status(409)],
    ['checks it after a pause', async (request) => (await Promise.resolve(), request.body)],
    ['checks whether it is there', (request) => request.body && null],
    ['replaces it', (request) => void (request.body = {})],
    ['changes it', (request) => void Object.assign(request.body as object, { tenant: 'a' })],
    ['takes it in a copy', (request) => Object.assign({}, { ...request, body: request.body as unknown })],
  ])('fails the request with an entry that says what to do: %s', async (__, uses) => {
    use = uses;
    expect(outcome(await post(headers))).toEqual(FAILED);
    expect(errors).toHaveLength(1);
    expect(errors.join()).toContain(USED_EARLY);
    expect(handled).toEqual([]);
  });

  it.each<[string, Use]>([
    ['copies the request', (request) => ({ ...request })],
    ['shows the request', (request) => inspect(request)],
    ['lists its members', (request) => JSON.stringify(Object.entries(request).map(([name]) => name))],
    ['logs it when the response ends', (request, response) => response.on('finish', () => seen.push(request.body))],
    [
      'catches the error',
      (request) =>
        Promise.resolve()
          .then(() => request.body as unknown)
          .catch(() => {}),
    ],
  ])('does not affect a request whose body it does not use: %s', async (__, uses) => {
    use = uses;
    expect(outcome(await post(headers))).toEqual({ status: 201, body: { ...THING, isInspected: true } });
    expect(handled).toEqual([THING]);
    expect(errors).toEqual([]);
  });

  it('finds none where none was sent, and may set one there', async () => {
    use = (request) => {
      seen.push(request.body);
      request.body = { name: 'Tom' };
    };
    const response = await started.api.request('POST', '/v1/things', { headers });
    expect(outcome(response)).toMatchObject({ status: 201, body: { name: 'Tom' } });
    expect(seen[0]).toBeUndefined();
  });

  it('finds none where the operation takes none', async () => {
    use = (request) => void seen.push(request.body);
    expect((await started.api.get('/v1/things/7', { headers })).json).toEqual({ thingId: '7', body: 'none' });
    const response = await started.api.request('DELETE', '/v1/things/7', { headers, body: '{"a":1}' });
    expect(response.status).toBe(200);
    expect(seen).toEqual([undefined, undefined]);
  });

  it('can log the missing body of a request that is refused before it is read', async () => {
    const logged = new Promise((resolve) => {
      use = (request, response) =>
        response.on('finish', () => resolve({ body: bodyOrError(request), status: response.statusCode }));
    });
    const response = await started.api.post('/v1/things', THING, { headers, key: null });
    expect(outcome(response)).toEqual(MISSING_KEY);
    expect(await logged).toEqual({ body: undefined, status: 401 });
  });

  it('can log the missing body of a request whose client leaves', async () => {
    const logged = new Promise((resolve) => {
      use = (request, response) => {
        response.on('close', () => resolve([bodyOrError(request), response.headersSent]));
        sent.destroy();
        return new Promise(() => {});
      };
    });
    const sent = send(`${started.baseUrl}/v1/things`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': 1000 },
    });
    sent.on('error', () => {}).write('{');
    expect(await logged).toEqual([undefined, false]);
  });
});

it('a guard, an interceptor and a pipe of the feature have the body', async () => {
  await post();
  expect(seen).toEqual([
    ['guard', THING],
    ['interceptor', THING],
    ['pipe', THING],
    ['a copy of the request', THING],
    ['a derived request', THING],
  ]);
});

it('middleware that looks for the body before another one changes the URL fails the request', async () => {
  use = (request) => {
    seen.push(request.body);
    request.url = '/v1/things';
  };
  const response = await started.api.post('/other', THING, { headers: { 'x-place': 'app.use' } });
  expect(outcome(response)).toEqual(FAILED);
  expect(errors.join()).toContain(USED_EARLY);
});

it('routes outside the contract have the body that a parser has read', async () => {
  expect((await started.api.post('/hooks', THING)).json).toEqual(THING);
});

it('a handler of errors of Express finds no body, and the error stays the same', async () => {
  use = () => Promise.reject(new ConflictException('The moon is full.'));
  const response = await post({ 'x-place': 'app.use' });
  expect(outcome(response)).toEqual({
    status: 409,
    body: { code: 'CONFLICT', message: 'The moon is full.', status: 409 },
  });
  expect(inErrorHandler).toEqual([undefined, 'The moon is full.']);
});

describe('an exception filter', () => {
  let filtered: StartedApp;

  beforeAll(async () => {
    const prepare = (app: StartedApp['app']) => void app.useGlobalFilters(new LoggingFilter());
    filtered = await startApp({}, { contractFile: file, features: [ThingsModule], prepare });
  });

  it.each<[string, Use, object, number]>([
    ['a guard of the application', () => {}, { key: null }, 401],
    [
      'middleware',
      () => {
        throw new ConflictException('The moon is full.');
      },
      {},
      409,
    ],
    ['the check of the media type', () => {}, { headers: { 'content-type': 'text/plain' } }, 415],
  ])('finds no body of a request that was refused by %s', async (_, uses, options, status) => {
    use = uses;
    const response = await filtered.api.post('/v1/things', THING, options);
    expect([response.status, response.json]).toMatchObject([status, { code: 'FILTERED' }]);
    expect(seen).toEqual([['filter', undefined]]);
  });
});
