import type { RequestHandler } from 'express';
import type { Contract } from '../contract/contract.js';
import { byOwnText, parameterNames, type PathTemplate, pathTemplate } from '../contract/path-template.js';
import { StartError } from '../process/start-error.js';
import { checkedFields } from './handlers/checked-fields.js';
import {
  assertChooses,
  assertHeaderText,
  assertIsOfController,
  assertMediaType,
  assertOtherHosts,
  assertOwnConflicts,
  assertReturns,
  assertStatuses,
  assertUnversioned,
} from './handlers/assert-handler.js';
import { assertGuards } from './handlers/handler-guards.js';
import { handlerOf } from './handlers/handler-parameters.js';
import { assertReturnType } from './handlers/return-type.js';
import { allowOf } from './response/allow.js';
import { responsesWith } from './response/own-headers.js';
import { fixedHeaders } from './request/fixed-headers.js';
import type { OperationRoute } from './request/operation-route.js';
import { RequestGuard } from './request.guard.js';
import { SchemeGuard } from './scheme.guard.js';

export interface Match {
  readonly operation: OperationRoute;
  readonly parameters: Record<string, string>;
}

type Routes = ReadonlyMap<string, OperationRoute>;

interface Template extends PathTemplate {
  readonly routes: Routes;
}

/** They never return false. */
const THROWING_GUARDS = [RequestGuard, SchemeGuard];

/** Stands for a parameter; no fixed path has it. */
const A_PARAMETER = '0192f8a0-7c00-7000-8000-000000000000';

/** The paths of the contract, and Nest's handlers for their methods. */
export class OperationRoutes {
  readonly #routes: OperationRoute[];
  /** Paths without parameters, found by one look-up. */
  readonly #fixed = new Map<string, Routes>();
  /** In the order in which they are tried. */
  readonly #templates: Template[] = [];

  constructor(private readonly contract: Contract) {
    this.#routes = contract.operations.map((operation) => {
      const headers = fixedHeaders(operation);
      const route = { path: operation.path.replaceAll(/\{(\w+)\}/g, ':$1') };
      return { ...operation, responses: responsesWith(operation, headers), headers, route };
    });
    const paths = new Set(contract.operations.map(({ path }) => path));
    for (const path of [...paths].toSorted(byOwnText)) this.#addPath(path);
  }

  #addPath(path: string): void {
    const routes = new Map(this.#routes.filter((route) => route.path === path).map((route) => [route.method, route]));
    if (parameterNames(path).length === 0) this.#fixed.set(path, routes);
    else this.#templates.push({ ...pathTemplate(path), routes });
  }

  /** Whether a path, as Nest or a client writes it, is below the contract's base path. */
  covers(path: string): boolean {
    const { basePath } = this.contract;
    return path.startsWith(basePath) && (path.length === basePath.length || path[basePath.length] === '/');
  }

  /** Binds an operation to its Nest handler. `path` is written as Nest does: `/v1/things/:thingId`. */
  bind(method: string, path: string, handler: RequestHandler): void {
    const written = inContract(path);
    const route = this.#routes.find(
      (candidate) => candidate.method === method && (candidate.route.path === path || candidate.path === written),
    );
    if (!route) {
      const { pathsPosition } = this.contract;
      throw new StartError(
        `${pathsPosition} ${handler.name} handles ${method} ${path}, which ${reasonAgainst(method)}.`,
      );
    }
    if (route.handler) {
      throw new StartError(
        `${route.position} ${handler.name} and ${route.handler.name} both handle ${method} ${path}; remove one of them.`,
      );
    }
    assertIsOfController(route, handler);
    assertUnversioned(route, handler);
    assertOtherHosts(route, handler);
    assertStatuses(route, handler);
    assertGuards(route, handler, handlerOf(handler).routes, THROWING_GUARDS);
    assertReturns(route, handler);
    assertReturnType(route, handler);
    assertChooses(route, handler);
    assertHeaderText(route, handler);
    assertMediaType(route, handler);
    assertOwnConflicts(route, handler);
    route.handler = handler;
  }

  /** Throws a StartError that names the operations without a handler; `others` are routes outside of the contract. */
  assertComplete(others: readonly string[]): void {
    const missing = this.#routes.filter((route) => !route.handler);
    const [first] = missing;
    if (!first) return;
    const ending = first.route.path;
    const prefixed = others.find((other) => other.startsWith(`${first.method} /`) && other.endsWith(ending));
    if (prefixed !== undefined) {
      const prefix = prefixed.slice(first.method.length + 1, -ending.length);
      throw new StartError(
        `${first.position} ${first.id} is handled at ${prefix}${ending} instead of ${ending}; remove the prefix ${prefix} from the code, and put it into the URL of "servers" here.`,
      );
    }
    const names = missing.map(({ id, method, path }) => `${id} (${method} ${path})`);
    throw new StartError(
      `${first.position} No controller handles ${names.join(', ')}; add a handler, or remove the operation here.`,
    );
  }

  /** Call after all routes are registered. `others` are the handlers outside the contract. */
  checkedFields(others: readonly RequestHandler[], hasMiddleware: boolean): ReturnType<typeof checkedFields> {
    return checkedFields(this.#routes, others, hasMiddleware);
  }

  operationOf(method: string, path: string): OperationRoute | undefined {
    return this.match(method, path)?.operation;
  }

  /** The first matching path that declares the method. */
  match(method: string, path: string): Match | undefined {
    // HEAD is handled as GET.
    const declared = method === 'HEAD' ? 'GET' : method;
    const fixed = this.#fixed.get(path)?.get(declared);
    if (fixed) return { operation: fixed, parameters: {} };
    for (const { pattern, names, routes } of this.#templates) {
      const values = pattern.exec(path);
      const operation = values && routes.get(declared);
      if (operation) return { operation, parameters: parametersOf(names, values) };
    }
    return undefined;
  }

  /** The values of `Allow`. */
  get allowed(): string[] {
    const paths = this.contract.operations.map(({ path }) => path.replaceAll(/\{\w+\}/g, A_PARAMETER));
    return [...new Set(paths.flatMap((path) => this.allowedOn(path) ?? []))];
  }

  /** The value of `Allow`; undefined for a path that the contract does not declare. */
  allowedOn(path: string): string | undefined {
    const templates = this.#templates.filter(({ pattern }) => pattern.test(path)).map(({ routes }) => routes);
    const methods = [this.#fixed.get(path) ?? [], ...templates].flatMap((routes) =>
      [...routes].map(([method]) => method),
    );
    if (methods.length === 0) return undefined;
    return allowOf(methods);
  }
}

function parametersOf(names: readonly string[], values: RegExpExecArray): Record<string, string> {
  const parameters: Record<string, string> = {};
  let index = 0;
  for (const name of names) parameters[name] = decode(values[++index] ?? '');
  return parameters;
}

/** Malformed percent-encoding stays as it is: no handler will find a resource with it. */
function decode(value: string): string {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** HEAD and OPTIONS belong to each operation or path. */
function reasonAgainst(method: string): string {
  if (method === 'HEAD' || method === 'OPTIONS') return 'the service answers itself; remove the handler';
  if (DECLARABLE.has(method)) return 'is not declared here; declare it, or remove the handler';
  return `no operation can have; use ${[...DECLARABLE].join(', ')}`;
}

const DECLARABLE = new Set(['GET', 'PUT', 'POST', 'DELETE', 'PATCH']);

/** A path of Nest as the contract writes it: `/things/:id\:cancel` is `/things/{id}:cancel` there. */
function inContract(path: string): string {
  return path.replaceAll(/\\(.)|:(\w+)/g, (_, literal?: string, name = '') => literal ?? `{${name}}`);
}
