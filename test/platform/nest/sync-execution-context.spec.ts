import { describe, expect, it } from '@jest/globals';
import { createParamDecorator, type PipeTransform, Query, Req, RequestMethod } from '@nestjs/common';
import { GuardsConsumer } from '@nestjs/core/guards/guards-consumer.js';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';
import { PipesConsumer } from '@nestjs/core/pipes/pipes-consumer.js';
import { RouteParamsFactory } from '@nestjs/core/router/route-params-factory.js';
import { RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';
import * as fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { SyncExecutionContext } from '../../../src/platform/http/internals/sync-execution-context.js';
import { fail, later } from './sync-handlers/routes.js';
import { repetitions } from '../../support/run/effort.js';

/** When a value is available: at once, after some microtasks, or in a later turn of the event loop; and whether it fails. */
interface Behaviour {
  readonly when: 'at once' | number | 'later';
  readonly fails: boolean;
}

interface Parameter {
  readonly kind: 'query' | 'custom';
  readonly extraction: Behaviour;
  readonly pipes: readonly Behaviour[];
}

interface Route {
  readonly guards: readonly Behaviour[];
  readonly pipes: readonly Behaviour[];
  readonly parameters: readonly (Parameter | 'request')[];
  readonly handler: Behaviour;
}

const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  when: fc.oneof(
    { arbitrary: fc.constant<Behaviour['when']>('at once'), weight: 6 },
    { arbitrary: fc.constant<Behaviour['when']>(0), weight: 2 },
    { arbitrary: fc.integer({ min: 1, max: 9 }), weight: 1 },
    { arbitrary: fc.constant<Behaviour['when']>('later'), weight: 1 },
  ),
  fails: fc.oneof({ arbitrary: fc.constant(false), weight: 6 }, { arbitrary: fc.constant(true), weight: 1 }),
});

const behaviours = fc.array(behaviour, { maxLength: 3 });

const parameter: fc.Arbitrary<Parameter> = fc
  .record({ kind: fc.constantFrom('query', 'custom'), extraction: behaviour, pipes: behaviours })
  // Reading a member of a request does not throw.
  .filter(({ kind, extraction }) => kind === 'custom' || !(extraction.fails && extraction.when === 'at once'));

const parameters = fc
  .tuple(
    fc.option(parameter),
    // Rare, because Nest's own handler serves routes with several parameters.
    fc.oneof({ arbitrary: fc.constant(null), weight: 4 }, { arbitrary: parameter, weight: 1 }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([first, second, isAfter, isBefore]) => [
    ...(isBefore ? ['request' as const] : []),
    ...(first ? [first] : []),
    ...(isAfter ? ['request' as const] : []),
    ...(second ? [second] : []),
  ]);

const route: fc.Arbitrary<Route> = fc.record({ guards: behaviours, pipes: behaviours, parameters, handler: behaviour });

function perform<Value>({ when, fails }: Behaviour, value: Value): Value | Promise<Value> {
  const make = () => (fails ? fail(new Error(String(value))) : value);
  if (when === 'at once') return make();
  return when === 'later' ? later(make) : after(when, make);
}

async function after<Value>(ticks: number, make: () => Value): Promise<Value> {
  for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
  return make();
}

/** All calls in order, with their arguments, and the response or the error. */
async function callsOf(kind: typeof RouterExecutionContext, { guards, pipes, parameters: declared, handler }: Route) {
  const journal: string[] = [];
  const noted = <Value>(name: string, behaviourOfCall: Behaviour, value: Value) => {
    journal.push(`${name}: ${String(value)}`);
    return perform(behaviourOfCall, value);
  };
  const pipeOf = (name: string) => (pipeBehaviour: Behaviour, index: number) =>
    ({ transform: (value) => noted(`${name}${index}`, pipeBehaviour, `${String(value)}+`) }) satisfies PipeTransform;

  class Toys {
    readonly get = (...args: unknown[]) => noted('handler', handler, args.join());
  }
  const query: Record<string, unknown> = {};
  for (const [index, one] of declared.entries()) {
    const own = one === 'request' ? [] : one.pipes.map(pipeOf(`own ${index}.`));
    const extract = () => one !== 'request' && noted(`parameter ${index}`, one.extraction, 'value');
    Object.defineProperty(query, `parameter${index}`, { get: extract });
    const decorators = { query: Query(`parameter${index}`, ...own), custom: createParamDecorator(extract)(...own) };
    const decorate = one === 'request' ? Req() : decorators[one.kind];
    decorate(Toys.prototype, 'get', index);
  }

  const creatorOf = (enhancers: unknown[]) => ({
    create: () => enhancers,
    setModuleContext: () => {},
    createConcreteContext: (own: unknown[]) => own,
  });
  const context = new kind(
    new RouteParamsFactory(),
    creatorOf(pipes.map(pipeOf('pipe '))) as never,
    new PipesConsumer(),
    creatorOf(guards.map((guard) => ({ canActivate: () => noted('guard', guard, true) }))) as never,
    new GuardsConsumer(),
    creatorOf([]) as never,
    new InterceptorsConsumer(),
    {
      status: (_: unknown, status: number) => journal.push(`status ${status}`),
      reply: (_: unknown, body: unknown) => journal.push(`response ${String(body)}`),
    } as never,
  );
  const toys = new Toys();
  const call = context.create(toys, toys.get, 'get', 'module', RequestMethod.GET);
  // As Nest calls it, for which it makes no difference whether a handler throws or rejects.
  try {
    await call({ query }, {}, () => {});
  } catch (error) {
    journal.push(String(error));
  }
  // Include calls that continue after the first error.
  for (let turns = 0; turns < 9; turns += 1) await turn();
  return journal;
}

describe('a handler called synchronously', () => {
  it("matches Nest's arguments, first error and order of calls for any behaviour of guards, pipes and handler", async () => {
    await fc.assert(
      fc.asyncProperty(route, async (generated) => {
        expect(await callsOf(SyncExecutionContext, generated)).toEqual(
          await callsOf(RouterExecutionContext, generated),
        );
      }),
      { numRuns: repetitions(600) },
    );
  });
});
