import { Logger, NotFoundException, RequestMethod, StreamableFile } from '@nestjs/common';
import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { ErrorRequestHandler, Express, NextFunction, Request, RequestHandler } from 'express';
import type { Contract } from '../contract/contract.js';
import { checkRequest } from './request/check-request.js';
import type { EdgeRequest, EdgeResponse } from './request/edge-request.js';
import { assertDeclared } from './server/edge-messages.js';
import { EdgeServer, type EdgeTimeouts } from './server/edge-server.js';
import { ErrorBody, FAILED } from '../errors/error-body.js';
import { MiddlewareWatch } from './middleware-watch.js';
import { pathOf } from './request/path-of.js';
import { OperationRoutes, routeOf } from './operation-routes.js';
import { refuse } from './send-error.js';

/** Every method for which Nest can register a handler; each is a member of the adapter, in small letters. */
const METHODS = Object.values(RequestMethod).filter(
  (method) => typeof method === 'string',
) as (keyof typeof RequestMethod)[];

/**
 * Hands each request that the contract knows straight to Nest's handler for it, past Express' router. Guards, pipes,
 * interceptors, controllers and filters run as Nest runs them; whatever the contract does not decide about goes on to
 * Express. Middleware that applies to a contract operation is honoured: every request then takes the way through
 * Express' router, at its price.
 */
export class ContractAdapter extends ExpressAdapter {
  readonly #routes: OperationRoutes;
  readonly #middleware: MiddlewareWatch;
  #isMounted = false;
  readonly #logger = new Logger('ContractAdapter');
  #server: EdgeServer;
  /** Nest's way to its exception filters. */
  #errorHandler: ErrorRequestHandler;

  constructor(
    contract: Contract,
    private readonly timeouts: EdgeTimeouts,
  ) {
    super();
    this.#routes = new OperationRoutes(contract);
    const app = this.getInstance<Express>();
    app.disable('x-powered-by');
    // An ETag would make Express answer 304, which no operation declares.
    app.disable('etag');
    this.#middleware = new MiddlewareWatch(contract.basePath);
    this.#middleware.watch(app);
    for (const method of METHODS) {
      const name = method.toLowerCase() as Lowercase<typeof method>;
      const express = super[name].bind(this) as (...args: unknown[]) => unknown;
      (this as Record<typeof name, unknown>)[name] = (...args: unknown[]) => {
        const [path, handler] = args as [unknown, RequestHandler];
        if (typeof path !== 'string' || !this.#routes.covers(path)) return express(...args);
        this.#mount();
        return this.#routes.bind(method, path, handler);
      };
    }
  }

  get isDraining(): boolean {
    return this.#server.isDraining;
  }

  /** To be called when all routes are registered. Throws a StartError for an operation without a handler. */
  assertComplete(): void {
    this.#routes.assertComplete();
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    this.#server = new EdgeServer(app, this.timeouts, (request, response) => {
      const refusal = checkRequest(request);
      if (refusal) {
        // Where a body of that coding ends, and the next request begins, is anybody's guess.
        if (request.headers['transfer-encoding']) response.setHeader('Connection', 'close');
        refuse(response, refusal);
        return;
      }
      if (this.#middleware.isPresent) {
        // Makes Node store the headers of the response: an access log reads them after they were sent.
        response.setHeader('X-Content-Type-Options', 'nosniff');
        // Known beforehand, so that the answer to an exception in a middleware is one of the operation's.
        request.operation = this.#routes.operationOf(request.method, pathOf(request.url));
        app(request, response);
        return;
      }
      const next = (error?: unknown) => this.#endRoute(request, response, error);
      if (!this.#dispatch(request, response, next)) app(request, response);
    });
    this.httpServer = this.#server.http;
  }

  override close(): Promise<void> {
    return this.#server.drain();
  }

  /** Ends what `close` waits for, at once. */
  cut(reason: string): void {
    this.#server.cut(reason);
  }

  /** Writes what a handler returned as the contract declares it. */
  override reply(response: EdgeResponse, body: unknown, statusCode?: number): unknown {
    const status = statusCode ?? response.statusCode;
    const { operation } = response.req;
    const declared = operation?.responses.get(status);
    if (declared?.serialise) return response.sendJson(status, declared.serialise(body));
    // Here, where Nest's filters hear of it: a stream would write the head when nobody listens any more.
    if (operation) assertDeclared(operation, status);
    else if (body instanceof ErrorBody) return response.sendJson(status, JSON.stringify(body));
    if (body instanceof StreamableFile) this.#answerFailuresOf(body);
    return super.reply(response, declared?.hasBody === false ? undefined : body, status);
  }

  /** Express would add a body that no operation declares. */
  override redirect(response: EdgeResponse, statusCode: number, url: string): unknown {
    if (!response.req.operation) return super.redirect(response, statusCode, url);
    return response.status(statusCode).location(url).end();
  }

  /** True when the request was answered or handed to Nest; false when it is none of the contract's. */
  #dispatch(request: EdgeRequest, response: EdgeResponse, next: NextFunction): boolean {
    const path = pathOf(request.url);
    if (!this.#routes.covers(path)) return false;
    const match = this.#routes.match(path);
    if (!match) return refuse(response, ErrorBody.of('NOT_FOUND', nothingAt(request)));

    const { address, parameters } = match;
    const method = request.method;
    const operation = routeOf(address, method);
    if (!operation) return refuseMethod(response, method, path, address.allow);

    request.operation = operation;
    if (this.#server.isClosing) {
      return refuse(response, ErrorBody.of('SERVICE_UNAVAILABLE', 'The service is stopping; try again.'));
    }
    request.params = parameters;
    request.originalUrl ??= request.url;
    request.route = operation.route;
    request.res = response;
    request.next = next;
    // Nest's handlers catch what is thrown in them; this is for what their filters throw.
    const handled: unknown = operation.handler!(request, response, next);
    if (handled instanceof Promise) handled.catch(next);
    return true;
  }

  /** Nest would tell the caller what the stream complains about. */
  #answerFailuresOf(file: StreamableFile): void {
    file.setErrorHandler((error, stream) => {
      const response = stream as unknown as EdgeResponse;
      this.#filter(error, response.req, response);
    });
  }

  /** What Express does when a route's handler calls `next`: nothing else has this address. */
  #endRoute(request: EdgeRequest, response: EdgeResponse, error: unknown): void {
    this.#filter(error ?? new NotFoundException(nothingAt(request)), request, response);
  }

  /** Hands an error to Nest's exception filters. */
  #filter(error: unknown, request: EdgeRequest, response: EdgeResponse): void {
    const filtered: unknown = this.#errorHandler(error, request, response, () => response.end());
    if (filtered instanceof Promise) filtered.catch((failure: unknown) => this.#fail(failure, response));
  }

  /** The last resort, when an exception filter fails. */
  #fail(error: unknown, response: EdgeResponse): void {
    this.#logger.error({ err: error }, 'An exception filter failed.');
    if (response.writableEnded) return;
    if (response.headersSent) response.destroy();
    else refuse(response, FAILED);
  }

  /** From here on, the contract's requests are answered for those that come by Express' router. */
  #mount(): void {
    if (this.#isMounted) return;
    this.#isMounted = true;
    this.#middleware.close();
    this.#middleware.unwatched(() =>
      this.use((request: EdgeRequest, response: EdgeResponse, next: NextFunction) => {
        if (!this.#dispatch(request, response, next)) next();
      }),
    );
  }

  override createMiddlewareFactory(requestMethod: RequestMethod) {
    const register = super.createMiddlewareFactory(requestMethod);
    return (path: string, callback: Function) => {
      this.#middleware.note([path.startsWith('/') ? path : `/${path}`, callback]);
      return this.#middleware.unwatched(() => register(path, callback));
    };
  }

  /** A preflight goes on, so that an address answers OPTIONS the same way as ever. */
  override enableCors(options: CorsOptions | CorsOptionsDelegate<Request>): void {
    if (typeof options !== 'function') {
      super.enableCors({ ...options, preflightContinue: true });
      return;
    }
    const delegate: CorsOptionsDelegate<Request> = (request, done) =>
      options(request, (error, chosen) => done(error, { ...chosen, preflightContinue: true }));
    super.enableCors(delegate);
  }

  override setOnRequestHook(hook: Parameters<ExpressAdapter['setOnRequestHook']>[0]): void {
    this.#middleware.note([]);
    super.setOnRequestHook(hook);
  }

  override setOnResponseHook(hook: Parameters<ExpressAdapter['setOnResponseHook']>[0]): void {
    this.#middleware.note([]);
    super.setOnResponseHook(hook);
  }

  override setErrorHandler(handler: ErrorRequestHandler, prefix?: string): unknown {
    this.#errorHandler = handler;
    return this.#middleware.unwatched(() => {
      super.setErrorHandler(handler as never, prefix);
      const fail: ErrorRequestHandler = (error, _request, response, _next) =>
        this.#fail(error, response as EdgeResponse);
      return this.use(fail);
    });
  }

  /** Nest's own would repeat the query, and whatever is in it. */
  override setNotFoundHandler(): unknown {
    return this.#middleware.unwatched(() =>
      this.use((request: EdgeRequest) => {
        throw new NotFoundException(nothingAt(request));
      }),
    );
  }
}

function nothingAt(request: EdgeRequest): string {
  return `No resource at ${pathOf(request.originalUrl ?? request.url)}.`;
}

function refuseMethod(response: EdgeResponse, method: string, path: string, allow: string): true {
  response.setHeader('Allow', allow);
  if (method !== 'OPTIONS') {
    return refuse(
      response,
      ErrorBody.of('METHOD_NOT_ALLOWED', `${method} is not allowed on ${path}; allowed: ${allow}.`),
    );
  }
  response.writeHead(204);
  response.end();
  return true;
}
