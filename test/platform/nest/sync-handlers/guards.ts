import { BadRequestException, type CanActivate, Req, UseFilters, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';
import { EMPTY, NEVER, of, startWith, take, throwError } from 'rxjs';
import { filter, guard, yes } from './enhancers.js';
import { controllerOf, fail, later, type Route, thenable } from './routes.js';

const store = new AsyncLocalStorage<string>();
const broken = new BadRequestException('The toy is broken.');

const guarded = (status: number, ...guards: CanActivate[]): Route => ({ status, decorators: [UseGuards(...guards)] });
const one = (status: number, verdict: () => unknown): Route => guarded(status, guard('one', verdict));

const verdicts: Record<string, Route> = {
  'says yes': one(200, () => true),
  'says no': one(403, () => false),
  'promises yes': one(200, async () => true),
  'promises no': one(403, async () => false),
  'says yes later': one(200, () => later(() => true)),
  'says no later': one(403, () => later(() => false)),
  'says yes by an Observable': one(200, () => of(true)),
  'says no by an Observable': one(403, () => of(false)),
  'says yes with the last value': one(200, () => of(false, true)),
  'says no with the last value': one(403, () => of(true, false)),
  'says nothing by an Observable': one(500, () => EMPTY),
  'says yes by an Observable that is cut short': one(200, () => NEVER.pipe(startWith(true), take(1))),
  'promises an Observable of yes': one(200, async () => of(true)),
  'promises an Observable of no': one(403, async () => of(false)),
  'says yes by an Observable of a promise': one(200, () => of(Promise.resolve(true))),
  'says yes by a thenable': one(200, () => thenable(() => true)),
  'says no by a thenable': one(403, () => thenable(() => false)),
  'says yes by a thenable function': one(200, () =>
    Object.assign(
      () => {},
      thenable(() => true),
    ),
  ),
  throws: one(400, () => fail(broken)),
  'throws an ordinary error': one(500, () => fail()),
  rejects: one(400, async () => fail(broken)),
  'rejects later': one(400, () => later(() => fail(broken))),
  'fails by an Observable': one(400, () => throwError(() => broken)),
  'rejects by a thenable': one(400, () => thenable(() => fail(broken))),
  ...Object.fromEntries(
    [1, 'yes', {}, [], Number.NaN, 0, '', null, undefined].map((verdict) => [
      `says ${JSON.stringify(verdict)} of type ${typeof verdict}`,
      one(verdict ? 200 : 403, () => verdict),
    ]),
  ),
  'promises the text no': one(200, async () => 'no'),
  'promises nothing': one(403, async () => undefined),
};

const several: Record<string, Route> = {
  'say yes in every way': guarded(
    200,
    yes('one'),
    guard('two', async () => true),
    guard('three', () => of(true)),
    yes('four'),
    guard('five', () => later(() => 1)),
    yes('six'),
  ),
  'end with the first no': guarded(
    403,
    yes('one'),
    guard('two', () => false),
    yes('three'),
  ),
  'end with the first promised no': guarded(
    403,
    yes('one'),
    guard('two', async () => false),
    yes('three'),
  ),
  'end with the first no after a promise': guarded(
    403,
    guard('one', async () => true),
    guard('two', () => false),
    guard('three', () => fail()),
  ),
  'end with the first that throws': guarded(
    400,
    yes('one'),
    guard('two', () => fail(broken)),
    yes('three'),
  ),
  'end with the first that throws after a promise': guarded(
    400,
    guard('one', () => of(true)),
    guard('two', () => fail(broken)),
    yes('three'),
  ),
  'pass data to the handler, at once': {
    decorators: [UseGuards(guard('one', (context) => (owned(context.switchToHttp().getRequest()), true)))],
    parameters: [Req()],
    handler: ({ owner }: Owned) => ({ owner }),
  },
  'pass data to the handler, later': {
    decorators: [UseGuards(guard('one', async (context) => later(() => owned(context.switchToHttp().getRequest()))))],
    parameters: [Req()],
    handler: ({ owner }: Owned) => ({ owner }),
  },
  'enter a store, at once': {
    decorators: [UseGuards(guard('one', () => (store.enterWith('red'), true)))],
    handler: () => ({ color: store.getStore() }),
  },
  'enter a store, in a promise': {
    decorators: [UseGuards(guard('one', async () => (store.enterWith('red'), true)))],
    handler: () => ({ color: store.getStore() }),
  },
  'reach filters with their exceptions': {
    status: 403,
    decorators: [UseGuards(guard('one', () => false)), UseFilters(filter('handler'))],
  },
};

interface Owned extends Request {
  owner?: string;
}

function owned(request: Owned): true {
  request.owner = 'Ann';
  return true;
}

export const GUARDS = controllerOf('guards', verdicts);

export const SEVERAL_GUARDS = controllerOf(
  'several-guards',
  {
    ...several,
    'of the controller say yes': {},
    'of the controller come first': guarded(
      403,
      guard('no', () => false),
    ),
  },
  [
    UseGuards(
      yes('controller'),
      guard('controller, promised', async () => true),
    ),
  ],
);
