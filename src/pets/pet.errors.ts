import { DomainError } from '../platform/errors/domain-error.js';

export class PetNotFound extends DomainError {
  readonly code = 'PET_NOT_FOUND';
  readonly kind = 'not-found';

  constructor(petId: bigint | string) {
    super(`No pet has the id ${petId}.`);
  }
}
