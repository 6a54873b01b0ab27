import { DomainError } from './domain-error.js';

/** The service has no room for more data in flight. */
export class Overloaded extends DomainError {
  readonly code = 'SERVICE_UNAVAILABLE';
  readonly kind = 'unavailable';

  constructor() {
    super('The service is overloaded; try again.');
  }
}
