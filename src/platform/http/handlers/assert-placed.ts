import type { INestApplication, Type } from '@nestjs/common';
import { MODULE_PATH } from '@nestjs/common/internal';
import { ModulesContainer } from '@nestjs/core';
import type { Module } from '@nestjs/core/injector/module.js';
import { StartError } from '../../process/start-error.js';

/**
 * Throws a StartError for a module with controllers that a feature imports, but that is no feature itself: without the
 * contract's base path, its controllers would be outside the contract, where no request needs a key. A path that
 * RouterModule gives it says that this is intended, as does an import by `root`, the composition root.
 */
export function assertPlaced(app: INestApplication, root: Type<object>, features: readonly Type<object>[]): void {
  const container = app.get(ModulesContainer);
  const isPlaced = ({ metatype }: Module) => Reflect.hasMetadata(MODULE_PATH + container.applicationId, metatype);
  const modules = [...container.values()];
  // Nest lets each module import all global ones.
  const ofRoot = new Set(modules.filter(({ metatype }) => metatype === root).flatMap((it) => [it, ...it.imports]));
  const found = new Set(modules.filter(({ metatype }) => features.includes(metatype as Type<object>)));
  // Visits what is added meanwhile as well.
  for (const { imports } of found) for (const module of imports) if (!ofRoot.has(module)) found.add(module);
  const misplaced = [...found].find((module) => module.controllers.size > 0 && !isPlaced(module));
  if (!misplaced) return;
  throw new StartError(
    `${misplaced.metatype.name} has controllers, but only a feature imports it, so that their paths are outside the contract and need no key; add it to FEATURES in src/app.module.ts, or give it a path with RouterModule.`,
  );
}
