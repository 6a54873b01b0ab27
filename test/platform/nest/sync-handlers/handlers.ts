import {
  ConflictException,
  Header,
  HttpCode,
  HttpException,
  Next,
  Redirect,
  Req,
  Res,
  Sse,
  StreamableFile,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Readable } from 'node:stream';
import { delay, EMPTY, map, of, throwError } from 'rxjs';
import { filter, guard, interceptor } from './enhancers.js';
import { note } from './journal.js';
import { controllerOf, fail, later, type Route, thenable, withThen } from './routes.js';

const BALL = { name: 'Ball' };
const taken = new ConflictException('The toy is taken.');

const returns = (handler: () => unknown, status = 200): Route => ({ status, handler });
const file = (options: ConstructorParameters<typeof StreamableFile>[1] = {}) =>
  new StreamableFile(noted(Readable.from([Buffer.from('Ba'), Buffer.from('ll')])), options);

/** Records in the journal when it is closed. */
function noted(stream: Readable): Readable {
  return stream.once('close', () => note('the stream is closed'));
}

async function* toys(): AsyncGenerator<object> {
  note('the first toy');
  yield BALL;
  await later(() => note('the second toy'));
  yield { name: 'Cube' };
}

async function* texts(): AsyncGenerator<string> {
  yield 'Ball, ';
  yield 'Cube';
}

async function* broken(): AsyncGenerator<string> {
  await later(() => fail(taken));
  yield 'Ball';
}

function* listed(): Generator<object> {
  yield BALL;
}

const circle: { self?: object } = {};
circle.self = circle;

const values: Record<string, Route> = {
  'an object': returns(() => BALL),
  'a list': returns(() => [BALL]),
  'an instance': returns(() => new Date(0)),
  text: returns(() => 'Ball'),
  'an empty text': returns(() => ''),
  'a number': returns(() => 7),
  zero: returns(() => 0),
  'a bigint': returns(() => 7n),
  'a boolean': returns(() => false),
  undefined: returns(() => undefined),
  null: returns(() => null),
  bytes: returns(() => Buffer.from('Ball')),
  'a function': returns(() => () => 'Ball'),
  'an error': returns(() => new Error('The secret is hunter2.')),
  'a generator': returns(() => listed()),
  'a value that cannot be serialised': returns(() => circle, 500),
  'a value that throws when it is serialised': returns(() => ({ toJSON: () => fail(taken) }), 409),
  'a promise': returns(async () => BALL),
  'a promise of undefined': returns(async () => undefined),
  'a promise of a promise, later': returns(() => later(() => Promise.resolve(BALL))),
  'a thenable': returns(() => thenable(() => BALL)),
  'a promise of a thenable': returns(async () => thenable(() => BALL)),
  'a thenable function': returns(() =>
    Object.assign(
      () => {},
      thenable(() => BALL),
    ),
  ),
  'an object with a member then that is not a function': returns(() => withThen('Ball')),
  'an Observable': returns(() => of({ name: 'Cube' }, BALL)),
  'an Observable that emits later': returns(() => of({ name: 'Cube' }, BALL).pipe(delay(2))),
  'an empty Observable': returns(() => EMPTY, 500),
  'an Observable that fails': returns(() => throwError(() => taken), 409),
  'a promise of an Observable': returns(async () => of(BALL)),
  'an Observable of a file': returns(() => of(file())),
  'a file': returns(() => file()),
  'a file with a type, a name and a length': returns(() =>
    file({ type: 'image/png', disposition: 'attachment; filename="ball.png"', length: 4 }),
  ),
  'a promise of a file': returns(() => later(() => file())),
  'a file whose name is not valid in a header field': returns(() => file({ disposition: 'a\r\nb' }), 500),
  'a file that fails': returns(() => new StreamableFile(new Readable({ read: () => fail(taken) })), 400),
  'a stream': returns(() => noted(Readable.from(['Ball']))),
  'an asynchronous generator': returns(toys),
  'an asynchronous generator of text': returns(texts),
  'an asynchronous generator that fails': returns(broken, 409),
  'a promise of an asynchronous generator': returns(async () => toys()),
  'a ReadableStream': returns(() => ReadableStream.from(['Ball'])),
  'a Response': returns(() => Response.json(BALL, { status: 203, headers: { 'x-color': 'red' } }), 203),
  'a file, for HEAD': { method: 'HEAD', handler: () => file() },
  'an asynchronous generator, for HEAD': { method: 'HEAD', handler: toys },
  'an object, for HEAD': { method: 'HEAD' },
  'an object, for POST': { method: 'POST', status: 201 },
  'an object, for DELETE': { method: 'DELETE' },
  'an object, for any method': { method: 'ALL', init: { method: 'PUT' } },
};

const errors: Record<string, Route> = {
  'an exception': returns(() => fail(taken), 409),
  'an exception with its own body': returns(() => fail(new HttpException({ toy: 'Ball' }, 418)), 418),
  'an error': returns(() => fail(), 500),
  text: returns(() => fail('Ball'), 500),
  null: returns(() => fail(null), 500),
  'an exception, in a promise': returns(async () => fail(taken), 409),
  'an exception, later': returns(() => later(() => fail(taken)), 409),
  'an exception, in a thenable': returns(() => thenable(() => fail(taken)), 409),
  'an exception, in its then': returns(() => withThen(() => fail(taken)), 409),
  'an exception, to a filter': { ...returns(() => fail(taken), 409), decorators: [UseFilters(filter('handler'))] },
  'an exception, in a promise, to a filter': {
    ...returns(async () => fail(taken), 409),
    decorators: [UseFilters(filter('handler'))],
  },
  'an exception, to a filter that throws': {
    ...returns(() => fail(taken), 500),
    decorators: [UseFilters({ catch: () => fail() })],
  },
};

const withRes = (respond: (response: Response) => unknown, status = 200): Route => ({
  status,
  parameters: [Res()],
  handler: respond,
});

const responses: Record<string, Route> = {
  'with @Res()': withRes((response) => void response.json(BALL)),
  'with @Res(), and returns a value': withRes((response) => (response.status(202).json(BALL), { name: 'Cube' }), 202),
  'with @Res(), and resolves to a value': withRes(async (response) => (response.json(BALL), { name: 'Cube' })),
  'with @Res(), later': withRes((response) => void setImmediate(() => response.json(BALL))),
  'with @Res(), and returns an Observable': withRes((response) => of(1).pipe(map(() => response.json(BALL)))),
  'with @Res(), and throws': withRes((response) => (response.write('Ball'), response.end(), fail(taken))),
  'with @Res(), but throws before': withRes(() => fail(taken), 409),
  'with an empty body': withRes((response) => response.writeHead(204, { 'x-color': 'red' }).end(), 204),
  'by a stream': withRes((response) => noted(Readable.from(['Ball'])).pipe(response)),
  'through Nest with passthrough': {
    status: 203,
    parameters: [Res({ passthrough: true })],
    handler: (response: Response) => (response.status(203).cookie('toy', 'Ball').set('X-Color', 'red'), BALL),
  },
  'through Nest with passthrough, later': {
    status: 203,
    parameters: [Res({ passthrough: true })],
    handler: (response: Response) => later(() => (response.status(203).vary('X-Color'), BALL)),
  },
  'by calling next()': {
    status: 404,
    parameters: [Next()],
    handler: (next: NextFunction) => next(),
  },
  'by calling next() with an exception': {
    status: 409,
    parameters: [Next()],
    handler: (next: NextFunction) => next(taken),
  },
  'by calling next(), and returns a value': {
    status: 404,
    parameters: [Next(), Req(), Res()],
    handler: (next: NextFunction) => (next(), BALL),
  },
};

let count = 0;

const described: Record<string, Route> = {
  '@HttpCode': { status: 202, decorators: [HttpCode(202)] },
  '@HttpCode, later': { status: 202, decorators: [HttpCode(202)], handler: () => later(() => BALL) },
  '@HttpCode, and another status that the handler sets': {
    status: 203,
    decorators: [HttpCode(202)],
    parameters: [Res({ passthrough: true })],
    handler: (response: Response) => (response.status(203), BALL),
  },
  '@HttpCode, and another status that the handler sets later': {
    status: 203,
    decorators: [HttpCode(202)],
    parameters: [Res({ passthrough: true })],
    handler: (response: Response) => later(() => ((response.statusCode = 203), BALL)),
  },
  '@HttpCode without a body': { status: 204, decorators: [HttpCode(204)] },
  '@HttpCode of POST': { status: 200, method: 'POST', decorators: [HttpCode(200)] },
  '@HttpCode of an Observable': { status: 202, decorators: [HttpCode(202)], handler: () => of(BALL) },
  '@HttpCode of a stream': { status: 202, decorators: [HttpCode(202)], handler: toys },
  '@HttpCode before an exception': { status: 409, decorators: [HttpCode(202)], handler: () => fail(taken) },
  '@Header': { decorators: [Header('X-Color', 'red'), Header('Cache-Control', 'none')] },
  '@Header that is computed': { decorators: [Header('X-Count', () => `${(count += 1) % 1}`)] },
  '@Header that cannot be computed': { status: 500, decorators: [Header('X-Count', () => fail())] },
  '@Header with an invalid value': { status: 500, decorators: [Header('X-Color', 'a\r\nb')] },
  '@Header before an exception': { status: 409, decorators: [Header('X-Color', 'red')], handler: () => fail(taken) },
  '@Header of a rejected request': {
    status: 403,
    decorators: [Header('X-Color', 'red'), HttpCode(202), UseGuards(guard('one', () => false))],
  },
  '@Header that the handler overwrites': {
    decorators: [Header('X-Color', 'red')],
    parameters: [Res({ passthrough: true })],
    handler: (response: Response) => (response.set('x-color', 'blue'), BALL),
  },
  '@Header of a type': { decorators: [Header('Content-Type', 'text/plain')], handler: () => 'Ball' },
  '@Redirect': { status: 302, decorators: [Redirect('/toys')], handler: () => undefined },
  '@Redirect with a status': { status: 308, decorators: [Redirect('/toys', 308)], handler: () => undefined },
  '@Redirect to the URL that the handler returns': {
    status: 307,
    decorators: [Redirect('/toys', 308)],
    handler: () => ({ url: '/cubes', statusCode: 307 }),
  },
  '@Redirect to the URL that the handler resolves to': {
    status: 308,
    decorators: [Redirect('/toys', 308)],
    handler: () => later(() => ({ url: '/cubes' })),
  },
  '@Redirect to the URL that an Observable emits': {
    status: 302,
    decorators: [Redirect('/toys')],
    handler: () => of({ url: '/cubes' }),
  },
  '@Redirect without a URL, to the one that the handler returns': {
    status: 307,
    decorators: [Redirect()],
    handler: () => ({ url: '/cubes', statusCode: 307 }),
  },
  '@Redirect without a URL, to the one that the handler resolves to': {
    status: 302,
    decorators: [Redirect()],
    handler: async () => ({ url: '/cubes' }),
  },
  '@Redirect before an exception': { status: 409, decorators: [Redirect('/toys')], handler: () => fail(taken) },
  '@Redirect of a rejected request': {
    status: 403,
    decorators: [Redirect('/toys'), UseGuards(guard('one', async () => false))],
  },
  '@Sse': { decorators: [Sse()], handler: () => of({ data: BALL }, { data: 'sold out', id: '7', type: 'news' }) },
  '@Sse with a promise': { decorators: [Sse()], handler: async () => of({ data: BALL }) },
  '@Sse that fails': { decorators: [Sse()], handler: () => throwError(() => taken), status: 409 },
  '@Sse with a value that is not an Observable': { decorators: [Sse()], handler: () => BALL, status: 500 },
  '@Sse that a guard rejects': { decorators: [Sse(), UseGuards(guard('one', () => false))], status: 403 },
};

const intercepted = (status: number, ...interceptors: ReturnType<typeof interceptor>[]): Route => ({
  status,
  decorators: [UseInterceptors(...interceptors), UseGuards(guard('one', () => true))],
});

const interceptors: Record<string, Route> = {
  'that only observes': intercepted(200, interceptor('one')),
  'that only observes, twice': intercepted(200, interceptor('one'), interceptor('two')),
  'that changes the value': intercepted(
    200,
    interceptor('one', (next) => next.handle().pipe(map(() => 'Cube'))),
  ),
  'that continues later': intercepted(
    200,
    interceptor('one', (next) => later(() => next.handle())),
  ),
  'that replaces the handler': intercepted(
    200,
    interceptor('one', () => of('Cube')),
  ),
  'that throws': intercepted(
    409,
    interceptor('one', () => fail(taken)),
  ),
  'that fails': intercepted(
    409,
    interceptor('one', () => throwError(() => taken)),
  ),
  'of a stream': { ...intercepted(200, interceptor('one')), handler: toys },
  'of a file': {
    ...intercepted(
      200,
      interceptor('one', (next) => next.handle()),
    ),
    handler: () => file(),
  },
  'of an Observable': { ...intercepted(200, interceptor('one')), handler: () => of(1, BALL) },
  'of an exception': { ...intercepted(409, interceptor('one')), handler: () => fail(taken) },
  'of a rejection': { ...intercepted(409, interceptor('one')), handler: () => later(() => fail(taken)) },
  'of @Res()': {
    ...intercepted(200, interceptor('one')),
    parameters: [Res()],
    handler: (response: Response) => void response.json(BALL),
  },
};

const filtered: Record<string, Route> = {
  'that throws': returns(() => fail(taken), 409),
  'that rejects': returns(() => later(() => fail(taken)), 409),
  'that throws text': returns(() => fail('Ball'), 500),
  'that a guard rejects': { status: 403, decorators: [UseGuards(guard('one', () => false))] },
  'with its own filter': { ...returns(() => fail(taken), 409), decorators: [UseFilters(filter('handler'))] },
  'whose result cannot be serialised': returns(() => circle, 500),
  'whose file has a name that is not valid in a header field': returns(() => file({ disposition: '\0' }), 500),
  'that has already responded': {
    parameters: [Req()],
    handler: ({ res }: Request) => (res!.json(BALL), fail(taken)),
  },
};

export const VALUES = controllerOf('values', values);
export const ERRORS = controllerOf('errors', errors);
export const RESPONSES = controllerOf('responses', responses);
export const DESCRIBED = controllerOf('described', described);
export const INTERCEPTORS = controllerOf('interceptors', interceptors);
export const FILTERED = controllerOf('filtered', filtered, [UseFilters(filter('controller'))]);
