import { Logger, NotFoundException, type RequestMethod } from '@nestjs/common';
import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { ErrorRequestHandler, Express, Request } from 'express';
import { StartError } from '../process/start-error.js';
import { type ModuleMiddleware, watchModuleMiddleware } from './middleware/module-middleware.js';
import { MiddlewareWatch } from './middleware/middleware-watch.js';
import type { EdgeRequest, EdgeResponse } from './request/edge-request.js';
import { noResourceAt } from './request/path-violations.js';
import { sendFailed } from './send-error.js';

const HOOKS = 'Request and response hooks of the adapter are not supported; use middleware or an interceptor.';

const VERSIONS =
  'Versions in headers and media types are not supported, because openapi.yaml does not declare them; remove them from app.enableVersioning(), and declare another version as a path of its own.';

/**
 * Passes middleware to Express, and errors and unknown paths to Nest's exception filters. No middleware is silently
 * skipped.
 */
export class WatchedExpressAdapter extends ExpressAdapter {
  protected readonly middleware: MiddlewareWatch;
  protected readonly middlewareOfModules: ModuleMiddleware[] = [];
  readonly #logger = new Logger('ContractAdapter');
  /** Passes an error to Nest's exception filters. */
  #errorHandler: ErrorRequestHandler;

  constructor(basePath: string) {
    super();
    const app = this.getInstance<Express>();
    app.disable('x-powered-by');
    // An ETag would make Express answer 304, which no operation declares.
    app.disable('etag');
    this.middleware = new MiddlewareWatch(basePath);
    this.middleware.watch(app);
    watchModuleMiddleware(this, (middleware) => this.middlewareOfModules.push(middleware));
  }

  override createMiddlewareFactory(requestMethod: RequestMethod) {
    const register = super.createMiddlewareFactory(requestMethod);
    return (path: string, callback: Function) => {
      this.middleware.note([path.startsWith('/') ? path : `/${path}`, callback]);
      return this.middleware.unwatched(() => register(path, callback));
    };
  }

  /** Lets preflights continue, so that OPTIONS still returns `Allow`. */
  override enableCors(options: CorsOptions | CorsOptionsDelegate<Request>): void {
    if (typeof options !== 'function') {
      this.middleware.ofCors(() => super.enableCors({ ...options, preflightContinue: true }));
      return;
    }
    const delegate: CorsOptionsDelegate<Request> = (request, done) =>
      options(request, (error, chosen) => done(error, { ...chosen, preflightContinue: true }));
    this.middleware.ofCors(() => super.enableCors(delegate));
  }

  /** Nest calls it for each handler with a version that is not part of the path, also with the default version. */
  override applyVersionFilter(): never {
    throw new StartError(VERSIONS);
  }

  override setOnRequestHook(): never {
    throw new StartError(HOOKS);
  }

  override setOnResponseHook(): never {
    throw new StartError(HOOKS);
  }

  override setErrorHandler(handler: ErrorRequestHandler, prefix?: string): unknown {
    const filter: ErrorRequestHandler = (error, request, response, next) => {
      // A handler may pass an error to "next" while it runs, and a stream may fail before its head is sent.
      Object.assign(request, { isHandling: false, isChecked: false });
      return handler(error, request, response, next);
    };
    this.#errorHandler = filter;
    return this.middleware.unwatched(() => {
      super.setErrorHandler(filter, prefix);
      const fail: ErrorRequestHandler = (error, _request, response, _next) =>
        this.#fail(error, response as EdgeResponse);
      return this.use(fail);
    });
  }

  /** Nest's own handler would repeat the query, which may hold secrets. */
  override setNotFoundHandler(): unknown {
    return this.middleware.unwatched(() =>
      this.use((request: EdgeRequest) => {
        throw new NotFoundException(noResourceAt(request));
      }),
    );
  }

  /** Passes an error to Nest's exception filters. */
  protected filter(error: unknown, request: EdgeRequest, response: EdgeResponse): void {
    const filtered: unknown = this.#errorHandler(error, request, response, () => response.end());
    if (filtered instanceof Promise) filtered.catch((failure: unknown) => this.#fail(failure, response));
  }

  /** The last resort, when an exception filter fails. */
  #fail(error: unknown, response: EdgeResponse): void {
    const { operation, requestId } = response.req;
    this.#logger.error({ err: error, operationId: operation?.id, requestId }, 'An exception filter failed.');
    if (response.writableEnded) return;
    if (response.headersSent) response.destroy();
    else sendFailed(response);
  }
}
