import { RequestMethod } from '@nestjs/common';
import type { MiddlewareConfigProxy, MiddlewareConfiguration, RouteInfo } from '@nestjs/common/internal';
import { MiddlewareBuilder } from '@nestjs/core';
import type { RouteInfoPathExtractor } from '@nestjs/core/middleware/route-info-path-extractor.js';

/** A path as it is mounted: with the global prefix and the version. */
export interface Mount {
  readonly path: string;
  /** Undefined for all. */
  readonly method: string | undefined;
  /** Whether it also matches what is below the path. */
  readonly isPrefix: boolean;
}

/** Nest mounts a route several times for several versions, for example. */
type Mounts = readonly Mount[];

/** What a module passed to `apply`, and the routes that it passed to `forRoutes` and `exclude` of the result. */
export interface ModuleMiddleware {
  readonly names: readonly string[];
  readonly forRoutes: Mounts[];
  readonly exclude: Mounts[];
}

type Note = (middleware: ModuleMiddleware) => void;

/** What `apply` returns; Nest does not export its class. */
interface ConfigProxy extends MiddlewareConfigProxy {
  readonly routeInfoPathExtractor: Pick<RouteInfoPathExtractor, 'extractPathsFrom'>;
  getExcludedRoutes(): RouteInfo[];
}

const { prototype } = MiddlewareBuilder;
/** Nest's own methods, before one is replaced. */
const nests = Object.create(null, Object.getOwnPropertyDescriptors(prototype)) as MiddlewareBuilder;

/** By adapter, for each application of this process. */
const notes = new WeakMap<object, Note>();

/** Calls `note` for the middleware of each module, whose routes follow: the adapter sees neither names nor what is excluded. */
export function watchModuleMiddleware(adapter: object, note: Note): void {
  notes.set(adapter, note);
  prototype.apply = function (...middleware) {
    // A member of Nest's class that its types leave out.
    const proxy = nests.apply.call(this, ...middleware) as ConfigProxy;
    const noted = notes.get(this.getHttpAdapter());
    // Nest leaves out what is no function, such as middleware that is off in this environment.
    const names = middleware
      .flat()
      .filter((one) => typeof one === 'function')
      .map(nameOf);
    if (noted && names.length > 0) noted(watchProxy(proxy, names));
    return proxy;
  };
}

function watchProxy(proxy: ConfigProxy, names: readonly string[]): ModuleMiddleware {
  const passed: ModuleMiddleware = { names, forRoutes: [], exclude: [] };
  const exclude = proxy.exclude.bind(proxy);
  proxy.exclude = (...routes) => {
    for (const route of routes.flat()) {
      const before = proxy.getExcludedRoutes().length;
      exclude(route);
      const added = proxy.getExcludedRoutes().slice(before);
      passed.exclude.push(added.map((one) => mountOf(one.path, one.method, false)));
    }
    return proxy;
  };
  const forRoutes = proxy.forRoutes.bind(proxy);
  proxy.forRoutes = (...routes) => {
    const builder = forRoutes(...routes) as MiddlewareBuilder;
    const added = builder.build().at(-1) as MiddlewareConfiguration<RouteInfo>;
    for (const route of added.forRoutes as RouteInfo[]) {
      const paths = proxy.routeInfoPathExtractor.extractPathsFrom(route);
      passed.forRoutes.push(paths.map((path) => mountOf(path, route.method, route.method === EVERY)));
    }
    return builder;
  };
  return passed;
}

/** Nest's method of a route that was passed as text; Express mounts it with `use`. */
const EVERY = -1 as RequestMethod;

function mountOf(path: string, method: RequestMethod, isPrefix: boolean): Mount {
  const isEvery = method === EVERY || method === RequestMethod.ALL;
  return {
    path: path.startsWith('/') ? path : `/${path}`,
    method: isEvery ? undefined : RequestMethod[method],
    isPrefix,
  };
}

function nameOf(middleware: { readonly name: string }): string {
  return middleware.name || 'anonymous';
}
