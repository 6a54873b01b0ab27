import { BadRequestException, type CanActivate, Req, UseFilters, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';
import { EMPTY, NEVER, of, startWith, take, throwError } from 'rxjs';
import { filter, guard, allow } from './enhancers.js';
import { controllerOf, fail, later, type Route, thenable } from './routes.js';

const store = new AsyncLocalStorage<string>();
const broken = new BadRequestException('The toy is broken.');

const guarded = (status: number, ...guards: CanActivate[]): Route => ({ status, decorators: [UseGuards(...guards)] });
const one = (status: number, verdict: () => unknown): Route => guarded(status, guard('one', verdict));

const verdicts: Record<string, Route> = {
  'returns true': one(200, () => true),
  'returns false': one(403, () => false),
  'resolves to true': one(200, async () => true),
  'resolves to false': one(403, async () => false),
  'resolves to true later': one(200, () => later(() => true)),
  'resolves to false later': one(403, () => later(() => false)),
  'emits true': one(200, () => of(true)),
  'emits false': one(403, () => of(false)),
  'emits true last': one(200, () => of(false, true)),
  'emits false last': one(403, () => of(true, false)),
  'emits nothing': one(500, () => EMPTY),
  'emits true before the source completes': one(200, () => NEVER.pipe(startWith(true), take(1))),
  'resolves to an Observable of true': one(200, async () => of(true)),
  'resolves to an Observable of false': one(403, async () => of(false)),
  'emits a promise of true': one(200, () => of(Promise.resolve(true))),
  'returns a thenable of true': one(200, () => thenable(() => true)),
  'returns a thenable of false': one(403, () => thenable(() => false)),
  'returns a thenable function of true': one(200, () =>
    Object.assign(
      () => {},
      thenable(() => true),
    ),
  ),
  throws: one(400, () => fail(broken)),
  'throws an ordinary error': one(500, () => fail()),
  rejects: one(400, async () => fail(broken)),
  'rejects later': one(400, () => later(() => fail(broken))),
  'returns an Observable that fails': one(400, () => throwError(() => broken)),
  'returns a thenable that rejects': one(400, () => thenable(() => fail(broken))),
  ...Object.fromEntries(
    [1, 'yes', {}, [], Number.NaN, 0, '', null, undefined].map((verdict) => [
      `returns ${JSON.stringify(verdict)} of type ${typeof verdict}`,
      one(verdict ? 200 : 403, () => verdict),
    ]),
  ),
  'resolves to the text no': one(200, async () => 'no'),
  'resolves to undefined': one(403, async () => undefined),
};

const several: Record<string, Route> = {
  'accept in every way': guarded(
    200,
    allow('one'),
    guard('two', async () => true),
    guard('three', () => of(true)),
    allow('four'),
    guard('five', () => later(() => 1)),
    allow('six'),
  ),
  'stop at the first false': guarded(
    403,
    allow('one'),
    guard('two', () => false),
    allow('three'),
  ),
  'stop at the first promise of false': guarded(
    403,
    allow('one'),
    guard('two', async () => false),
    allow('three'),
  ),
  'stop at the first false after a promise': guarded(
    403,
    guard('one', async () => true),
    guard('two', () => false),
    guard('three', () => fail()),
  ),
  'stop at the first exception': guarded(
    400,
    allow('one'),
    guard('two', () => fail(broken)),
    allow('three'),
  ),
  'stop at the first exception after a promise': guarded(
    400,
    guard('one', () => of(true)),
    guard('two', () => fail(broken)),
    allow('three'),
  ),
  'pass data to the handler synchronously': {
    decorators: [UseGuards(guard('one', (context) => (owned(context.switchToHttp().getRequest()), true)))],
    parameters: [Req()],
    handler: ({ owner }: Owned) => ({ owner }),
  },
  'pass data to the handler later': {
    decorators: [UseGuards(guard('one', async (context) => later(() => owned(context.switchToHttp().getRequest()))))],
    parameters: [Req()],
    handler: ({ owner }: Owned) => ({ owner }),
  },
  'replace the request in their own arguments': {
    decorators: [UseGuards(guard('one', (context) => ((context.getArgs()[0] = { url: 'another' }), true)))],
    parameters: [Req()],
    handler: ({ url }: Request) => ({ url }),
  },
  'enter a store synchronously': {
    decorators: [UseGuards(guard('one', () => (store.enterWith('red'), true)))],
    handler: () => ({ color: store.getStore() }),
  },
  'enter a store in a promise': {
    decorators: [UseGuards(guard('one', async () => (store.enterWith('red'), true)))],
    handler: () => ({ color: store.getStore() }),
  },
  'pass their exceptions to filters': {
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
    'belong to the controller and accept': {},
    'belong to the controller and run first': guarded(
      403,
      guard('no', () => false),
    ),
  },
  [
    UseGuards(
      allow('controller'),
      guard('controller, promised', async () => true),
    ),
  ],
);
