import { AsyncLocalStorage } from 'node:async_hooks';
import type { KeyedRequest } from './keyed-request.js';

const scope = new AsyncLocalStorage<KeyedRequest>();
/** Of this process. */
let openRequests = 0;

/** The request with an Idempotency-Key that the caller serves. Costs nothing while there is none. */
export function keyedRequest(): KeyedRequest | undefined {
  const request = openRequests > 0 ? scope.getStore() : undefined;
  return request?.isOpen ? request : undefined;
}

/** Serves a request: whatever `serve` starts belongs to it. `leaveKeyed` must follow. */
export function enterKeyed<Result>(request: KeyedRequest, serve: () => Result): Result {
  openRequests += 1;
  return scope.run(request, serve);
}

export function leaveKeyed(): void {
  openRequests -= 1;
  // On Node 20, every promise of the process costs more as long as it is enabled.
  if (openRequests === 0) scope.disable();
}
