import { TransientStorage } from '../process/transient-storage.js';
import type { KeyedRequest } from './keyed-request.js';

const scope = new TransientStorage<KeyedRequest>();

/** The request with an Idempotency-Key that the caller serves. Costs nothing while there is none. */
export function keyedRequest(): KeyedRequest | undefined {
  const request = scope.current;
  return request?.isOpen ? request : undefined;
}

/** The same, also before the check of its key and after its response. */
export function servedRequest(): KeyedRequest | undefined {
  return scope.current;
}

/** Serves a request: whatever `serve` starts belongs to it. `leaveKeyed` must follow. */
export function enterKeyed<Result>(request: KeyedRequest, serve: () => Result): Result {
  return scope.enter(request, serve);
}

export function leaveKeyed(): void {
  scope.leave();
}
