import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import { MODULE_PATH } from '@nestjs/common/internal';
import { ModulesContainer } from '@nestjs/core';
import type { Module } from '@nestjs/core/injector/module.js';
import { placeInSource } from '../../process/place-in-source.js';
import { StartError } from '../../process/start-error.js';

/**
 * Throws a StartError for a module with controllers that a feature imports, but that is not a feature itself: without the
 * contract's base path, its controllers would be outside the contract, where no request needs a key. Accepts a module that
 * RouterModule gives a path, or that `root`, the composition root, imports: that is intended.
 */
export function assertPlaced(app: INestApplication, root: DynamicModule, features: readonly Type<object>[]): void {
  const container = app.get(ModulesContainer);
  const modules = [...container.values()];
  const ofRoot = new Set((root.imports ?? []).map((one) => ('module' in one ? one.module : one)));
  const isFeature = ({ metatype }: Module) => features.includes(metatype as Type<object>);
  const isPlaced = ({ metatype }: Module) => Reflect.hasMetadata(MODULE_PATH + container.applicationId, metatype);
  // Nest lets each module import all global ones. Both loops visit what is added meanwhile as well.
  const intended = new Set(modules.filter((one) => ofRoot.has(one.metatype) && !isFeature(one)));
  for (const { imports } of intended) for (const one of imports) if (!one.isGlobal) intended.add(one);
  const found = new Set(modules.filter(isFeature));
  for (const { imports } of found)
    for (const one of imports) if (one.metatype !== root.module && !intended.has(one)) found.add(one);
  const misplaced = [...found].find((one) => one.controllers.size > 0 && !isPlaced(one));
  if (!misplaced) return;
  const { name } = misplaced.metatype;
  const place = placeInSource(name);
  throw new StartError(
    `${place === undefined ? '' : `${place} `}${name} has controllers, but only a feature imports it, so that their paths are outside the contract and need no key; add it to FEATURES in src/app.module.ts, or give it a path with RouterModule.`,
  );
}
