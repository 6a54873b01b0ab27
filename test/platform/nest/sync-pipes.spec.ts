import { describe, expect, it } from '@jest/globals';
import type { PipeTransform } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/internal';
import { PipesConsumer } from '@nestjs/core/pipes/pipes-consumer.js';
import { RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';
import * as fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { PromptHandlers } from '../../../src/platform/http/internals/sync-execution-context.js';
import { fail, later } from './sync-handlers/routes.js';

/** How a value is had, if it is: at once, or by a promise that waits for so many others, or for the event loop. */
interface Way {
  readonly when: 'at once' | number | 'later';
  readonly fails: boolean;
}

const { BODY, REQUEST } = RouteParamtypes;

interface Parameter {
  readonly type: number | string;
  readonly extraction: Way;
  readonly pipes: readonly Way[];
}

const way: fc.Arbitrary<Way> = fc.record({
  when: fc.oneof(
    { arbitrary: fc.constant<Way['when']>('at once'), weight: 6 },
    { arbitrary: fc.constant<Way['when']>(0), weight: 2 },
    { arbitrary: fc.integer({ min: 1, max: 9 }), weight: 1 },
    { arbitrary: fc.constant<Way['when']>('later'), weight: 1 },
  ),
  fails: fc.oneof({ arbitrary: fc.constant(false), weight: 6 }, { arbitrary: fc.constant(true), weight: 1 }),
});

const ways = fc.array(way, { maxLength: 3 });
const parameter: fc.Arbitrary<Parameter> = fc.oneof(
  {
    arbitrary: fc.record({ type: fc.constantFrom(BODY, '7__customRouteArgs__'), extraction: way, pipes: ways }),
    weight: 5,
  },
  // Nobody would hear of a promise that is rejected there.
  fc.record({ type: fc.constant(REQUEST), extraction: way.map((given) => ({ ...given, fails: false })), pipes: ways }),
);

function have({ when, fails }: Way, value: string): string | Promise<string> {
  const make = () => (fails ? fail(new Error(value)) : value);
  if (when === 'at once') return make();
  return when === 'later' ? later(make) : after(when, make);
}

async function after(ticks: number, make: () => string): Promise<string> {
  for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
  return make();
}

/** The arguments that come of it or the first error, and the order in which all was called. */
async function run(kind: typeof RouterExecutionContext, ofAll: readonly Way[], parameters: readonly Parameter[]) {
  const journal: string[] = [];
  const noted = (name: string, given: Way, value: string) => {
    journal.push(`${name}: ${value}`);
    return have(given, `${value} ${name}`);
  };
  const pipeOf = (name: string) => (given: Way, index: number) =>
    ({ transform: (value: string) => noted(`${name}${index}`, given, value) }) satisfies PipeTransform;
  const creator = Object.create(kind.prototype, {
    pipesConsumer: { value: new PipesConsumer() },
  }) as typeof kind.prototype;
  const applyPipes = creator.createPipesFn(
    ofAll.map(pipeOf('all')),
    parameters.map(({ type, extraction, pipes }, index) => ({
      index,
      type: type as never,
      data: undefined as never,
      metatype: String,
      extractValue: () => noted(`parameter${index}`, extraction, ''),
      pipes: pipes.map(pipeOf(`own${index}.`)),
    })),
  );
  const args: unknown[] = [];
  try {
    await applyPipes?.(args, {} as never, {} as never, () => {});
    return { args: await Promise.all(args), journal };
  } catch (error) {
    return { error: (error as Error).message, journal };
  } finally {
    // What goes on after the first error belongs to the journal as well.
    for (let turns = 0; turns < 9; turns += 1) await turn();
  }
}

describe('the pipes of promptly called handlers', () => {
  it("have Nest's arguments, first error and order of calls, however they answer", async () => {
    await fc.assert(
      fc.asyncProperty(ways, fc.array(parameter, { maxLength: 4 }), async (ofAll, parameters) => {
        const expected = await run(RouterExecutionContext, ofAll, parameters);
        expect(await run(PromptHandlers, ofAll, parameters)).toStrictEqual(expected);
      }),
      { numRuns: 600 },
    );
  });
});
