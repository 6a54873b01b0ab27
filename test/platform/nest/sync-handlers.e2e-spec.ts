import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { setImmediate as turn } from 'node:timers/promises';
import { callHandlersPromptly } from '../../../src/platform/http/internals/sync-execution-context.js';
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
  'pipes everywhere:': ALL_PIPES,
  parameters: PARAMETERS,
  'a decorator of the project': DECORATORS,
};

const ANSWERED: Record<string, Rows> = {
  'a handler that returns': VALUES,
  'a handler that throws': ERRORS,
  'a handler that answers': RESPONSES,
  'a handler with': DESCRIBED,
  'an interceptor': INTERCEPTORS,
};

const ALL: Record<string, Rows> = {
  'a guard that': GUARDS,
  'guards that': SEVERAL_GUARDS,
  ...PIPED,
  ...ANSWERED,
  'a filter of the controller, of a handler': FILTERED,
  'a scope:': SCOPES,
};

@Module({
  controllers: Object.values(ALL).flatMap(({ controllers }) => controllers),
  providers: [Basket, BasketGuard, BasketPipe],
})
class ToysModule {}

/** What holds for all handlers of an application, and those that it makes a difference to. */
const WHOLES: [string, Record<string, Rows>, (app: INestApplication) => unknown][] = [
  ['nothing', ALL, () => {}],
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
    'a guard and a pipe that answer later',
    PIPED,
    (app) =>
      app
        .useGlobalGuards(guard('of all', () => later(() => true)))
        .useGlobalPipes(pipe('of all', (value) => later(() => value))),
  ],
  [
    'an interceptor and a pipe that promises',
    { 'pipes of which': FAILING_PIPES, ...ANSWERED },
    (app) => app.useGlobalInterceptors(interceptor('of all')).useGlobalPipes(pipe('of all', async (value) => value)),
  ],
];

async function start(prepare: (app: INestApplication) => unknown): Promise<{ app: INestApplication; url: string }> {
  const app = await NestFactory.create(ToysModule, new ExpressAdapter(), { logger: false, abortOnError: false });
  prepare(app);
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl() };
}

interface Answer {
  readonly status: number;
  readonly headers: readonly [string, string][];
  readonly body: string;
  readonly journal: readonly string[];
}

/** The answer, and the journal of what ran until then and right after. */
async function ask(url: string, { target, init }: Row): Promise<Answer> {
  takeJournal();
  const response = await fetch(url + target, { redirect: 'manual', ...init });
  const headers = [...response.headers].filter(([name]) => name !== 'date');
  const body = await response.text().catch((error: unknown) => String(error));
  for (let turns = 0; turns < 3; turns += 1) await turn();
  return { status: response.status, headers, body, journal: takeJournal() };
}

describe.each(WHOLES)('promptly called handlers of an application with %s', (whole, groups, prepare) => {
  let nests: Awaited<ReturnType<typeof start>>;
  let prompt: typeof nests;

  beforeAll(async () => {
    nests = await start(prepare);
    prompt = await start((app) => {
      callHandlersPromptly(app);
      prepare(app);
    });
  });

  afterAll(() => Promise.all([nests.app.close(), prompt.app.close()]));

  describe.each(Object.entries(groups))("have Nest's answer and order of calls: %s", (_, { rows }) => {
    it.each(rows)('$title', async (row) => {
      const expected = await ask(nests.url, row);
      expect(await ask(prompt.url, row)).toEqual(expected);
      if (whole === 'nothing') expect(expected.status).toBe(row.status);
    });
  });
});

describe('callHandlersPromptly', () => {
  it.each<[string, object]>([
    ['nowhere', {}],
    ['without routes', { routesResolver: {} }],
    ['without what calls handlers', { routesResolver: { routerExplorer: {} } }],
    ['with another class', { routesResolver: { routerExplorer: { executionContextCreator: {} } } }],
  ])('throws when Nest keeps it %s', (_, app) => {
    expect(() => callHandlersPromptly(app as INestApplication)).toThrow(
      new Error(
        'src/platform/http/internals/sync-execution-context.ts does not support how this version of Nest calls handlers',
      ),
    );
  });
});
