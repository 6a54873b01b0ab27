import { NotFoundException, RequestMethod, StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { ErrorRequestHandler, Express, NextFunction, RequestHandler } from 'express';
import type { Contract } from '../contract/contract.js';
import { StartError } from '../start-error.js';
import { checkRequest } from './check-request.js';
import type { EdgeRequest, EdgeResponse } from './edge-messages.js';
import { EdgeServer, type EdgeTimeouts } from './edge-server.js';
import { ErrorBody } from './error-body.js';
import { BODY_PARSERS, isElsewhere, namesOf } from './middleware.js';
import { OperationRoutes, routeOf } from './operation-routes.js';

/**
 * Hands each request that the contract knows straight to Nest's handler for it, past Express' router. Guards, pipes,
 * interceptors, controllers and filters run as Nest runs them; whatever the contract does not decide about goes on to
 * Express. Middleware that applies to a contract operation is honoured: every request then takes the way through
 * Express' router, at its price.
 */
export class ContractAdapter extends ExpressAdapter {
  readonly #routes: OperationRoutes;
  #goesThroughExpress = false;
  #isMounted = false;
  #isInternal = false;
  #server: EdgeServer;
  /** Nest's way to its exception filters. */
  #errorHandler: ErrorRequestHandler;

  constructor(
    private readonly contract: Contract,
    private readonly timeouts: EdgeTimeouts,
  ) {
    super();
    this.#routes = new OperationRoutes(contract);
    const app = this.getInstance<Express>();
    app.disable('x-powered-by');
    // An ETag would make Express answer 304, which no operation declares.
    app.disable('etag');
    this.#watchMiddleware(app);
    for (const method of ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'all'] as const) {
      const express = super[method].bind(this) as (...args: unknown[]) => unknown;
      (this as Record<typeof method, unknown>)[method] = (...args: unknown[]) => {
        const [path, handler] = args as [unknown, RequestHandler];
        if (typeof path !== 'string' || !this.#routes.covers(path)) return express(...args);
        this.#mount();
        return this.#routes.bind(method.toUpperCase(), path, handler);
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
      if (this.#goesThroughExpress) {
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

  /** Writes what a handler returned as the contract declares it. */
  override reply(response: EdgeResponse, body: unknown, statusCode?: number): unknown {
    const status = statusCode ?? response.statusCode;
    const { operation } = response.req;
    if (!operation) {
      return body instanceof ErrorBody
        ? response.sendJson(status, JSON.stringify(body))
        : super.reply(response, body, statusCode);
    }
    const declared = operation.responses.get(status) ?? this.contract.protocolResponses.get(status);
    if (declared?.serialise) return response.sendJson(status, declared.serialise(body));
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
    if (!match) return refuse(response, new ErrorBody('NOT_FOUND', nothingAt(request)));

    const { address, parameters } = match;
    const method = request.method;
    const operation = routeOf(address, method);
    if (!operation) return refuseMethod(response, method, path, address.allow);

    request.operation = operation;
    if (this.isDraining) {
      response.setHeader('Retry-After', 1);
      return refuse(response, new ErrorBody('SERVICE_UNAVAILABLE', 'The service is stopping; try again.'));
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
    file.setErrorHandler((error, response) => {
      const { req } = response as unknown as EdgeResponse;
      this.#errorHandler(error, req, response as unknown as EdgeResponse, () => response.end());
    });
  }

  /** What Express does when a route's handler calls `next`: nothing else has this address. */
  #endRoute(request: EdgeRequest, response: EdgeResponse, error: unknown): void {
    const reason = error ?? new NotFoundException(nothingAt(request));
    this.#errorHandler(reason, request, response, () => response.destroy());
  }

  /** From here on, the contract's requests are answered for those that come by Express' router. */
  #mount(): void {
    if (this.#isMounted) return;
    this.#isMounted = true;
    this.#internally(() =>
      this.use((request: EdgeRequest, response: EdgeResponse, next: NextFunction) => {
        if (!this.#dispatch(request, response, next)) next();
      }),
    );
  }

  /** Nothing that Express is given to run is skipped without a word. */
  #watchMiddleware(app: Express): void {
    const use = app.use.bind(app) as (...args: unknown[]) => Express;
    app.use = ((...args: unknown[]) => {
      if (!this.#isInternal) this.#note(args);
      return use(...args);
    }) as Express['use'];
  }

  #note(args: readonly unknown[]): void {
    const { basePath } = this.contract;
    if (isElsewhere(args, basePath)) return;
    const names = namesOf(args);
    const parser = names.find((name) => BODY_PARSERS.has(name));
    if (parser) {
      throw new StartError(
        `The middleware ${parser} would read bodies before the contract's reader; give it a path outside ${basePath}.`,
      );
    }
    if (this.#isMounted) {
      throw new StartError(
        `The middleware ${names.join(', ')} comes after the routes and would never run for operations of the contract; register it before init().`,
      );
    }
    this.#goesThroughExpress = true;
  }

  #internally<T>(register: () => T): T {
    this.#isInternal = true;
    try {
      return register();
    } finally {
      this.#isInternal = false;
    }
  }

  override createMiddlewareFactory(requestMethod: RequestMethod) {
    const register = super.createMiddlewareFactory(requestMethod);
    return (path: string, callback: Function) => {
      this.#note([path.startsWith('/') ? path : `/${path}`, callback]);
      return this.#internally(() => register(path, callback));
    };
  }

  /** A preflight goes on, so that an address answers OPTIONS the same way as ever. */
  override enableCors(options: Parameters<ExpressAdapter['enableCors']>[0]): void {
    super.enableCors(typeof options === 'function' ? options : { ...options, preflightContinue: true });
  }

  override setOnRequestHook(hook: Parameters<ExpressAdapter['setOnRequestHook']>[0]): void {
    this.#goesThroughExpress = true;
    super.setOnRequestHook(hook);
  }

  override setOnResponseHook(hook: Parameters<ExpressAdapter['setOnResponseHook']>[0]): void {
    this.#goesThroughExpress = true;
    super.setOnResponseHook(hook);
  }

  override setErrorHandler(handler: ErrorRequestHandler, prefix?: string): unknown {
    this.#errorHandler = handler;
    return this.#internally(() => super.setErrorHandler(handler as never, prefix));
  }

  /** Nest's own would repeat the query, and whatever is in it. */
  override setNotFoundHandler(): unknown {
    return this.#internally(() =>
      this.use((request: EdgeRequest) => {
        throw new NotFoundException(nothingAt(request));
      }),
    );
  }
}

function nothingAt(request: EdgeRequest): string {
  return `Nothing has the address ${pathOf(request.originalUrl ?? request.url)}.`;
}

/** RFC 9112, section 3.2.2: a server must understand the absolute form as well. */
const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

function pathOf(target: string): string {
  const path = target[0] === '/' ? target : target.replace(AUTHORITY, '');
  const end = path.indexOf('?');
  return end === -1 ? path : path.slice(0, end);
}

function refuse(response: EdgeResponse, body: ErrorBody): true {
  response.sendJson(body.status, JSON.stringify(body));
  return true;
}

function refuseMethod(response: EdgeResponse, method: string, path: string, allow: string): true {
  response.setHeader('Allow', allow);
  if (method !== 'OPTIONS') {
    return refuse(response, new ErrorBody('METHOD_NOT_ALLOWED', `${path} does not know ${method}; it knows ${allow}.`));
  }
  response.writeHead(204);
  response.end();
  return true;
}
