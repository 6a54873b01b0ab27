import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import type { Module } from '@nestjs/core/injector/module.js';
import { placeInSource } from '../../process/place-in-source.js';

/** The name of the module that provides a pipe or guard for all handlers; undefined for those of a controller. */
export type ModuleOf = (enhancer: unknown) => string | undefined;

type Subtype = NonNullable<InstanceWrapper['subtype']>;

/** What a module provides as APP_PIPE, APP_GUARD and the like. */
export function providedForAll({ providers, injectables }: Module, subtype: Subtype): InstanceWrapper[] {
  // Nest uses a string as the token of each. Request-scoped ones are injectables, not providers.
  return [...providers, ...injectables]
    .filter(([token, provided]) => provided.subtype === subtype && typeof token === 'string')
    .map(([, provided]) => provided);
}

/** Finds an enhancer by its instance and, as Nest makes some for each request, by its class or factory. */
export function modulesProviding(subtype: Subtype, modules: readonly Module[]): ModuleOf {
  const names = new Map<unknown, string>();
  for (const module of modules) {
    for (const { instance, metatype } of providedForAll(module, subtype) as {
      instance: unknown;
      metatype: unknown;
    }[]) {
      names.set(instance, module.metatype.name);
      // A value has none.
      if (metatype) names.set(metatype, module.metatype.name);
    }
  }
  return (enhancer) => names.get(enhancer);
}

/** The beginning of a sentence: `src/owners/owners.module.ts:8 OwnersModule provides`. */
export function providedBy(module: string): string {
  const place = placeInSource(module);
  return `${place === undefined ? '' : `${place} `}${module} provides`;
}
