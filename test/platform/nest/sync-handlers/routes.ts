import { Controller, RequestMapping, RequestMethod, type Type } from '@nestjs/common';
import { inspect } from 'node:util';
import { isPromise } from 'node:util/types';
import { note } from './journal.js';

/** A request and the status that a stock Nest application returns. */
export interface Row {
  readonly title: string;
  readonly target: string;
  readonly status: number;
  readonly init?: RequestInit;
}

export interface Rows {
  readonly controllers: readonly Type[];
  readonly rows: readonly Row[];
}

/** A handler with its decorators, and the request that calls it. */
export interface Route {
  readonly status?: number;
  readonly decorators?: readonly MethodDecorator[];
  readonly parameters?: readonly ParameterDecorator[];
  /** The types of the parameters, as TypeScript emits them for decorators. */
  readonly types?: readonly unknown[];
  readonly handler?: (...args: never[]) => unknown;
  readonly method?: keyof typeof RequestMethod;
  /** Appended to the path. */
  readonly query?: string;
  readonly init?: RequestInit;
}

/** Formats a value in one line; promises, requests and responses only as their class. */
export function show(value: unknown): string {
  const isNamed = isPromise(value) || (typeof value === 'object' && value !== null && 'socket' in value);
  return isNamed ? value.constructor.name : inspect(value, { breakLength: Infinity });
}

/** A controller with a handler for each route, and a request to each. */
export function controllerOf(
  path: string,
  routes: Readonly<Record<string, Route>>,
  decorators: readonly ClassDecorator[] = [],
): Rows {
  class Toys {
    readonly shelf = path;
  }
  const rows = Object.entries(routes).map(([title, route], index) => {
    const { status = 200, parameters = [], types = [], handler = () => ({ name: 'Ball' }), method = 'GET' } = route;
    const name = `route${index}`;
    const { [name]: called } = {
      [name](this: Toys, ...args: unknown[]): unknown {
        note(`${name} of ${this.shelf} (${args.map(show).join(', ')})`);
        return Reflect.apply(handler, this, args);
      },
    };
    const descriptor = { value: called, configurable: true, writable: true };
    Object.defineProperty(Toys.prototype, name, descriptor);
    for (const [at, decorate] of parameters.entries()) decorate(Toys.prototype, name, at);
    if (types.length > 0) Reflect.defineMetadata('design:paramtypes', types, Toys.prototype, name);
    const mapping = RequestMapping({ path: `${name}{/:toy}`, method: RequestMethod[method] });
    for (const decorate of [...(route.decorators ?? []), mapping]) decorate(Toys.prototype, name, descriptor as never);
    const init = method === 'ALL' ? route.init : { method, ...route.init };
    return { title, target: `/${path}/${name}${route.query ?? ''}`, status, init };
  });
  for (const decorate of [...decorators, Controller(path)]) decorate(Toys as never);
  return { controllers: [Toys], rows };
}

/** Resolves or rejects in a later turn of the event loop. */
export function later<Value>(make: () => Value): Promise<Value> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(make());
      } catch (error) {
        reject(error);
      }
    });
  });
}

export function fail(error: unknown = new Error('The toy is broken.')): never {
  throw error;
}

/** An object with a member `then`, a thenable if it is a function. */
export function withThen<Then>(then: Then): { then: Then } {
  // eslint-disable-next-line unicorn/no-thenable -- the purpose of this function
  return { then };
}

export function thenable<Value>(make: () => Value): PromiseLike<Value> {
  return withThen((resolve, reject) => Promise.resolve().then(make).then(resolve, reject));
}
