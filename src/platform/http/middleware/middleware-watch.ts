import type { Express } from 'express';
import { StartError } from '../../process/start-error.js';
import { isElsewhere } from './assert-middleware.js';
import type { EdgeRequest } from '../request/edge-request.js';

/** Express' body parsers. A body that one has read cannot be read again by the contract's reader. */
const BODY_PARSERS = new Set(['jsonParser', 'urlencodedParser', 'rawParser', 'textParser']);

/**
 * Ensures that no middleware is silently skipped. If one may apply to operations of the contract, requests must go through
 * Express; if it could not run there, the start fails with its name.
 */
export class MiddlewareWatch {
  #isPresent = false;
  #mayRespond = false;
  #isTooLate = false;
  #isOff = false;
  #isOfCors = false;

  constructor(private readonly basePath: string) {}

  /** Whether middleware may apply to operations of the contract. */
  get isPresent(): boolean {
    return this.#isPresent;
  }

  /** Whether middleware may respond to requests below the base path, or add headers to each response there. */
  get mayRespond(): boolean {
    return this.#mayRespond;
  }

  /** Watches all registrations at an Express application. */
  watch(app: Express): void {
    const use = app.use.bind(app) as (...args: unknown[]) => Express;
    app.use = ((...args: unknown[]) => {
      if (this.#isOff) return use(...args);
      this.note(args);
      return use(...args.map(endingBodies));
    }) as Express['use'];
    // `get`, `all` and the other methods call it.
    const route = app.route.bind(app) as (path: unknown) => unknown;
    app.route = ((path: unknown) => {
      if (!this.#isOff) this.#refuseRoute(path);
      return route(path);
    }) as Express['route'];
  }

  /** Operations bypass Express' routes; a route that ran first would run without the guards. */
  #refuseRoute(path: unknown): void {
    if (isElsewhere(path, this.basePath)) return;
    throw new StartError(
      `The route ${String(path)} of Express may match operations of the contract, for which it would not run, or run without the guards; use a controller, or a path whose first segment is not that of ${this.basePath}.`,
    );
  }

  /** `args` are those of Express' `use`. */
  note(args: readonly unknown[]): void {
    // Express' `use` takes "/" for the beginning of all paths, but not within a list.
    if (args[0] !== '/' && isElsewhere(args[0], this.basePath)) return;
    const names = namesOf(args);
    const parser = names.find((name) => BODY_PARSERS.has(name));
    if (parser) {
      throw new StartError(
        `The middleware ${parser} would read request bodies before the service validates them; mount it outside ${this.basePath}.`,
      );
    }
    if (this.#isTooLate) {
      throw new StartError(
        `The middleware ${names.join(', ')} is registered after the routes and would never run for operations of the contract; register it before init().`,
      );
    }
    this.#isPresent = true;
    this.#mayRespond ||= !this.#isOfCors;
  }

  /** Registers the middleware of CORS, which always passes the request on. */
  ofCors(register: () => void): void {
    this.#isOfCors = true;
    register();
    this.#isOfCors = false;
  }

  /** Called when the first route is registered: later middleware would never run. */
  close(): void {
    this.#isTooLate = true;
  }

  /** Registers the adapter's own functions, which are not middleware. */
  unwatched<T>(register: () => T): T {
    this.#isOff = true;
    try {
      return register();
    } finally {
      this.#isOff = false;
    }
  }
}

/** A handler of errors may log the body of the request, which nothing reads any more (endBodiesOfFailures). */
function endingBodies(handler: unknown): unknown {
  if (Array.isArray(handler)) return handler.map(endingBodies);
  // Express recognises them in the same way.
  if (typeof handler !== 'function' || handler.length !== 4) return handler;
  return (error: unknown, request: EdgeRequest, response: unknown, next: unknown): unknown => {
    request.isBodyDue = false;
    return handler(error, request, response, next) as unknown;
  };
}

/** The names of the functions among arguments of Express' `use`. */
function namesOf(args: readonly unknown[]): string[] {
  return args
    .flat(Infinity)
    .filter((handler) => typeof handler === 'function')
    .map((handler) => handler.name || 'anonymous');
}
