import type { ArgumentMetadata, CanActivate, PipeTransform } from '@nestjs/common';
import { GuardsConsumer } from '@nestjs/core/guards/guards-consumer.js';
import { PipesConsumer } from '@nestjs/core/pipes/pipes-consumer.js';
import type { Observable } from 'rxjs';

const guardsConsumer = new GuardsConsumer();
const pipesConsumer = new PipesConsumer();

/**
 * Calls guards synchronously until one returns a promise or an Observable; Nest runs the rest. The promise of the last guard
 * is returned unchanged: it reads the body of a creation, which Nest would delay by several microseconds.
 */
export function activateGuards(
  guards: readonly CanActivate[],
  args: unknown[],
  instance: object,
  callback: (...args: unknown[]) => unknown,
): boolean | Promise<boolean | Observable<boolean>> {
  const context = guardsConsumer.createContext(args, instance, callback);
  context.setType('http');
  for (let index = 0; index < guards.length; index += 1) {
    const verdict = guards[index]!.canActivate(context); // the index is within the guards
    if (verdict === false) return false;
    if (verdict === true) continue;
    if (verdict instanceof Promise && index === guards.length - 1) return verdict;
    const rest = [{ canActivate: () => verdict }, ...guards.slice(index + 1)];
    return guardsConsumer.tryActivate(rest, args, instance, callback, 'http');
  }
  return true;
}

/** Calls pipes synchronously until one returns a promise; Nest runs the rest. */
export function applyPipes(pipes: PipeTransform[], value: unknown, argument: ArgumentMetadata): unknown {
  let piped = value;
  for (let index = 0; index < pipes.length; index += 1) {
    if (isThenable(piped)) return pipesConsumer.applyPipes(piped, argument, pipes.slice(index));
    piped = pipes[index]!.transform(piped, argument); // the index is within the pipes
  }
  return piped;
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  return typeof (value as Partial<PromiseLike<unknown>>).then === 'function';
}
