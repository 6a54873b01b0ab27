import { HTTP_CODE_METADATA, SSE_METADATA } from '@nestjs/common/constants.js';
import type { RequestHandler } from 'express';
import type { Operation } from '../../contract/contract.js';
import { ERROR_STATUSES } from '../../errors/error-responses.decorator.js';
import { StartError } from '../../process/start-error.js';
import { handlerOf, isOfController } from './handler-parameters.js';

const EVENTS = 'text/event-stream';

/**
 * Throws a StartError when `@HttpCode` or `@ErrorResponses` of a handler names a status that its operation does not
 * declare: such a response would become a 500. Nest copies the metadata of a method to its handler.
 */
export function assertStatuses({ id, responses }: Operation, handler: RequestHandler): void {
  const success = Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
  const errors = (Reflect.getMetadata(ERROR_STATUSES, handler) ?? []) as readonly number[];
  const undeclared = [...(success === undefined ? [] : [success]), ...errors].find((status) => !responses.has(status));
  if (undeclared === undefined) return;
  throw new StartError(
    `${handler.name} responds with ${undeclared}, which openapi.yaml does not declare for ${id}; declare the status there.`,
  );
}

/**
 * Throws a StartError for a function that is not a method of a controller: no guard would run, not even the one that checks
 * the key.
 */
export function assertIsOfController({ id, method, path }: Operation, handler: RequestHandler): void {
  if (isOfController(handler)) return;
  throw new StartError(
    `${handler.name || 'A function'} is registered at the HTTP adapter for ${id} (${method} ${path}), so that no guard would run; use a method of a controller.`,
  );
}

/** Throws a StartError for a handler with a version. Nest would ignore it: the contract's paths contain their version. */
export function assertUnversioned({ id, path }: Operation, handler: RequestHandler): void {
  if (!handlerOf(handler).isVersioned) return;
  throw new StartError(
    `${handler.name} has a version, but openapi.yaml declares ${id} at ${path} for all versions; remove it, and declare another version as a path of its own.`,
  );
}

/**
 * Throws a StartError for a handler whose response nothing would check: one that takes the response, or `next`, without
 * passthrough, and one that sends events where something else is declared.
 */
export function assertReturns({ id, responses }: Operation, handler: RequestHandler): void {
  const isEvents = Reflect.getMetadata(SSE_METADATA, handler) === true;
  if (isEvents && responses.get(200)?.mediaTypes.join() !== EVENTS) {
    throw new StartError(
      `${handler.name} sends events, which openapi.yaml does not declare for ${id}; declare ${EVENTS} for its status 200.`,
    );
  }
  if (!handlerOf(handler).sendsResponse) return;
  throw new StartError(
    `${handler.name} takes @Res() or @Next(), so that nothing checks or sends the response of ${id}; return the body or throw an error, and use "@Res({ passthrough: true })" for the rest.`,
  );
}
