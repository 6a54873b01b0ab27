import { DomainError } from '../../errors/domain-error.js';

/** The database cannot be reached or cannot work now; a later attempt may succeed. */
export class DatabaseUnavailable extends DomainError {
  readonly code = 'SERVICE_UNAVAILABLE';
  readonly kind = 'unavailable';

  constructor(cause?: unknown) {
    super('The database is unavailable; try again.', { cause });
  }
}
