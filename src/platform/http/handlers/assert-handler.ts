import {
  HEADERS_METADATA,
  HTTP_CODE_METADATA,
  REDIRECT_METADATA,
  RENDER_METADATA,
  SSE_METADATA,
} from '@nestjs/common/constants.js';
import type { RequestHandler } from 'express';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Operation } from '../../contract/contract.js';
import { essenceOf, hasJsonParameter, JSON_TYPE } from '../../contract/responses/media-types.js';
import { StartError } from '../../process/start-error.js';
import { handlerOf, isOfController } from './handler-parameters.js';

const EVENTS = 'text/event-stream';

/**
 * Throws a StartError when a handler responds with a status that its operation does not declare: one of `@HttpCode`,
 * `@Redirect` or `@ErrorResponses`, or Nest's default. Such a response would become a 500. Nest copies the metadata of a
 * method to its handler.
 */
export function assertStatuses(operation: Operation, handler: RequestHandler): void {
  const { id, position, responses } = operation;
  const success = Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
  const named = [...(success === undefined ? [] : [success]), ...handlerOf(handler).errorStatuses];
  const undeclared = named.find((status) => !responses.has(status));
  if (undeclared !== undefined) {
    throw new StartError(
      `${position} ${handler.name} responds with ${undeclared}, which openapi.yaml does not declare for ${id}; declare the status there.`,
    );
  }
  const { status, words, remedy } = defaultStatus(operation, handler, success);
  // A handler of an operation that declares errors only throws one.
  if (responses.has(status) || [...responses.keys()].every((declared) => declared >= 400)) return;
  throw new StartError(
    `${position} ${handler.name} ${words}, which openapi.yaml does not declare for ${id}; declare the status there, or ${remedy}.`,
  );
}

interface DefaultStatus {
  readonly status: number;
  readonly words: string;
  /** How the handler gets another one. */
  readonly remedy: string;
}

/** That of the response when the handler returns, and leaves the status to Nest. */
function defaultStatus(
  { method, responses }: Operation,
  handler: RequestHandler,
  named: number | undefined,
): DefaultStatus {
  const redirection = Reflect.getMetadata(REDIRECT_METADATA, handler) as { statusCode?: number } | undefined;
  // As in Nest, `@Redirect` wins over `@HttpCode`.
  if (redirection) {
    const status = redirection.statusCode || 302;
    const other = onlyOne(responses, 300) ?? 'one that it declares';
    return { status, words: `redirects with ${status}`, remedy: `give @Redirect ${other}` };
  }
  const status = named ?? (method === 'POST' ? 201 : 200);
  const other = onlyOne(responses, 200);
  return {
    status,
    words: `responds with ${status} by default`,
    remedy: `add @HttpCode${other === undefined ? ' with one that it declares' : `(${other})`}`,
  };
}

/**
 * Throws a StartError for a handler of an operation with keys that throws a 409 of its own, for which nothing can set the
 * `Retry-After` that the contract requires: each would become a 500.
 */
export function assertOwnConflicts(operation: Operation, handler: RequestHandler): void {
  const { id, responses, takesIdempotencyKey } = operation;
  const conflict = responses.get(409);
  const { errorStatuses, maySetHeaders } = handlerOf(handler);
  if (!takesIdempotencyKey || !conflict || !errorStatuses.includes(409) || maySetHeaders()) return;
  if (headersOf(handler).some(({ name }) => name.toLowerCase() === 'retry-after')) return;
  const required = conflict.headers.find(({ name, violationOf }) => name === 'retry-after' && violationOf(undefined));
  if (!required) return;
  throw new StartError(
    `${required.position} ${handler.name} responds to ${id} with a 409 of its own, which has no Retry-After; make the header optional, or set it by @Header().`,
  );
}

/** The one declared status between `from` and `from + 99`. */
function onlyOne(responses: Operation['responses'], from: number): number | undefined {
  const statuses = [...responses.keys()].filter((status) => status >= from && status < from + 100);
  return statuses.length === 1 ? statuses[0] : undefined;
}

/**
 * Throws a StartError for a function that is not a method of a controller: no guard would run, not even the one that checks
 * the key.
 */
export function assertIsOfController({ id, method, path, position }: Operation, handler: RequestHandler): void {
  if (isOfController(handler)) return;
  throw new StartError(
    `${position} ${handler.name || 'A function'} is registered at the HTTP adapter for ${id} (${method} ${path}), so that no guard would run; use a method of a controller.`,
  );
}

/**
 * Throws a StartError for a handler that cannot know which media type the request prefers, although its value depends on
 * that: an object cannot be sent as CSV, nor CSV as plain text.
 */
export function assertChooses({ id, position, responses }: Operation, handler: RequestHandler): void {
  const response = [...responses.values()].find(({ hasForms }) => hasForms);
  if (!response || handlerOf(handler).readsRequest()) return;
  throw new StartError(
    `${position} ${handler.name} would return the same for each of ${response.mediaTypes.join(', ')}, among which requests of ${id} choose; take the choice with @AcceptedType().`,
  );
}

/** Throws a StartError for a handler with a version. Nest would ignore it: the contract's paths contain their version. */
export function assertUnversioned({ id, path, position }: Operation, handler: RequestHandler): void {
  if (!handlerOf(handler).isVersioned) return;
  throw new StartError(
    `${position} ${handler.name} has a version, but openapi.yaml declares ${id} at ${path} for all versions; remove it, and declare another version as a path of its own.`,
  );
}

/** Throws a StartError for a handler whose controller names a host, unless the contract declares what others get. */
export function assertOtherHosts({ id, position, responses }: Operation, handler: RequestHandler): void {
  if (!handlerOf(handler).isHosted || responses.has(404)) return;
  throw new StartError(
    `${position} the controller of ${handler.name} names a host, and ${id} responds to requests for another one with 404; declare 404 here, or remove the host there.`,
  );
}

/** The headers that `@Header` sets. */
function headersOf(handler: RequestHandler): readonly { readonly name: string; readonly value: unknown }[] {
  return (Reflect.getMetadata(HEADERS_METADATA, handler) ?? []) as { name: string; value: unknown }[];
}

/** Throws a StartError for a header of `@Header` that no response can carry: each would become a 500. */
export function assertHeaderText({ position }: Operation, handler: RequestHandler): void {
  for (const { name, value } of headersOf(handler)) {
    try {
      validateHeaderName(name);
      // A function gives the value of each response.
      if (typeof value === 'string') validateHeaderValue(name, value);
    } catch (error) {
      throw new StartError(
        `${position} ${handler.name} sets ${JSON.stringify(name)} by @Header(), which no response can carry: ${(error as Error).message}; correct it there.`,
      );
    }
  }
}

/**
 * Throws a StartError for a Content-Type of `@Header` that breaks responses: a media type that no success of the operation
 * declares, the same for all requests where they choose, or a parameter of JSON, which is sent without parameters. The last
 * two may be replaced by whatever can set headers.
 */
export function assertMediaType(operation: Operation, handler: RequestHandler): void {
  const { id, position, responses } = operation;
  const declared = new Set([...responses].flatMap(([status, { mediaTypes }]) => (status < 400 ? mediaTypes : [])));
  // A handler that only throws or redirects sends no body of its own.
  if ([...responses.keys()].every((status) => status >= 300)) return;
  for (const { name, value } of headersOf(handler)) {
    // A function gives the value of each response.
    if (name.toLowerCase() !== 'content-type' || typeof value !== 'string') continue;
    const words = `${position} ${handler.name} sends ${value} by @Header()`;
    if (!declared.has(essenceOf(value))) {
      throw new StartError(
        `${words}, which openapi.yaml does not declare for ${id}; declare the media type there, or remove @Header().`,
      );
    }
    if (handlerOf(handler).maySetHeaders()) continue;
    if (operation.mediaTypes && declared.size > 1)
      throw new StartError(`${words}, whatever a request of ${id} accepts; remove @Header().`);
    if (hasJsonParameter(value))
      throw new StartError(`${words}, but JSON is sent as ${JSON_TYPE}; remove the parameter, or @Header().`);
  }
}

/**
 * Throws a StartError for a handler whose response nothing would check: one that takes the response, or `next`, without
 * passthrough, one that renders a template, and one that sends events where something else is declared.
 */
export function assertReturns({ id, position, responses }: Operation, handler: RequestHandler): void {
  const isEvents = Reflect.getMetadata(SSE_METADATA, handler) === true;
  if (isEvents && responses.get(200)?.mediaTypes.join() !== EVENTS) {
    throw new StartError(
      `${position} ${handler.name} sends events, which openapi.yaml does not declare for ${id}; declare ${EVENTS} for its status 200.`,
    );
  }
  if (Reflect.hasMetadata(RENDER_METADATA, handler)) {
    throw new StartError(
      `${position} ${handler.name} renders a template, which is not supported; return the text that ${id} declares.`,
    );
  }
  if (!handlerOf(handler).sendsResponse) return;
  throw new StartError(
    `${position} ${handler.name} takes @Res() or @Next(), so that nothing checks or sends the response of ${id}; return the body or throw an error, and use "@Res({ passthrough: true })" for the rest.`,
  );
}
