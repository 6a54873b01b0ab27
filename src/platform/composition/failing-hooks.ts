import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DomainError } from '../errors/domain-error.js';
import { reasonOf } from '../errors/reason-of.js';
import { placeInSource } from '../process/place-in-source.js';
import { StartError } from '../process/start-error.js';

const HOOKS = ['onModuleInit', 'onApplicationBootstrap'] as const;

export const REMEDY = 'correct it, or what it needs; LOG_LEVEL=debug logs the stack';

type Hooks = Partial<Record<(typeof HOOKS)[number], () => unknown>>;

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
    if (typeof instance !== 'object' || instance === null || own.includes(instance)) continue;
    for (const hook of HOOKS) {
      const original = (instance as Hooks)[hook];
      // Its own property would have to be restored.
      if (typeof original !== 'function' || Object.hasOwn(instance, hook)) continue;
      const value = async (): Promise<void> => {
        try {
          await original.call(instance);
        } catch (error) {
          throw failureOf(instance, hook, error);
        }
      };
      if (Reflect.defineProperty(instance, hook, { value, configurable: true }))
        undoing.push(() => void Reflect.deleteProperty(instance, hook));
    }
  }
  return () => undoing.forEach((undo) => undo());
}

function failureOf({ constructor: { name } }: object, hook: string, error: unknown): unknown {
  // Both say what to do.
  if (error instanceof StartError || error instanceof DomainError) return error;
  const place = placeInSource(name, hook);
  const subject = `${place === undefined ? '' : `${place} `}${name}.${hook}`;
  return new StartError(`${subject} failed at the start (${reasonOf(error)}); ${REMEDY}.`, { cause: error });
}
