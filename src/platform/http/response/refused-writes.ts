import { validateHeaderValue } from 'node:http';
import type { EdgeRequest } from '../request/edge-request.js';
import type { OperationRoute } from '../request/operation-route.js';

/** Why this response must not start now; undefined if the contract allows it. */
export function reasonToRefuse(
  { isHandling }: EdgeRequest,
  operation: OperationRoute,
  status: number,
  statusMessage: string | undefined,
): Error | undefined {
  // Nothing would check it: only what the handler returns is checked.
  if (isHandling)
    return new Error(
      `The response of ${operation.id} was written past the contract while its handler ran; return the body instead${noteOnChanges(operation)}`,
    );
  if (!operation.responses.has(status)) return returned(operation, status, ', which openapi.yaml does not declare');
  // An empty one is that of the status.
  return statusMessage ? unsendable(operation, status, statusMessage) : undefined;
}

/** Node would throw while it writes the head: where a stream writes it, that ends the process. */
function unsendable(operation: OperationRoute, status: number, statusMessage: string): Error | undefined {
  try {
    // Node takes the same characters there.
    validateHeaderValue('status message', statusMessage);
    return undefined;
  } catch {
    return returned(
      operation,
      status,
      ` with a status message that HTTP cannot send: ${JSON.stringify(statusMessage)}`,
    );
  }
}

/** The error of a response that is not sent. */
function returned(operation: OperationRoute, status: number, what: string): Error {
  const note = status < 400 ? noteOnChanges(operation) : '';
  return new Error(`${operation.id} returned ${status}${what}${note}`);
}

/** What became of the changes of a handler whose response is not sent. */
export function noteOnChanges({ method, takesIdempotencyKey }: OperationRoute): string {
  if (method === 'GET') return '';
  const except = takesIdempotencyKey ? ', except those of a request with an Idempotency-Key' : '';
  return `; changes of the handler are stored${except}`;
}
