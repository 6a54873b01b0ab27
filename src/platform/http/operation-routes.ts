import type { RequestHandler } from 'express';
import type { Contract, Operation } from '../contract/contract.js';
import type { Responses } from '../contract/responses/declared-response.js';
import { StartError } from '../process/start-error.js';
import { checkedFields } from './handlers/checked-fields.js';
import { assertReturns, assertStatuses } from './handlers/assert-handler.js';
import { type FixedHeaders, fixedHeaders } from './request/fixed-headers.js';
import { REQUEST_ID } from './outcomes/request-id.js';
import type { OperationRoute } from './request/operation-route.js';

export interface Address {
  readonly routes: ReadonlyMap<string, OperationRoute>;
  /** The value of `Allow`. */
  readonly allow: string;
}

export interface Match {
  readonly address: Address;
  readonly parameters: Record<string, string>;
}

interface Template {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly address: Address;
}

/** The paths of the contract, and Nest's handlers for their methods. */
export class OperationRoutes {
  readonly #routes: OperationRoute[];
  /** Paths without parameters, found by one look-up. */
  readonly #fixed = new Map<string, Address>();
  readonly #templates: Template[] = [];

  constructor(private readonly contract: Contract) {
    this.#routes = contract.operations.map((operation) => {
      const headers = fixedHeaders(operation);
      const route = { path: operation.path.replaceAll(/\{(\w+)\}/g, ':$1') };
      return { ...operation, responses: withoutHeaders(operation, headers), headers, route };
    });
    for (const path of new Set(contract.operations.map((operation) => operation.path))) this.#addAddress(path);
  }

  #addAddress(path: string): void {
    const routes = new Map(this.#routes.filter((route) => route.path === path).map((route) => [route.method, route]));
    const methods = ['OPTIONS', ...routes.keys(), ...(routes.has('GET') ? ['HEAD'] : [])];
    const address = { routes, allow: methods.toSorted().join(', ') };
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    if (names.length === 0) {
      this.#fixed.set(path, address);
      return;
    }
    const source = path
      .split(/\{\w+\}/)
      .map((fixed) => fixed.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('([^/]+)');
    this.#templates.push({ pattern: new RegExp(`^${source}$`), names, address });
  }

  /** Whether a path, as Nest or a client writes it, is below the contract's base path. */
  covers(path: string): boolean {
    const { basePath } = this.contract;
    return path.startsWith(basePath) && (path.length === basePath.length || path[basePath.length] === '/');
  }

  /** Binds an operation to its Nest handler. `path` is written as Nest does: `/v1/things/:thingId`. */
  bind(method: string, path: string, handler: RequestHandler): void {
    const route = this.#routes.find((candidate) => candidate.method === method && candidate.route.path === path);
    if (!route) {
      throw new StartError(
        `${handler.name} handles ${method} ${path}, which openapi.yaml does not declare; declare the operation there.`,
      );
    }
    if (route.handler) {
      throw new StartError(
        `${handler.name} and ${route.handler.name} both handle ${method} ${path}; remove one of them.`,
      );
    }
    assertStatuses(route, handler);
    assertReturns(route, handler);
    route.handler = handler;
  }

  /** Throws a StartError that names the operations without a handler. */
  assertComplete(): void {
    const missing = this.#routes
      .filter((route) => !route.handler)
      .map(({ id, method, path }) => `${id} (${method} ${path})`);
    if (missing.length === 0) return;
    throw new StartError(
      `No controller handles ${missing.join(', ')}; add a handler or remove the operation from openapi.yaml.`,
    );
  }

  /** Call after all routes are registered. `others` are the handlers outside the contract. */
  checkedFields(others: readonly RequestHandler[]): ReturnType<typeof checkedFields> {
    return checkedFields(this.#routes, others);
  }

  operationOf(method: string, path: string): OperationRoute | undefined {
    const match = this.match(path);
    return match && routeOf(match.address, method);
  }

  match(path: string): Match | undefined {
    const address = this.#fixed.get(path);
    if (address) return { address, parameters: {} };
    for (const template of this.#templates) {
      const values = template.pattern.exec(path);
      if (values) return matchOf(template, values);
    }
    return undefined;
  }
}

/** Fixed headers are added to every response; handlers are responsible for the others. */
function withoutHeaders({ responses }: Operation, { pairs }: FixedHeaders): Responses {
  const fixed = new Set([REQUEST_ID, ...pairs.map(([name]) => name)].map((name) => name.toLowerCase()));
  return new Map(
    [...responses].map(([status, response]) => [
      status,
      { ...response, headers: response.headers.filter(({ name }) => !fixed.has(name)) },
    ]),
  );
}

/** HEAD is handled as GET. */
export function routeOf({ routes }: Address, method: string): OperationRoute | undefined {
  return routes.get(method === 'HEAD' ? 'GET' : method);
}

function matchOf({ names, address }: Template, values: RegExpExecArray): Match {
  const parameters: Record<string, string> = {};
  let index = 0;
  for (const name of names) parameters[name] = decode(values[++index] ?? '');
  return { address, parameters };
}

/** Malformed percent-encoding stays as it is; no operation will know it. */
function decode(value: string): string {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
