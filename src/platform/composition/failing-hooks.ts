import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { types } from 'node:util';
import { DomainError } from '../errors/domain-error.js';
import { reasonOf } from '../errors/reason-of.js';
import { placeInSource } from '../process/place-in-source.js';
import { StartError } from '../process/start-error.js';

const HOOKS = ['onModuleInit', 'onApplicationBootstrap'] as const;

export const REMEDY = 'correct it, or what it needs; LOG_LEVEL=debug logs the stack';

type Hooks = Partial<Record<(typeof HOOKS)[number], (...args: unknown[]) => unknown>>;

/**
 * Lets the hooks of a start fail with a StartError that names their class: the stack of an error of the network, say, has none
 * of its frames. `own` are providers whose errors have words of their own. Returns what undoes it.
 */
export function nameFailingHooks(app: INestApplication, own: readonly unknown[]): () => void {
  const undoing: (() => void)[] = [];
  const instances = new Set<unknown>();
  for (const { providers, controllers, injectables } of app.get(ModulesContainer).values()) {
    for (const wrappers of [providers, controllers, injectables]) {
      for (const { instance } of wrappers.values()) instances.add(instance);
    }
  }
  for (const instance of instances) {
    // What a Proxy does when a property is defined is not known.
    if (typeof instance !== 'object' || instance === null || own.includes(instance) || types.isProxy(instance))
      continue;
    for (const hook of HOOKS) {
      const original = (instance as Hooks)[hook];
      if (typeof original === 'function') undoing.push(replace(instance, hook, named(instance, hook, original)));
    }
  }
  return () => undoing.forEach((undo) => undo());
}

/** Other hooks may call it as well, so that it returns, and throws at once, as the original does. */
function named(instance: object, hook: string, original: (...args: unknown[]) => unknown): () => unknown {
  const fail = (error: unknown): never => {
    throw failureOf(instance, hook, error);
  };
  return (...args: unknown[]) => {
    try {
      const result = original.apply(instance, args);
      return types.isPromise(result) ? result.catch(fail) : result;
    } catch (error) {
      return fail(error);
    }
  };
}

/** Writable, because a hook may replace itself, which then remains. */
function replace(instance: object, hook: string, value: () => unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(instance, hook);
  const isReplaced = Reflect.defineProperty(instance, hook, { value, configurable: true, writable: true });
  return () => {
    if (!isReplaced || (instance as Hooks)[hook as keyof Hooks] !== value) return;
    if (before) Reflect.defineProperty(instance, hook, before);
    else Reflect.deleteProperty(instance, hook);
  };
}

function failureOf(instance: object, hook: string, error: unknown): unknown {
  // Both say what to do.
  if (error instanceof StartError || error instanceof DomainError) return error;
  // Undefined for an object without a prototype.
  const { name } = (instance.constructor as Function | undefined) ?? Object;
  const isPlain = name === '' || name === 'Object';
  const place = isPlain ? undefined : placeInSource(name, hook);
  const what = isPlain ? `The hook ${hook} of a provider` : `${name}.${hook}`;
  const subject = place === undefined ? what : `${place} ${what}`;
  return new StartError(`${subject} failed at the start (${reasonOf(error)}); ${REMEDY}.`, { cause: error });
}
