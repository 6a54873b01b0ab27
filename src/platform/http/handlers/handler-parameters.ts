import { type INestApplication, type Type, ValidationPipe, VERSION_NEUTRAL } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HOST_METADATA,
  INTERCEPTORS_METADATA,
  PARAMTYPES_METADATA,
  PIPES_METADATA,
  RESPONSE_PASSTHROUGH_METADATA,
  ROUTE_ARGS_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import { type ApplicationConfig, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { ERROR_STATUSES } from '../../errors/error-responses.decorator.js';
import { acceptedType } from '../request/accepted-type.decorator.js';
import { type ModuleOf, modulesProviding, providedForAll } from './global-enhancers.js';
import { type GuardedRoute, guardedRoute, mayAnswer } from './handler-guards.js';
import { isValidationPipe, itemsOf, type PipedHandler, type PipedParameter } from './handler-pipes.js';

/** A parameter of a handler, with its own pipes. */
export interface HandlerParameter extends PipedParameter {
  readonly kind: RouteParamtypes;
  /** What the decorator names, as in `@Body('name')`. */
  readonly member: unknown;
  /** All that run for it after the DTO was made; none where controllers that share the handler differ. */
  readonly allPipes: readonly unknown[];
  /** Whether pipes of the handler or its controller convert it. */
  readonly isPiped: boolean;
}

/** With the pipes of the handler, of its controller and of all features. */
interface Handler extends PipedHandler {
  readonly parameters: readonly HandlerParameter[];
  /** The method of the controller. */
  readonly method: unknown;
  /** As TypeScript emits it for decorators. */
  readonly returnType: unknown;
  /** Whether it takes the response, or `next`, without passthrough, so that Nest sends nothing. */
  readonly sendsResponse: boolean;
  /** Whether guards or interceptors run after the contract has read a request, and may add to it. */
  readonly isWrapped: () => boolean;
  /** Whether it, or what runs around it, may read anything of the request, such as the media type that it prefers. */
  readonly readsRequest: () => boolean;
  /** Whether it, or what runs around it, may set headers of the response. */
  readonly maySetHeaders: () => boolean;
  /** Whether filters or interceptors may answer what its pipes throw. */
  readonly mayAnswerErrors: () => boolean;
  /** Of `@ErrorResponses` of the handler and of its controller. */
  readonly errorStatuses: readonly number[];
  /** Several where controllers share the method. */
  readonly routes: readonly GuardedRoute[];
  /** Whether `@Version()` or the controller names a version. */
  readonly isVersioned: boolean;
  /** Whether the controller names a host, so that Nest answers requests to other hosts with 404. */
  readonly isHosted: boolean;
}

const HANDLER = 'handler-parameters';

/** Nest reads those of parameters only, and has no constant for it. */
const RETURN_TYPE = 'design:returntype';

/** Nest leaves the response to a handler that takes one of them. */
const SENDING = new Set([RouteParamtypes.RESPONSE, RouteParamtypes.NEXT]);

/** Those that lead to the response: a request has it as `res`. The kind of a custom decorator is NaN. */
const RESPONDING = new Set([...SENDING, RouteParamtypes.REQUEST, NaN]);

/** Those that have the whole request, or its `Accept`. */
const READING = new Set([...RESPONDING, RouteParamtypes.HEADERS]);

/** Notes the parameters of each method of a controller at the method. Call before the routes are registered. */
export function noteParameters(app: INestApplication): void {
  const scanner = new MetadataScanner();
  const modules = [...app.get(ModulesContainer).values()];
  const global = modules.flatMap((one) => providedForAll(one, 'pipe').map(({ instance }): unknown => instance));
  const moduleOfPipe = modulesProviding('pipe', modules);
  const moduleOfGuard = modulesProviding('guard', modules);
  // Nest declares this member private. Some are added after this call, until the routes are registered.
  const { config } = app as unknown as { config: ApplicationConfig };
  // One is the service's own.
  const isFiltered = (): boolean => config.getGlobalFilters().length + config.getGlobalRequestFilters().length > 1;
  const isIntercepted = (): boolean =>
    config.getGlobalInterceptors().length > 0 || modules.some((one) => providedForAll(one, 'interceptor').length > 0);
  const noted = new Map<object, Handler>();
  for (const { controllers, injectables } of modules) {
    // As in Nest, a decorator may name a class instead of an instance.
    const resolve = (pipe: unknown): unknown => injectables.get(pipe as Type<object>)?.instance ?? pipe;
    for (const controller of controllers.values()) {
      const { metatype } = controller;
      if (!metatype) continue;
      // A request-scoped controller may get the request injected.
      const readsRequest = () => !controller.isDependencyTreeStatic();
      const prototype = metatype.prototype as Record<string, object>;
      for (const name of scanner.getAllMethodNames(prototype)) {
        const method = prototype[name]!; // the scanner has found the method
        const own = describe(metatype as Type<object>, name, {
          global,
          moduleOfPipe,
          moduleOfGuard,
          config,
          resolve,
          isIntercepted,
          isFiltered,
          readsRequest,
        });
        const before = noted.get(method);
        noted.set(method, before ? together(before, own) : own);
      }
    }
  }
  for (const [method, handler] of noted) Reflect.defineMetadata(HANDLER, handler, method);
}

/** Whether Nest made this handler of a route from a method of a controller. */
export function isOfController(handler: object): boolean {
  return Reflect.hasMetadata(HANDLER, handler);
}

/** Controllers that inherit a method share it, but not their pipes: what holds for one of them counts for all. */
function together(one: Handler, other: Handler): Handler {
  return {
    parameters: other.parameters.map((parameter, at) => ({
      ...parameter,
      allPipes: parameter.allPipes.every((pipe, i) => pipe === one.parameters[at]?.allPipes[i])
        ? parameter.allPipes
        : [],
      isPiped: parameter.isPiped && (one.parameters[at]?.isPiped ?? false),
    })),
    pipes: [...one.pipes, ...other.pipes],
    moduleOfPipe: one.moduleOfPipe,
    method: one.method,
    returnType: one.returnType === other.returnType ? one.returnType : undefined,
    sendsResponse: one.sendsResponse || other.sendsResponse,
    isWrapped: () => one.isWrapped() || other.isWrapped(),
    readsRequest: () => one.readsRequest() || other.readsRequest(),
    maySetHeaders: () => one.maySetHeaders() || other.maySetHeaders(),
    mayAnswerErrors: () => one.mayAnswerErrors() || other.mayAnswerErrors(),
    errorStatuses: [...one.errorStatuses, ...other.errorStatuses],
    routes: [...one.routes, ...other.routes],
    isVersioned: one.isVersioned || other.isVersioned,
    isHosted: one.isHosted || other.isHosted,
  };
}

/** `handler` is that of a route, to which Nest copies the metadata of the method. */
export function handlerOf(handler: object): Handler {
  return (
    (Reflect.getMetadata(HANDLER, handler) as Handler | undefined) ?? {
      parameters: [],
      pipes: [],
      moduleOfPipe: () => undefined,
      method: undefined,
      returnType: undefined,
      sendsResponse: false,
      isWrapped: () => false,
      readsRequest: () => true,
      maySetHeaders: () => true,
      mayAnswerErrors: () => true,
      errorStatuses: [],
      routes: [],
      isVersioned: false,
      isHosted: false,
    }
  );
}

interface Surroundings {
  readonly isIntercepted: () => boolean;
  readonly isFiltered: () => boolean;
  readonly readsRequest: () => boolean;
  readonly global: readonly unknown[];
  readonly moduleOfPipe: ModuleOf;
  readonly moduleOfGuard: ModuleOf;
  readonly config: ApplicationConfig;
  readonly resolve: (pipe: unknown) => unknown;
}

function describe(type: Type<object>, name: string, surroundings: Surroundings): Handler {
  const { global, moduleOfPipe, moduleOfGuard, config, resolve, isIntercepted, isFiltered, readsRequest } =
    surroundings;
  const described = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, name) ?? {}) as Record<string, Argument>;
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, type.prototype as object, name) ?? []) as unknown[];
  const method = (type.prototype as Record<string, object>)[name]!; // the scanner has found the method
  const pipesOfRoute = [type, method]
    .flatMap((one) => (Reflect.getMetadata(PIPES_METADATA, one) ?? []) as unknown[])
    .map(resolve);
  // The keys are `kind:index`; the kind of a custom decorator is not a number, but may begin with a digit.
  const parameters = Object.entries(described).map(([key, { index, data, schema, pipes: named = [] }]) => {
    const kind = Number(key.slice(0, key.indexOf(':'))) as RouteParamtypes;
    const pipes = named.map(resolve);
    // Nest runs no pipes for headers. A ValidationPipe that converts is refused.
    const isPiped =
      kind !== RouteParamtypes.HEADERS && [...pipesOfRoute, ...pipes].some((pipe) => !isValidationPipe(pipe));
    const allPipes = [...global, ...pipesOfRoute, ...pipes].filter((pipe) => !(pipe instanceof ValidationPipe));
    return { kind, member: data, type: itemsOf(pipes) ?? types[index], schema, pipes, allPipes, isPiped };
  });
  // That of the method replaces that of the controller.
  const versions = [method, type].map((one) => Reflect.getMetadata(VERSION_METADATA, one) as unknown);
  const version = versions.find((one) => one !== undefined);
  const isVersioned = version !== undefined && [version].flat().some((one) => one !== VERSION_NEUTRAL);
  const passesThrough = Reflect.getMetadata(RESPONSE_PASSTHROUGH_METADATA, type, name) === true;
  const mayRespond = Object.values(described).some(
    ({ factory }, at) => RESPONDING.has(parameters[at]!.kind) && factory !== acceptedType, // one for each
  );
  const takesRequest = parameters.some(({ kind }) => READING.has(kind));
  // A guard of its own may respond, and an interceptor change what is returned.
  const hasWrappers = [type, method].some(
    (one) => Reflect.hasMetadata(INTERCEPTORS_METADATA, one) || Reflect.hasMetadata(GUARDS_METADATA, one),
  );
  const hasFilters = [type, method].some((one) => Reflect.hasMetadata(EXCEPTION_FILTERS_METADATA, one));
  const isWrapped = () => hasWrappers || isIntercepted();
  const route = guardedRoute(type, name, config, moduleOfGuard);
  const takesResponse = parameters.some(({ kind }) => SENDING.has(kind));
  return {
    parameters,
    pipes: [...global, ...pipesOfRoute],
    moduleOfPipe,
    method,
    returnType: Reflect.getMetadata(RETURN_TYPE, type.prototype as object, name),
    sendsResponse: takesResponse && !passesThrough,
    isWrapped,
    readsRequest: () => takesRequest || isWrapped() || readsRequest(),
    maySetHeaders: () => mayRespond || hasFilters || isFiltered() || isWrapped() || readsRequest(),
    // One is the service's own.
    mayAnswerErrors: () => route.filters().filter(mayAnswer).length > 1 || isWrapped(),
    errorStatuses: [type, method].flatMap((one) => (Reflect.getMetadata(ERROR_STATUSES, one) ?? []) as number[]),
    routes: [route],
    isVersioned,
    isHosted: Reflect.getMetadata(HOST_METADATA, type) !== undefined,
  };
}

interface Argument {
  readonly index: number;
  readonly data?: unknown;
  /** Of a custom decorator. */
  readonly factory?: unknown;
  readonly schema?: unknown;
  readonly pipes?: readonly unknown[];
}
