import { hasBody } from '../request/body-length.js';
import type { EdgeRequest } from '../request/edge-request.js';
import type { OperationRoute } from '../request/operation-route.js';

/**
 * Called when something gets or sets the body of a request before it has one. Throws while the body is still to be read:
 * what checks it would find nothing, and what is set would be lost.
 */
function refuseEarlyUse(request: EdgeRequest): void {
  const { isBodyDue, operation, res } = request;
  if (!isBodyDue || !hasBody(request)) return;
  // Nothing will read it: a listener that logs the response of 401, say, would end the process with an error.
  if (request.destroyed || res?.headersSent) return;
  // A parser sets what it has read, and would take an error for a malformed body; the reader of the body refuses the request.
  if (request.readableDidRead) return;
  if (operation?.requestBody) throw usedEarly(operation);
  // Another middleware may change the URL to that of an operation.
  request.isBodyMissed = true;
}

export function usedEarly({ id }: OperationRoute): Error {
  return new Error(
    `Middleware, a guard or a request-scoped provider of the application uses request.body of ${id}, which is read after them; use an interceptor, a pipe or a guard of the feature instead`,
  );
}

/**
 * For requests without a body of their own; the others have a property, as an assignment would make it. The field of a class
 * takes 0.5 µs less than `Object.defineProperty`, but V8 of Node 20 sometimes calls the setter for it.
 */
export function refuseEarlyBodies(prototype: object): void {
  Object.defineProperty(prototype, 'body', {
    get(this: EdgeRequest): undefined {
      refuseEarlyUse(this);
    },
    set(this: EdgeRequest, value: unknown) {
      refuseEarlyUse(this);
      Object.defineProperty(this, 'body', { value, writable: true, enumerable: true, configurable: true });
    },
    configurable: true,
  });
}
