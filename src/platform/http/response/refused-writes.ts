import type { EdgeRequest } from '../request/edge-request.js';
import type { OperationRoute } from '../request/operation-route.js';

/** Why this response must not start now; undefined if the contract allows it. */
export function reasonToRefuse(
  { isHandling }: EdgeRequest,
  operation: OperationRoute,
  status: number,
): Error | undefined {
  // Nothing would check it: only what the handler returns is checked.
  if (isHandling)
    return new Error(
      `The response of ${operation.id} was written past the contract while its handler ran; return the body instead${noteOnChanges(operation)}`,
    );
  return operation.responses.has(status) ? undefined : undeclared(operation, status);
}

export function undeclared(operation: OperationRoute, status: number): Error {
  const note = status < 400 ? noteOnChanges(operation) : '';
  return new Error(`${operation.id} returned ${status}, which openapi.yaml does not declare${note}`);
}

/** What became of the changes of a handler whose response is not sent. */
export function noteOnChanges({ method, takesIdempotencyKey }: OperationRoute): string {
  if (method === 'GET') return '';
  const except = takesIdempotencyKey ? ', except those of a request with an Idempotency-Key' : '';
  return `; changes of the handler are stored${except}`;
}
