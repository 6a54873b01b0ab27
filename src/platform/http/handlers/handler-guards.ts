import { type CanActivate, type ExceptionFilter, ForbiddenException, type Type } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA, FILTER_CATCH_EXCEPTIONS, GUARDS_METADATA } from '@nestjs/common/constants.js';
import { type ApplicationConfig, BaseExceptionFilter } from '@nestjs/core';
import type { RequestHandler } from 'express';
import type { Operation } from '../../contract/contract.js';
import { placeInSource } from '../../process/place-in-source.js';
import { StartError } from '../../process/start-error.js';
import { type ModuleOf, providedBy } from './global-enhancers.js';

type EnhancerClass = abstract new (...args: never[]) => object;

/** What runs around one route, in the order in which Nest runs it. */
export interface GuardedRoute {
  readonly controller: string;
  readonly method: string;
  readonly guards: () => readonly unknown[];
  readonly moduleOfGuard: ModuleOf;
  /** Those of the service and of all features come first. */
  readonly filters: () => readonly unknown[];
}

/** Features may add global guards and filters until the routes are registered. */
export function guardedRoute(
  type: Type<object>,
  method: string,
  config: ApplicationConfig,
  moduleOfGuard: ModuleOf,
): GuardedRoute {
  // The method is one of a controller's prototype.
  const decorated = [type, (type.prototype as Record<string, object>)[method]!];
  const ownOf = (key: string): unknown[] =>
    decorated.flatMap((one) => (Reflect.getMetadata(key, one) ?? []) as unknown[]);
  return {
    controller: type.name,
    method,
    guards: () => [
      ...config.getGlobalGuards(),
      ...config.getGlobalRequestGuards().map(({ metatype }) => metatype),
      ...ownOf(GUARDS_METADATA),
    ],
    moduleOfGuard,
    filters: () => [
      ...config.getGlobalFilters(),
      ...config.getGlobalRequestFilters().map(({ metatype }) => metatype),
      ...ownOf(EXCEPTION_FILTERS_METADATA),
    ],
  };
}

/**
 * Throws a StartError for a guard of a feature where the operation declares no 403: Nest responds with it when a guard
 * returns false, and each would become a 500. Nothing shows that a guard only ever throws, so every guard counts but those of
 * the classes `throwing`, unless a filter may answer instead.
 */
export function assertGuards(
  operation: Operation,
  handler: RequestHandler,
  routes: readonly GuardedRoute[],
  throwing: readonly EnhancerClass[],
): void {
  const { id, position, responses } = operation;
  if (responses.has(403)) return;
  // Controllers that inherit a method share its handler, but not their guards.
  const route = routes.find(({ controller, method }) => `${controller}.${method}` === handler.name);
  const guard = route?.guards().find((one) => !throwing.some((type) => isInstanceOf(one, type)));
  if (!route || guard === undefined) return;
  // Nest runs only the innermost filter. One of the filters is the service's own.
  const filters = route.filters().filter(catchesForbidden);
  if (filters.length > 1 && mayAnswer(filters.at(-1))) return;
  const { name, prototype } = classOf(guard);
  // Not the class of an object, nor what makes a guard for each request.
  const what = (prototype as Partial<CanActivate> | undefined)?.canActivate ? `the guard ${name}` : 'a guard';
  const module = route.moduleOfGuard(guard);
  const subject =
    module === undefined ? `${position} ${guardedBy(route)} ${what}` : `${providedBy(module)} ${what} as APP_GUARD`;
  throw new StartError(
    `${subject}, and Nest responds with 403 when a guard returns false, which openapi.yaml does not declare for ${id}; declare 403 there, or replace the guard by an interceptor that throws a declared error.`,
  );
}

function guardedBy({ controller, method }: GuardedRoute): string {
  const place = placeInSource(controller, method);
  return `${controller}.${method}${place === undefined ? '' : ` (${place})`} runs behind`;
}

function catchesForbidden(filter: unknown): boolean {
  const caught = (Reflect.getMetadata(FILTER_CATCH_EXCEPTIONS, classOf(filter)) ?? []) as EnhancerClass[];
  return caught.length === 0 || caught.some((one) => isInstanceOf(ForbiddenException, one));
}

/** False for a filter that leaves the response to the service: BaseExceptionFilter's own `catch` is that of ErrorFilter. */
export function mayAnswer(filter: unknown): boolean {
  let prototype = classOf(filter).prototype as Partial<ExceptionFilter> | null | undefined;
  for (; prototype && prototype !== BaseExceptionFilter.prototype; prototype = parentOf(prototype)) {
    // Otherwise the next class decides.
    if (Object.hasOwn(prototype, 'catch') && !onlyPassesOn(String(prototype.catch))) return true;
  }
  return !prototype;
}

const CATCH = /^(?:async )?catch\(([\w$]+), ([\w$]+)\) /;

/** Whether a `catch` gives what it gets to `super.catch`, and uses the host, which leads to the response, for nothing else. */
function onlyPassesOn(method: string): boolean {
  const [start, exception, host] = CATCH.exec(method) ?? [];
  if (start === undefined) return false;
  const body = method.slice(start.length);
  const others = body.replaceAll(`super.catch(${exception}, ${host})`, '');
  const isReplaced = others.includes('super.catch') || others.includes(`${exception} =`);
  return others !== body && !isReplaced && !others.match(/[\w$]+/g)?.includes(host!); // the pattern has found it
}

function parentOf(prototype: object): Partial<ExceptionFilter> | null {
  return Object.getPrototypeOf(prototype) as Partial<ExceptionFilter> | null;
}

/** `@UseGuards` and the like take a class or an instance. */
function classOf(enhancer: unknown): Function {
  return typeof enhancer === 'function' ? enhancer : (enhancer as object).constructor;
}

function isInstanceOf(enhancer: unknown, type: EnhancerClass): boolean {
  const own = classOf(enhancer);
  return own === type || own.prototype instanceof type;
}
