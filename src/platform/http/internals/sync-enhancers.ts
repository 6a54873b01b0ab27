import type { ArgumentMetadata, CanActivate, PipeTransform } from '@nestjs/common';
import { GuardsConsumer } from '@nestjs/core/guards/guards-consumer.js';
import { PipesConsumer } from '@nestjs/core/pipes/pipes-consumer.js';
import { isObservable, type Observable } from 'rxjs';

const guardsConsumer = new GuardsConsumer();
const pipesConsumer = new PipesConsumer();

/** Calls guards synchronously until one returns a promise or an Observable; Nest runs the rest. */
export function activateGuards(
  guards: readonly CanActivate[],
  args: unknown[],
  instance: object,
  callback: (...args: unknown[]) => unknown,
): boolean | Promise<boolean> {
  const context = guardsConsumer.createContext(args, instance, callback);
  context.setType('http');
  for (const [index, guard] of guards.entries()) {
    const verdict = guard.canActivate(context);
    if (verdict === false) return false;
    if (verdict === true) continue;
    const activateRest = (pending: typeof verdict): Promise<boolean> => {
      const rest = [{ canActivate: () => pending }, ...guards.slice(index + 1)];
      return guardsConsumer.tryActivate(rest, args, instance, callback, 'http');
    };
    // The guard that reads bodies is the last one and returns a promise. Nest would cost a creation several microseconds.
    const isLast = index === guards.length - 1;
    return isLast && verdict instanceof Promise ? settle(verdict, activateRest) : activateRest(verdict);
  }
  return true;
}

/** A promise may be fulfilled with an Observable, which is left to Nest. */
async function settle(
  verdict: Promise<boolean>,
  activateRest: (observable: Observable<boolean>) => Promise<boolean>,
): Promise<boolean> {
  const result: unknown = await verdict;
  return isObservable(result) ? activateRest(result as Observable<boolean>) : Boolean(result);
}

/** Calls pipes synchronously until one returns a promise; Nest runs the rest. */
export function applyPipes(pipes: PipeTransform[], value: unknown, argument: ArgumentMetadata): unknown {
  let piped = value;
  for (const [index, pipe] of pipes.entries()) {
    if (isThenable(piped)) return pipesConsumer.applyPipes(piped, argument, pipes.slice(index));
    piped = pipe.transform(piped, argument);
  }
  return piped;
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  return typeof (value as Partial<PromiseLike<unknown>>).then === 'function';
}
