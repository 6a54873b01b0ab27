import { DomainError } from '../../../src/platform/errors/domain-error.js';

export class NotFound extends DomainError {
  readonly code = 'NOT_FOUND';
  readonly kind = 'not-found';

  constructor(id: bigint) {
    super(`Nothing has the id ${id}.`);
  }
}

/** The order was shipped, or is not as the client believes. */
export class OrderConflict extends DomainError {
  readonly code = 'ORDER_CONFLICT';
  readonly kind = 'conflict';

  constructor(id: bigint) {
    super(`Order ${id} is in another state.`);
  }
}
