import { DomainError } from '../errors/domain-error.js';

/** Another request with the same key has changed something, or may still do so. */
export class RequestInProgress extends DomainError {
  readonly code = 'REQUEST_IN_PROGRESS';
  readonly kind = 'conflict';

  constructor() {
    super('A request with this Idempotency-Key is still running; repeat it later.');
  }
}

/** The key belongs to a request that differs in method, path, query or body. */
export class IdempotencyKeyReused extends DomainError {
  readonly code = 'IDEMPOTENCY_KEY_REUSED';
  readonly kind = 'unprocessable';

  constructor() {
    super('This Idempotency-Key was used for another request; use a new key for each request.');
  }
}
