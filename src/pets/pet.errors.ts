import { DomainError } from '../errors/domain-error.js';

export class PetNotFound extends DomainError {
  readonly code = 'PET_NOT_FOUND';

  constructor(petId: bigint | string) {
    super(`No pet has the id ${petId}.`);
  }
}
