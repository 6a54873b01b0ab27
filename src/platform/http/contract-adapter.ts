import { NotFoundException, RequestMethod } from '@nestjs/common';
import type { Server } from 'node:http';
import type { Express, NextFunction, RequestHandler } from 'express';
import type { Contract } from '../contract/contract.js';
import { ErrorBody } from '../errors/error-body.js';
import type { OutageLog } from '../errors/outage-log.js';
import type { IdempotencyKeys } from '../idempotency/idempotency-keys.js';
import type { Exchange } from './load/client-connection.js';
import { OperationRoutes } from './operation-routes.js';
import type { OutcomeObserver } from './outcomes/outcome.js';
import { Outcomes } from './outcomes/outcomes.js';
import type { RequestIds } from './outcomes/request-id.js';
import { checkRequest } from './request/check-request.js';
import type { EdgeRequest, EdgeResponse } from './request/edge-request.js';
import { KeyedExchange } from './request/keyed-exchange.js';
import type { OperationRoute } from './request/operation-route.js';
import { assertMiddlewareRuns } from './middleware/assert-middleware.js';
import { handlerOf, isOfController } from './handlers/handler-parameters.js';
import { OtherRoutes } from './handlers/other-routes.js';
import { pathOf } from './request/path-of.js';
import { noResourceAt } from './request/path-violations.js';
import { Refusals } from './refusals.js';
import { ReplyingAdapter } from './replying.adapter.js';
import { assertHead, assertLastHeaders, assertLength, checkedBody } from './response-violation.js';
import { allowOf, notAllowed } from './response/allow.js';
import { assertProtocol } from './response/protocol-responses.js';
import { refuseWrite, sendError } from './send-error.js';
import { EdgeServer, type EdgeTimeouts } from './server/edge-server.js';

/** The methods for which Nest registers handlers; the adapter has a member for each, in lower case. */
const METHODS = Object.values(RequestMethod).filter(
  (method) => typeof method === 'string',
) as (keyof typeof RequestMethod)[];

/**
 * Connections that wait to be accepted; the system may allow fewer. A burst would fill Node's default of 511, and the
 * system would reset clients that consider themselves connected.
 */
const BACKLOG = 4096;

/**
 * Passes each request for an operation of the contract directly to Nest's handler, without Express' router. Guards, pipes,
 * interceptors, controllers and filters run as Nest runs them. Other requests go to Express. If middleware may apply to an
 * operation, all requests go through Express' router (ADR 2).
 */
export class ContractAdapter extends ReplyingAdapter {
  readonly #routes: OperationRoutes;
  /** The handlers outside the contract. */
  readonly #others: RequestHandler[] = [];
  readonly #otherRoutes = new OtherRoutes();
  readonly #outcomes: Outcomes;
  #isWithinExpress = false;
  #server: EdgeServer;

  constructor(
    private readonly contract: Contract,
    private readonly timeouts: EdgeTimeouts,
    /** Paths that are served however busy the service is. */
    private readonly probes: readonly string[],
    private readonly requestIds: RequestIds,
    private readonly outages: OutageLog,
    observers: readonly OutcomeObserver[] = [],
    /** Required when an operation takes an Idempotency-Key. */
    private readonly idempotencyKeys?: IdempotencyKeys,
  ) {
    super(contract.basePath);
    this.#outcomes = new Outcomes(observers);
    this.#routes = new OperationRoutes(contract);
    for (const method of METHODS) {
      const name = method.toLowerCase() as Lowercase<typeof method>;
      const express = super[name].bind(this) as (...args: unknown[]) => unknown;
      (this as Record<typeof name, unknown>)[name] = (...args: unknown[]) => {
        const [path, handler] = args as [unknown, RequestHandler];
        if (typeof path !== 'string' || !this.#routes.covers(path)) {
          this.#others.push(...(args.filter((one) => typeof one === 'function') as RequestHandler[]));
          const isNests = typeof handler === 'function' && isOfController(handler);
          if (isNests && typeof path === 'string') {
            this.#otherRoutes.add(method, path, handlerOf(handler).isHosted);
          }
          return isNests ? this.middleware.unwatched(() => express(...args)) : express(...args);
        }
        this.#dispatchWithinExpress();
        return this.#routes.bind(method, path, handler);
      };
    }
  }

  get load(): EdgeServer['load'] {
    return this.#server.load;
  }

  get isDraining(): boolean {
    return this.#server.isDraining;
  }

  /**
   * Throws a StartError for an operation without a handler, and for what the contract declares for requests without an
   * operation and the service does not send. Must be called after all routes are registered.
   */
  assertComplete(): void {
    this.#routes.assertComplete(this.#otherRoutes.names);
    const { basePath, operations } = this.contract;
    assertMiddlewareRuns(this.middlewareOfModules, { basePath, operations, others: this.#otherRoutes.names });
    assertProtocol(this.contract.protocolResponses, this.#routes.allowed, this.middleware.mayRespond);
  }

  /** Throws a StartError for a DTO that differs from the contract. Must be called after `assertComplete`. */
  checkedFields(): ReturnType<OperationRoutes['checkedFields']> {
    return this.#routes.checkedFields(this.#others, this.middleware.mayRespond);
  }

  override setNotFoundHandler(): unknown {
    this.middleware.unwatched(() =>
      this.#otherRoutes.rejectMethods(this.getInstance<Express>(), (request, response, methods) =>
        rejectMethod(request, response, pathOf(request.url), allowOf(methods)),
      ),
    );
    return super.setNotFoundHandler();
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const refusals = new Refusals(this.#routes, this.#outcomes, this.outages);
    const handlers = {
      serve: ({ request, response }: Exchange) => this.#handle(app, request, response),
      refuse: (exchange: Exchange) => refusals.send(exchange),
      refusalOf: (request: EdgeRequest) => refusals.messageFor(request),
      refuseWrite,
      requestIds: this.requestIds,
      assertHeaders: assertLastHeaders,
      assertHead,
      assertLength,
      checkedBody,
      isProbe: (request: EdgeRequest) => this.probes.includes(pathOf(request.url)),
    };
    this.#server = new EdgeServer(app, this.timeouts, handlers, this.#outcomes);
    this.httpServer = this.#server.http;
  }

  override listen(port: string | number, ...rest: unknown[]): Server {
    const host = typeof rest[0] === 'string' ? rest[0] : undefined;
    return this.#server.http.listen({ port: Number(port), host, backlog: BACKLOG }, rest.at(-1) as () => void);
  }

  /** Begins to stop: Nest closes the adapter only after all modules have stopped, which may take time. */
  drain(): void {
    void this.#server.drain();
  }

  override async close(): Promise<void> {
    await this.#server.drain();
    this.#outcomes.flush();
  }

  /** Destroys the connections that `close` waits for. */
  abort(reason: string): void {
    this.#server.abort(reason);
  }

  #handle(app: Express, request: EdgeRequest, response: EdgeResponse): void {
    const error = checkRequest(request);
    if (error) {
      // A body in an unknown coding has no certain end, so the next request has no certain start.
      if (request.headers['transfer-encoding']) response.setHeader('Connection', 'close');
      sendError(response, error);
    } else if (this.middleware.isPresent) {
      // The operation decides how an exception in a middleware is answered.
      request.operation = this.#routes.operationOf(request.method, pathOf(request.url));
      request.earlyHeaders = 'all';
      app(request, response);
    } else {
      // A handler that calls `next` gets a 404: no other handler serves its path.
      const next = (failure?: unknown) =>
        this.filter(failure ?? new NotFoundException(noResourceAt(request)), request, response);
      if (!this.#dispatch(request, response, next)) app(request, response);
    }
  }

  /** False for a path outside the contract. Otherwise the request has been answered, or passed to Nest's handler. */
  #dispatch(request: EdgeRequest, response: EdgeResponse, next: NextFunction): boolean {
    const path = pathOf(request.url);
    if (!this.#routes.covers(path)) return false;
    const match = this.#routes.match(request.method, path);
    if (match) {
      request.operation = match.operation;
      request.params = match.parameters;
      this.#call(match.operation, request, response, next);
      return true;
    }
    const allow = this.#routes.allowedOn(path);
    if (allow !== undefined) rejectMethod(request, response, path, allow);
    else sendError(response, ErrorBody.of('NOT_FOUND', noResourceAt(request)));
    return true;
  }

  #call(operation: OperationRoute, request: EdgeRequest, response: EdgeResponse, next: NextFunction): void {
    if (this.#server.isClosing) {
      sendError(response, ErrorBody.of('SERVICE_UNAVAILABLE', 'The service is stopping; try again.'));
      return;
    }
    request.originalUrl ??= request.url;
    request.route = operation.route;
    request.res = response;
    request.next = next;
    if (operation.takesIdempotencyKey && request.headers['idempotency-key'] !== undefined) {
      this.#callKeyed(operation, request, response, next);
      return;
    }
    // `assertComplete` guarantees the handler, which catches its own errors, but not those of exception filters.
    const handled: unknown = operation.handler!(request, response, next);
    if (handled instanceof Promise) handled.catch(next);
  }

  #callKeyed(operation: OperationRoute, request: EdgeRequest, response: EdgeResponse, next: NextFunction): void {
    // The composition provides them for each contract that has such an operation.
    request.keyed = new KeyedExchange(this.idempotencyKeys!, response);
    // As above, `assertComplete` guarantees the handler.
    request.keyed.serve(() => operation.handler!(request, response, next)).catch(next);
  }

  /** Also dispatches requests that arrive through Express. */
  #dispatchWithinExpress(): void {
    if (this.#isWithinExpress) return;
    this.#isWithinExpress = true;
    this.middleware.close();
    this.middleware.unwatched(() =>
      this.use((request: EdgeRequest, response: EdgeResponse, next: NextFunction) => {
        request.earlyHeaders = response.getHeaders();
        if (!this.#dispatch(request, response, next)) next();
      }),
    );
  }
}

function rejectMethod({ method }: EdgeRequest, response: EdgeResponse, path: string, allow: string): void {
  response.setHeader('Allow', allow);
  if (method === 'OPTIONS') response.sendEmpty(204);
  else sendError(response, ErrorBody.of('METHOD_NOT_ALLOWED', notAllowed(method, path, allow)));
}
