import { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import type { EdgeRequest } from '../request/edge-request.js';

const { prototype } = ExceptionsHandler;
/** Nest's own method, before it is replaced. */
const next = Reflect.get(prototype, 'next');

/**
 * Nest calls it with each exception of middleware, guards and handlers, before any filter. From then on nothing reads the
 * body of the request: a filter that logs it finds undefined, where a guard would be refused.
 */
export function endBodiesOfFailures(): void {
  prototype.next = function (exception, host) {
    host.getArgByIndex<EdgeRequest>(0).isBodyDue = false;
    return next.call(this, exception, host);
  };
}
