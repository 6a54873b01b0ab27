import type { Express } from 'express';
import type { EdgeRequest, EdgeResponse } from '../request/edge-request.js';

type Reject = (request: EdgeRequest, response: EdgeResponse, methods: readonly string[]) => void;

/** The routes of controllers outside the contract, which Express serves. */
export class OtherRoutes {
  /** By path, as Nest writes it. */
  readonly #methods = new Map<string, string[]>();

  /** With their methods: `GET /live`. */
  readonly names: string[] = [];

  /** `isHosted`: only requests to one host have the resource. */
  add(method: string, path: string, isHosted: boolean): void {
    this.names.push(`${method} ${path}`);
    if (!isHosted) this.#methods.set(path, [...(this.#methods.get(path) ?? []), method]);
  }

  /** Rejects the methods that no handler of a path serves. Must be called after Express has all routes. */
  rejectMethods(app: Express, reject: Reject): void {
    const found = new WeakMap<object, readonly string[]>();
    // Several paths with parameters may match a request, so each one only adds its methods.
    for (const [path, methods] of this.#methods) {
      // Not app.all(), which would slow the start: it registers the function for each method that Node knows.
      app.route(path).all((request, _, next) => {
        found.set(request, [...(found.get(request) ?? []), ...methods]);
        next();
      });
    }
    app.use((request, response, next) => {
      const methods = found.get(request) ?? [];
      if (methods.length === 0 || serves(methods, request.method)) next();
      else reject(request as EdgeRequest, response as EdgeResponse, methods);
    });
  }
}

/** Whether there is a handler for the method: it has passed the request on, so the resource does not exist. */
function serves(methods: readonly string[], method: string): boolean {
  return [method, 'ALL', ...(method === 'HEAD' ? ['GET'] : [])].some((one) => methods.includes(one));
}
