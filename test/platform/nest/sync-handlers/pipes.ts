import {
  BadRequestException,
  Body,
  ConflictException,
  createParamDecorator,
  DefaultValuePipe,
  type ExecutionContext,
  Headers,
  HttpCode,
  Ip,
  NotFoundException,
  Param,
  ParseIntPipe,
  type PipeTransform,
  Query,
  Req,
  Res,
  Session,
  UseFilters,
  UseGuards,
  UsePipes,
} from '@nestjs/common';
import type { Request } from 'express';
import { of } from 'rxjs';
import { filter, guard, pipe } from './enhancers.js';
import { note } from './journal.js';
import { controllerOf, fail, later, type Route, thenable } from './routes.js';

const bad = (name: string) => new BadRequestException(`The parameter ${name} is bad.`);

/** Pipes that fail in different ways. */
const throws = (name: string): PipeTransform => pipe(`${name} throws`, () => fail(bad(name)));
const rejects = (name: string): PipeTransform => pipe(`${name} rejects`, async () => fail(bad(name)));
const rejectsLater = (name: string): PipeTransform => pipe(`${name} rejects later`, () => later(() => fail(bad(name))));
const waits = (name: string): PipeTransform => pipe(name, (value) => later(() => `${String(value)} ${name}`));
const promises = (name: string): PipeTransform => pipe(name, async (value) => `${String(value)} ${name}`);

const QUERY = '?a=1&b=2&c=3';
const seen = (...args: unknown[]) => ({ args });

/** The query parameters a, b, c, each with its own pipes. */
const piped = (status: number, ...pipes: PipeTransform[][]): Route => ({
  status,
  query: QUERY,
  parameters: pipes.map((own, index) => Query('abc'[index]!, ...own)),
  types: pipes.map(() => String),
  handler: seen,
});

/** A custom decorator. */
const custom = (name: string, make: (request: Request) => unknown) =>
  createParamDecorator((data: unknown, context: ExecutionContext) => {
    note(`decorator ${name} with ${String(data)} of ${context.getType()} ${context.getHandler().name}`);
    return make(context.switchToHttp().getRequest());
  });

const Toy = custom('toy', ({ query }) => query.a);
const LateToy = custom('late toy', ({ query }) => later(() => query.a));
const PromisedToy = custom('promised toy', async ({ query }) => query.a);
const ThenableToy = custom('thenable toy', ({ query }) => thenable(() => query.a));
const BrokenToy = custom('broken toy', () => fail(new ConflictException('The toy is broken.')));
const RejectedToy = custom('rejected toy', async () => fail(new ConflictException('The toy is broken.')));
const LateBrokenToy = custom('late broken toy', () => later(() => fail(new ConflictException('The toy is broken.'))));

const decorated = (status: number, ...parameters: ParameterDecorator[]): Route => ({
  status,
  query: QUERY,
  parameters,
  handler: seen,
});

const single: Record<string, Route> = {
  'that returns a value': piped(200, [pipe('one')]),
  'that returns a promise': piped(200, [promises('one')]),
  'that resolves later': piped(200, [waits('one')]),
  'that returns a thenable': piped(200, [pipe('one', () => thenable(() => 'red'))]),
  'that returns a thenable function': piped(200, [
    pipe('one', () =>
      Object.assign(
        () => {},
        thenable(() => 'red'),
      ),
    ),
  ]),
  'that returns undefined': piped(200, [pipe('one', () => undefined)]),
  'that returns null': piped(200, [pipe('one', () => null)]),
  'that returns an Observable without a subscriber': {
    ...piped(200, [pipe('one', () => of('red'))]),
    handler: (color: unknown) => ({ color: typeof color }),
  },
  'that throws': piped(400, [throws('a')]),
  'that throws an ordinary error': piped(500, [pipe('one', () => fail())]),
  'that rejects': piped(400, [rejects('a')]),
  'that rejects later': piped(400, [rejectsLater('a')]),
};

const several: Record<string, Route> = {
  'of one parameter': piped(200, [pipe('one'), pipe('two'), pipe('three')]),
  'of one parameter, some of which return promises': piped(200, [
    pipe('one'),
    promises('two'),
    pipe('three'),
    waits('four'),
  ]),
  'of one parameter, the second of which throws': piped(400, [pipe('one'), throws('a'), pipe('three')]),
  'of one parameter, the second of which throws after a promise': piped(400, [waits('one'), throws('a')]),
  'of several parameters': piped(200, [pipe('one')], [pipe('two')], [pipe('three')]),
  'of several parameters, some with several pipes': piped(
    200,
    [pipe('one'), pipe('two')],
    [pipe('three'), pipe('four')],
    [pipe('five')],
  ),
  'of several parameters, some of which return promises': piped(
    200,
    [promises('one'), pipe('two'), pipe('three')],
    [pipe('four'), promises('five'), pipe('six')],
    [pipe('seven'), pipe('eight'), promises('nine')],
  ),
  'of several parameters, some of which resolve later': piped(
    200,
    [waits('one'), pipe('two'), pipe('three')],
    [pipe('four'), waits('five'), pipe('six')],
    [pipe('seven'), pipe('eight'), pipe('nine')],
  ),
};

const failing: Record<string, Route> = {
  'the first throws, and the others still run': piped(400, [throws('a')], [pipe('two')], [pipe('three')]),
  'the last throws': piped(400, [pipe('one')], [pipe('two')], [throws('c')]),
  'all throw': piped(400, [throws('a')], [throws('b')], [throws('c')]),
  'all reject': piped(400, [rejects('a')], [rejects('b')], [rejects('c')]),
  'one throws beside one that resolves later': piped(400, [waits('one')], [throws('b')], [pipe('three')]),
  'one throws beside one that rejects': piped(400, [rejects('a')], [throws('b')]),
  'one throws, and one rejects after it': piped(400, [throws('a')], [rejects('b')]),
  'one rejects later, and one throws after it': piped(400, [rejectsLater('a')], [throws('b')]),
  'one throws in its second pipe, the other in its first': piped(400, [pipe('one'), throws('a')], [throws('b')]),
  'both throw in their second pipe': piped(400, [pipe('one'), throws('a')], [pipe('two'), throws('b')]),
  'one throws in its third pipe, the other rejects in its second': piped(
    400,
    [pipe('one'), pipe('two'), throws('a')],
    [pipe('three'), rejects('b')],
  ),
  'one throws in its second pipe after a promise, the other in its third without one': piped(
    400,
    [promises('one'), throws('a')],
    [pipe('two'), pipe('three'), throws('b')],
  ),
  'one rejects in its first pipe, the other throws in its second': piped(
    400,
    [rejects('a')],
    [pipe('two'), throws('b')],
  ),
  'and filters receive the error': { ...piped(400, [throws('a')]), decorators: [UseFilters(filter('handler'))] },
  'and the status of @HttpCode is not sent': { ...piped(400, [throws('a')]), decorators: [HttpCode(202)] },
};

const parameters: Record<string, Route> = {
  'of every kind': {
    status: 201,
    method: 'POST',
    query: '/ball?a=1',
    init: { body: '{"name":"Ball"}', headers: { 'content-type': 'application/json', 'x-color': 'red' } },
    parameters: [
      Param('toy', pipe('param')),
      Query(pipe('query', (value) => value)),
      Body(pipe('body', (value) => value)),
      Body('name', pipe('member')),
      Headers('x-color'),
      Ip(),
      Toy(pipe('decorator')),
      Param(pipe('params', (value) => ({ ...(value as object) }))),
    ],
    types: [String, Object, Object, String, String, String, String, Object],
    handler: seen,
  },
  "with Nest's own pipes": {
    query: QUERY,
    parameters: [Query('a', ParseIntPipe), Query('z', new DefaultValuePipe(7), ParseIntPipe)],
    types: [Number, Number],
    handler: seen,
  },
  "that one of Nest's own pipes rejects": {
    status: 400,
    query: '?a=many',
    parameters: [Query('a', ParseIntPipe)],
    types: [Number],
  },
  'with gaps between them': {
    query: QUERY,
    parameters: [() => {}, Query('a'), () => {}, Query('b', pipe('two')), () => {}],
    handler: (...args: unknown[]) => ({ args, count: args.length }),
  },
  'without a decorator': { handler: (...args: unknown[]) => ({ count: args.length }) },
  'of the request and the response alone': {
    parameters: [Req(), Res({ passthrough: true })],
    handler: (request: Request, response: unknown) => ({ same: request.res === response }),
  },
  'that are promises: the body': {
    status: 201,
    method: 'POST',
    decorators: [UseGuards(setMember('body', () => later(() => 'red')))],
    parameters: [Body()],
    handler: seen,
  },
  'that are promises: the body, to a pipe': {
    status: 201,
    method: 'POST',
    decorators: [UseGuards(setMember('body', () => later(() => 'red')))],
    parameters: [Body(pipe('one'))],
    handler: seen,
  },
  'that are rejected promises: the body': {
    status: 404,
    method: 'POST',
    decorators: [UseGuards(setMember('body', () => later(() => fail(new NotFoundException('There is no toy.')))))],
    parameters: [Body(), Query('a', pipe('two'))],
    handler: seen,
  },
  'that are promises and not awaited: the session': {
    decorators: [UseGuards(setMember('session', () => Promise.resolve('red')))],
    parameters: [Session()],
    handler: async (session: unknown) => ({ promise: typeof (session as Promise<string>).then, color: await session }),
  },
};

/** A guard that adds a member to the request. */
function setMember(member: string, make: () => unknown) {
  return guard('setMember', (context) => {
    context.switchToHttp().getRequest<Record<string, unknown>>()[member] = make();
    return true;
  });
}

const decorators: Record<string, Route> = {
  'that returns a value': decorated(200, Toy('data')),
  'that resolves later': decorated(200, LateToy()),
  'that returns a promise': decorated(200, PromisedToy()),
  'that returns a thenable': decorated(200, ThenableToy()),
  'that returns a value, with pipes': decorated(200, Toy('data', pipe('one'), promises('two'))),
  'that resolves later, with pipes': decorated(200, LateToy(pipe('one'), pipe('two')), Toy(pipe('three'))),
  'that returns a promise, with pipes, beside others': decorated(
    200,
    PromisedToy(pipe('one'), pipe('two')),
    Query('b', pipe('three'), pipe('four'), pipe('five')),
    Toy(promises('six'), pipe('seven')),
  ),
  'that returns a thenable, with pipes': decorated(200, ThenableToy(pipe('one'))),
  'that throws': decorated(409, BrokenToy()),
  'that throws, and the others still run': decorated(409, BrokenToy(pipe('one')), Toy(pipe('two')), LateToy()),
  'that throws after others': decorated(409, Toy(pipe('one')), Query('b', promises('two')), BrokenToy()),
  'that throws after one that resolves later': decorated(409, LateToy(pipe('one')), BrokenToy()),
  'that throws after a pipe that throws': decorated(409, Toy(throws('a')), BrokenToy()),
  'that throws before a pipe that throws': decorated(409, BrokenToy(), Toy(throws('b'))),
  'that rejects': decorated(409, RejectedToy()),
  'that rejects, with pipes': decorated(409, RejectedToy(pipe('one')), Toy(pipe('two'))),
  'that rejects before a pipe that throws': decorated(409, RejectedToy(), Toy(throws('b'))),
  'that rejects before one that throws': decorated(409, RejectedToy(), BrokenToy()),
  'that rejects later before a pipe that throws': decorated(400, LateBrokenToy(), Toy(throws('b'))),
  'that rejects after a pipe that throws': decorated(409, Toy(throws('a')), RejectedToy()),
};

export const PIPE = controllerOf('pipe', single);
export const PIPES = controllerOf('pipes', several);
export const FAILING_PIPES = controllerOf('failing-pipes', failing);
export const PARAMETERS = controllerOf('parameters', parameters);
export const DECORATORS = controllerOf('decorators', decorators);

export const ALL_PIPES = controllerOf(
  'all-pipes',
  {
    'of controller and parameter': piped(200, [pipe('one')], []),
    'of controller, handler and parameter': {
      ...piped(200, [pipe('one')], [promises('two')]),
      decorators: [UsePipes(pipe('handler'), promises('handler, promised'))],
    },
    'of controller and parameter, where the parameter pipe throws': piped(400, [throws('a')], [pipe('two')]),
    'of controller, handler and parameter, where the handler pipe throws': {
      ...piped(400, [pipe('one')], [pipe('two')]),
      decorators: [UsePipes(throws('handler'))],
    },
    'for a custom decorator': decorated(200, Toy(), LateToy(pipe('one'))),
  },
  [UsePipes(pipe('controller'))],
);
