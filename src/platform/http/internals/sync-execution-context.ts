import {
  type ArgumentMetadata,
  ForbiddenException,
  type INestApplication,
  type PipeTransform,
  StreamableFile,
  type Type,
} from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/internal';
import { FORBIDDEN_MESSAGE } from '@nestjs/core/guards/constants.js';
import type { GuardsContextCreator } from '@nestjs/core/guards/guards-context-creator.js';
import { ContextUtils } from '@nestjs/core/helpers/context-utils.js';
import type { HandlerResponseBasicFn } from '@nestjs/core/helpers/handler-metadata-storage.js';
import { STATIC_CONTEXT } from '@nestjs/core/injector/constants.js';
import type { InterceptorsContextCreator } from '@nestjs/core/interceptors/interceptors-context-creator.js';
import { ParamsTokenFactory } from '@nestjs/core/pipes/params-token-factory.js';
import type { PipesContextCreator } from '@nestjs/core/pipes/pipes-context-creator.js';
import { RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';
import { RouterResponseController } from '@nestjs/core/router/router-response-controller.js';
import { isStreamingBody } from '@nestjs/core/router/streaming-body.js';
import { isObservable, lastValueFrom } from 'rxjs';
import type { EdgeRequest } from '../request/edge-request.js';
import { assertPathIsValid } from '../request/path-violations.js';
import { StreamedBodies } from './streamed-bodies.js';
import { activateGuards, applyPipes, isThenable } from './sync-enhancers.js';

type Create = RouterExecutionContext['create'];
type CreatePipes = RouterExecutionContext['createPipesFn'];

const contextUtils = new ContextUtils();
const parameterTypes = new ParamsTokenFactory();

/**
 * Runs guards, pipes and handler without the dozen promises that Nest makes for each request
 * (docs/adr/0006-avoid-needless-promises.md), with the same arguments, results, errors and order of calls. Only common
 * routes are handled here: Nest's own handler serves the others.
 */
export class SyncExecutionContext extends RouterExecutionContext {
  /** Nest's own handlers must not run for a path that breaks the contract either. */
  override createPipesFn(...description: Parameters<CreatePipes>): ReturnType<CreatePipes> {
    const applyAll = super.createPipesFn(...description);
    return (args, request, response, next) => {
      (request as EdgeRequest).isHandling ??= true;
      const pending = applyAll?.(args, request, response, next);
      // As in Nest, without an additional promise.
      if (!(request as EdgeRequest).pathViolations) return pending;
      const check = () => assertPathIsValid(request as EdgeRequest);
      return pending ? pending.then(check) : (check() as undefined);
    };
  }

  override create(...description: Parameters<Create>): ReturnType<Create> {
    const nestHandler = super.create(...description);
    const [instance, callback, methodName, moduleKey, requestMethod, contextId = STATIC_CONTEXT] = description;
    const metadata = this.getMetadata(instance, callback, methodName, moduleKey, requestMethod, 'http');
    const parameters = contextUtils.mergeParamsMetatypes(metadata.getParamsMetadata(moduleKey), metadata.paramtypes);
    // Nest declares these members private.
    const { guardsContextCreator, interceptorsContextCreator, pipesContextCreator } = this as unknown as PrivateMembers;
    const takesResponse = parameters.some(({ type }) => RESPONSE_TYPES.has(type));
    const isCommon =
      contextId === STATIC_CONTEXT &&
      !metadata.isSseHandler &&
      !metadata.hasCustomHeaders &&
      !this.reflectRedirect(callback) &&
      !this.reflectRenderTemplate(callback) &&
      (!takesResponse || contextUtils.reflectPassthrough(instance, methodName)) &&
      // Nest interleaves the pipes of several parameters.
      parameters.filter(({ type }) => this.isPipeable(type)).length <= 1 &&
      interceptorsContextCreator.create(instance, callback, moduleKey).length === 0;
    if (!isCommon) return guarded(nestHandler, metadata.isSseHandler);

    const guards = guardsContextCreator.create(instance, callback, moduleKey);
    const routePipes = pipesContextCreator.create(instance, callback, moduleKey);
    const readers: ArgumentReader[] = parameters.map(({ index, extractValue, type, data, metatype, schema, pipes }) => {
      const isPipeable = this.isPipeable(type);
      // The types admit text only, yet Nest hands any data of a custom decorator to its pipes.
      const argument = { metatype, type: parameterTypes.exchangeEnumForString(type), data: data as string, schema };
      return { index, extractValue, isPipeable, pipes: routePipes.concat(pipes), argument };
    });
    const respondByNest = metadata.fnHandleResponse as HandlerResponseBasicFn; // isCommon excludes events
    // Without `async`: while such a function waits, its whole state survives garbage collections.
    const respond = (result: unknown, request: EdgeRequest, response: unknown): unknown => {
      if (!isObservable(result) && !(result instanceof StreamableFile) && !isStreamingBody(result))
        return this.applicationRef.reply(response, result);
      return whileHandling(request, respondByNest(result, response, request) as Promise<unknown>);
    };
    const handle = (args: unknown[], request: EdgeRequest): unknown => {
      request.isHandling = true;
      try {
        return callback.apply(instance, args);
      } catch (error) {
        return failed(request, error);
      }
    };
    const call = (args: unknown[], request: unknown, response: unknown): unknown => {
      assertPathIsValid(request as EdgeRequest);
      const returned = handle(args, request as EdgeRequest);
      if (!isThenable(returned)) return respond(returned, request as EdgeRequest, response);
      const fail = (error: unknown) => failed(request as EdgeRequest, error);
      return Promise.resolve(returned).then((result) => respond(result, request as EdgeRequest, response), fail);
    };
    const proceed = (isAllowed: unknown, exchange: ExchangeArguments): unknown => {
      if (!isAllowed) throw new ForbiddenException(FORBIDDEN_MESSAGE);
      const [request, response] = exchange;
      this.applicationRef.status(response, metadata.httpStatusCode);
      const args: unknown[] = contextUtils.createNullArray(metadata.argsLength);
      const pending = readArguments(args, readers, 0, exchange);
      return pending ? pending.then(() => call(args, request, response)) : call(args, request, response);
    };
    return ((...exchange: ExchangeArguments): unknown => {
      // A copy, as in Nest: guards may change it.
      const verdict = guards.length === 0 || activateGuards(guards, [...exchange], instance, callback);
      if (typeof verdict === 'boolean') return proceed(verdict, exchange);
      // As in Nest, a promise may be fulfilled with an Observable.
      return verdict.then((settled) =>
        // Check for a boolean first: in the bundle, each use of an RxJS import costs a microsecond.
        typeof settled !== 'boolean' && isObservable(settled)
          ? lastValueFrom(settled).then((last) => proceed(last, exchange))
          : proceed(settled, exchange),
      );
    }) as ReturnType<Create>;
  }
}

/** Exception filters may write the response, which is then compared with the contract. */
function failed(request: EdgeRequest, error: unknown): never {
  request.isHandling = false;
  throw error;
}

/** Nest writes events to the response as the handler emits them. */
function guarded(handler: ReturnType<Create>, sendsEvents: boolean): ReturnType<Create> {
  return (request, response, next) => {
    if (sendsEvents) (request as EdgeRequest).isHandling = false;
    return whileHandling(request as EdgeRequest, handler(request, response, next));
  };
}

/** Once it fails, exception filters may write the response. */
function whileHandling<Result>(request: EdgeRequest, pending: Promise<Result>): Promise<Result> {
  // A side branch: if the router waited for the promise of `catch`, an error would arrive later than with Nest.
  pending.catch(() => Object.assign(request, { isHandling: false, isChecked: false }));
  return pending;
}

type ExchangeArguments = [request: unknown, response: unknown, next: unknown];

interface ArgumentReader {
  readonly index: number;
  readonly extractValue: (...exchange: ExchangeArguments) => unknown;
  readonly isPipeable: boolean;
  readonly pipes: PipeTransform[];
  readonly argument: ArgumentMetadata;
}

/** Reads the arguments from position `from` on, one after another. Returns a promise once a pipe does. */
function readArguments(
  args: unknown[],
  readers: readonly ArgumentReader[],
  from: number,
  exchange: ExchangeArguments,
): Promise<void> | undefined {
  for (let position = from; position < readers.length; position += 1) {
    const { index, extractValue, isPipeable, pipes, argument } = readers[position]!; // the position is within the readers
    const value = extractValue(...exchange);
    const piped = isPipeable ? applyPipes(pipes, value, argument) : value;
    if (isPipeable && isThenable(piped)) {
      return Promise.resolve(piped).then((settled) => {
        args[index] = settled;
        return readArguments(args, readers, position + 1, exchange);
      });
    }
    args[index] = piped;
  }
  return undefined;
}

const RESPONSE_TYPES = new Set<number | string>([RouteParamtypes.RESPONSE, RouteParamtypes.NEXT]);

interface PrivateMembers {
  readonly guardsContextCreator: GuardsContextCreator;
  readonly interceptorsContextCreator: InterceptorsContextCreator;
  readonly pipesContextCreator: PipesContextCreator;
}

interface ContextCreator {
  readonly responseController?: RouterResponseController;
}

/** Call before the routes are registered. Throws when Nest keeps the creator of its handlers elsewhere. */
export function installSyncExecutionContext(app: INestApplication): void {
  // Nest declares these members private.
  const { routesResolver } = app as unknown as {
    routesResolver?: { routerExplorer?: { executionContextCreator?: ContextCreator } };
  };
  const creator = routesResolver?.routerExplorer?.executionContextCreator;
  const responses = creator?.responseController;
  if (!responses || !hasClass(creator, RouterExecutionContext) || !hasClass(responses, RouterResponseController)) {
    throw new Error(
      'src/platform/http/internals/sync-execution-context.ts does not support how this version of Nest calls handlers',
    );
  }
  Object.setPrototypeOf(creator, SyncExecutionContext.prototype);
  Object.setPrototypeOf(responses, StreamedBodies.prototype);
}

function hasClass(instance: object, type: Type<object>): boolean {
  return Object.getPrototypeOf(instance) === type.prototype;
}
