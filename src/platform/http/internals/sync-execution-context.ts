import {
  type ArgumentMetadata,
  type CanActivate,
  ForbiddenException,
  type INestApplication,
  type PipeTransform,
  StreamableFile,
} from '@nestjs/common';
import { FORBIDDEN_MESSAGE } from '@nestjs/core/guards/constants.js';
import type { GuardsContextCreator } from '@nestjs/core/guards/guards-context-creator.js';
import type { ContextUtils } from '@nestjs/core/helpers/context-utils.js';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { HandleResponseFn } from '@nestjs/core/helpers/handler-metadata-storage.js';
import type { InterceptorsContextCreator } from '@nestjs/core/interceptors/interceptors-context-creator.js';
import { ParamsTokenFactory } from '@nestjs/core/pipes/params-token-factory.js';
import type { PipesContextCreator } from '@nestjs/core/pipes/pipes-context-creator.js';
import { RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';
import type { RedirectResponse, RouterResponseController } from '@nestjs/core/router/router-response-controller.js';
import { isStreamingBody } from '@nestjs/core/router/streaming-body.js';
import { isObservable, lastValueFrom } from 'rxjs';

/** What Nest's class keeps to itself. */
interface Collaborators {
  readonly contextUtils: ContextUtils;
  readonly guardsContextCreator: GuardsContextCreator;
  readonly interceptorsContextCreator: InterceptorsContextCreator;
  readonly pipesContextCreator: PipesContextCreator;
  readonly responseController: RouterResponseController;
}

type Create = RouterExecutionContext['create'];
type Handler = ReturnType<Create>;
type Callback = Parameters<Create>[1];
type Parameters_ = Parameters<RouterExecutionContext['createPipesFn']>[1];
type ApplyPipes = ReturnType<RouterExecutionContext['createPipesFn']>;
type Answer = (
  result: unknown,
  response: unknown,
  request?: unknown,
  observable?: unknown,
  streams?: readonly unknown[],
) => Promise<unknown> | undefined;

/**
 * Calls handlers as Nest does: guards, pipes, handler, answer, with the same arguments, results and errors, in the same
 * order. Nest makes a dozen promises on that way, waited for or not; this makes one where nothing has to be waited for,
 * which is worth a third of the time of a request: docs/performance.md and ADR 6. Whatever is more than that
 * (interceptors, events, streams, Observables, templates, redirects) is left to Nest.
 */
export class PromptHandlers extends RouterExecutionContext {
  override create(...description: Parameters<Create>): Handler {
    const nests = super.create(...description);
    const [instance, callback, methodName, moduleKey, requestMethod, contextId, inquirerId] = description;
    const own = this as unknown as Collaborators;
    const creation = [instance, callback as never, moduleKey, contextId, inquirerId] as const;
    const metadata = this.getMetadata(instance, callback, methodName, moduleKey, requestMethod, 'http');
    if (metadata.isSseHandler || own.interceptorsContextCreator.create(...creation).length > 0) return nests;

    const answer = metadata.fnHandleResponse as Answer;
    const { argsLength, hasCustomHeaders, httpStatusCode, responseHeaders } = metadata;
    const parameters = own.contextUtils.mergeParamsMetatypes(
      metadata.getParamsMetadata(moduleKey, contextId, inquirerId),
      metadata.paramtypes,
    );
    const guard = this.createGuardsFn(own.guardsContextCreator.create(...creation), instance, callback, 'http');
    const applyPipes = this.createPipesFn(own.pipesContextCreator.create(...creation), parameters as Parameters_);
    return async (request, response, next) => {
      const guarded: Promise<void> | undefined = guard?.([request, response, next]);
      if (guarded) await guarded;
      own.responseController.setStatus(response, httpStatusCode);
      if (hasCustomHeaders) own.responseController.setHeaders(response, responseHeaders);
      const args: unknown[] = own.contextUtils.createNullArray(argsLength);
      const piped = applyPipes?.(args, request, response, next);
      if (piped) await piped;
      const returned: unknown = callback.apply(instance, args);
      const result = isThenable(returned) ? await returned : returned;
      const answered = answer(result, response, request);
      if (answered) await answered;
    };
  }

  /** Nothing, or a promise where a guard has to be waited for. */
  override createGuardsFn(
    guards: CanActivate[],
    instance: object,
    callback: Callback,
    type = 'http',
  ): ReturnType<RouterExecutionContext['createGuardsFn']> {
    if (guards.length === 0) return null;
    const activate = (context: ExecutionContextHost, first: number): Promise<void> | undefined => {
      for (let index = first; index < guards.length; index += 1) {
        const verdict = guards[index]!.canActivate(context);
        if (typeof verdict !== 'boolean') return activateLater(context, verdict, index + 1);
        if (!verdict) throw new ForbiddenException(FORBIDDEN_MESSAGE);
      }
      return undefined;
    };
    const activateLater = async (context: ExecutionContextHost, pending: unknown, next: number): Promise<void> => {
      const verdict = await pending;
      if (!(isObservable(verdict) ? await lastValueFrom(verdict) : verdict)) {
        throw new ForbiddenException(FORBIDDEN_MESSAGE);
      }
      await activate(context, next);
    };
    return (args) => {
      const context = new ExecutionContextHost(args, instance.constructor as never, callback);
      context.setType(type);
      return activate(context, 0) as Promise<void>;
    };
  }

  /** Nothing, or a promise where something has to be waited for or fails: that is left to Nest, as are several pipes. */
  override createPipesFn(pipes: PipeTransform[], parameters: Parameters_): ApplyPipes {
    const isPlain = parameters.every(({ type, pipes: own }) => !this.isPipeable(type) || pipes.length + own.length < 2);
    // Nest has several parameters take their pipes by turns.
    if (parameters.length !== 1 && !(parameters.length > 0 && isPlain)) return super.createPipesFn(pipes, parameters);
    const types = new ParamsTokenFactory();
    const readers = parameters.map(({ index, extractValue, type, data, metatype, pipes: own, schema }) => ({
      index,
      extractValue,
      metadata: { metatype, type: types.exchangeEnumForString(type as never), data, schema } as ArgumentMetadata,
      nests: { metatype, type, data, schema } as never,
      pipes: this.isPipeable(type) ? pipes.concat(own) : undefined,
    }));
    const wait = async (args: unknown[], { index, nests }: Reader, late: Late): Promise<void> => {
      args[index] = await this.getParamValue(late.value, nests, late.pipes);
    };
    return (args, request, response, next) => {
      let pending: Promise<unknown>[] | undefined;
      for (const reader of readers) {
        const { index, extractValue, metadata, pipes: own } = reader;
        try {
          const value: unknown = extractValue(request, response, next);
          const piped = own ? pipe(value, own, metadata) : value;
          if (piped instanceof Late) (pending ??= []).push(wait(args, reader, piped));
          else args[index] = piped;
        } catch (error) {
          (pending ??= []).push(Promise.reject(error));
        }
      }
      return pending && Promise.all(pending);
    };
  }

  override createHandleResponseFn(
    callback: Callback,
    isAnswered: boolean,
    redirect?: RedirectResponse,
    status?: number,
  ): HandleResponseFn {
    const nests = super.createHandleResponseFn(callback, isAnswered, redirect, status) as Answer;
    const isRedirect = typeof redirect?.url === 'string';
    if (isAnswered || isRedirect || this.reflectRenderTemplate(callback) || this.reflectSse(callback)) return nests;
    return ((result, response, request, observable, streams) => {
      const isMore = observable !== undefined || isObservable(result) || isStream(result) || streams?.length;
      if (isMore) return nests(result, response, request, observable, streams);
      this.applicationRef.reply(response, result, status);
      return undefined;
    }) satisfies Answer as HandleResponseFn;
  }
}

interface Reader {
  readonly index: number;
  /** What Nest knows of the parameter. */
  readonly nests: never;
}

/** A value that has to be waited for or that a pipe refuses, and the pipes that Nest has to call. */
class Late {
  constructor(
    readonly value: unknown,
    readonly pipes: PipeTransform[],
  ) {}
}

function pipe(value: unknown, pipes: PipeTransform[], metadata: ArgumentMetadata): unknown {
  if (isThenable(value)) return new Late(value, pipes);
  let piped = value;
  for (let index = 0; index < pipes.length; index += 1) {
    try {
      piped = pipes[index]!.transform(piped, metadata);
    } catch (error) {
      const refuse = () => {
        throw error;
      };
      return new Late(undefined, [{ transform: refuse }]);
    }
    if (!isThenable(piped)) continue;
    const pending = piped;
    return new Late(undefined, [{ transform: () => pending }, ...pipes.slice(index + 1)]);
  }
  return piped;
}

/** What Nest destroys when it cannot be sent. */
function isStream(value: unknown): boolean {
  return value instanceof StreamableFile || isStreamingBody(value);
}

function isThenable(value: unknown): value is Promise<unknown> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  return typeof (value as Partial<Promise<unknown>>).then === 'function';
}

/**
 * To be called before the routes are registered. Throws when Nest keeps what calls its handlers in another place than
 * the release this was written for.
 */
export function callHandlersPromptly(app: INestApplication): void {
  const { routesResolver } = app as unknown as {
    routesResolver?: { routerExplorer?: { executionContextCreator?: RouterExecutionContext } };
  };
  const creator = routesResolver?.routerExplorer?.executionContextCreator;
  if (!creator || Object.getPrototypeOf(creator) !== RouterExecutionContext.prototype) {
    throw new Error(
      'src/platform/http/internals/sync-execution-context.ts does not support how this version of Nest calls handlers',
    );
  }
  Object.setPrototypeOf(creator, PromptHandlers.prototype);
}
