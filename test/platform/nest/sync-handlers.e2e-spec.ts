import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { setImmediate as turn } from 'node:timers/promises';
import { installSyncExecutionContext } from '../../../src/platform/http/internals/sync-execution-context.js';
import { filter, guard, interceptor, pipe } from './sync-handlers/enhancers.js';
import { GUARDS, SEVERAL_GUARDS } from './sync-handlers/guards.js';
import { DESCRIBED, ERRORS, FILTERED, INTERCEPTORS, RESPONSES, VALUES } from './sync-handlers/handlers.js';
import { takeJournal } from './sync-handlers/journal.js';
import { ALL_PIPES, DECORATORS, FAILING_PIPES, PARAMETERS, PIPE, PIPES } from './sync-handlers/pipes.js';
import { later, type Row, type Rows } from './sync-handlers/routes.js';
import { Basket, BasketGuard, BasketPipe, SCOPES } from './sync-handlers/scopes.js';

const PIPED: Record<string, Rows> = {
  'a pipe': PIPE,
  pipes: PIPES,
  'pipes of which': FAILING_PIPES,
  'pipes on several levels:': ALL_PIPES,
  parameters: PARAMETERS,
  'a custom decorator': DECORATORS,
};

const HANDLERS: Record<string, Rows> = {
  'a handler that returns': VALUES,
  'a handler that throws': ERRORS,
  'a handler that responds': RESPONSES,
  'a handler with': DESCRIBED,
  'an interceptor': INTERCEPTORS,
};

const ALL: Record<string, Rows> = {
  'a guard that': GUARDS,
  'guards that': SEVERAL_GUARDS,
  ...PIPED,
  ...HANDLERS,
  'a filter of the controller, of a handler': FILTERED,
  'a scope:': SCOPES,
};

@Module({
  controllers: Object.values(ALL).flatMap(({ controllers }) => controllers),
  providers: [Basket, BasketGuard, BasketPipe],
})
class ToysModule {}

/** Global enhancers, and the handlers that they affect. */
const APPLICATIONS: [string, Record<string, Rows>, (app: INestApplication) => unknown][] = [
  ['no enhancer', ALL, () => {}],
  [
    'a guard, a pipe and a filter',
    ALL,
    (app) =>
      app
        .useGlobalGuards(guard('of all', () => true))
        .useGlobalPipes(pipe('of all', (value) => value))
        .useGlobalFilters(filter('all')),
  ],
  [
    'a guard and a pipe that resolve later',
    PIPED,
    (app) =>
      app
        .useGlobalGuards(guard('of all', () => later(() => true)))
        .useGlobalPipes(pipe('of all', (value) => later(() => value))),
  ],
  [
    'an interceptor and an asynchronous pipe',
    { 'pipes of which': FAILING_PIPES, ...HANDLERS },
    (app) => app.useGlobalInterceptors(interceptor('of all')).useGlobalPipes(pipe('of all', async (value) => value)),
  ],
];

async function start(prepare: (app: INestApplication) => unknown): Promise<{ app: INestApplication; url: string }> {
  const app = await NestFactory.create(ToysModule, new ExpressAdapter(), { logger: false, abortOnError: false });
  prepare(app);
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl() };
}

interface Result {
  readonly status: number;
  readonly headers: readonly [string, string][];
  readonly body: string;
  readonly journal: readonly string[];
}

/** The response, and the journal of all calls up to it and in the turns right after it. */
async function send(url: string, { target, init }: Row): Promise<Result> {
  takeJournal();
  const response = await fetch(url + target, { redirect: 'manual', ...init });
  const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  const body = await response.text().catch((error: unknown) => String(error));
  for (let turns = 0; turns < 3; turns += 1) await turn();
  return { status: response.status, headers, body, journal: takeJournal() };
}

describe.each(APPLICATIONS)(
  'handlers called synchronously, with %s registered globally',
  (enhancers, groups, prepare) => {
    let stock: Awaited<ReturnType<typeof start>>;
    let sync: typeof stock;

    beforeAll(async () => {
      stock = await start(prepare);
      sync = await start((app) => {
        installSyncExecutionContext(app);
        prepare(app);
      });
    });

    afterAll(() => Promise.all([stock.app.close(), sync.app.close()]));

    describe.each(Object.entries(groups))(
      'match a stock Nest application in response and order of calls: %s',
      (_, { rows }) => {
        it.each(rows)('$title', async (row) => {
          const expected = await send(stock.url, row);
          expect(await send(sync.url, row)).toEqual(expected);
          if (enhancers === 'no enhancer') expect(expected.status).toBe(row.status);
        });
      },
    );
  },
);

describe('installSyncExecutionContext', () => {
  it.each<[string, object]>([
    ['no resolver of routes', {}],
    ['no explorer of routes', { routesResolver: {} }],
    ['no creator of handlers', { routesResolver: { routerExplorer: {} } }],
    ['a creator of another class', { routesResolver: { routerExplorer: { executionContextCreator: {} } } }],
  ])('throws when Nest has %s', (_, app) => {
    expect(() => installSyncExecutionContext(app as INestApplication)).toThrow(
      new Error(
        'src/platform/http/internals/sync-execution-context.ts does not support how this version of Nest calls handlers',
      ),
    );
  });
});
