import { DomainError } from '../platform/errors/domain-error.js';
import type { OrderStatus } from './order-status.js';

export class OrderNotFound extends DomainError {
  readonly code = 'ORDER_NOT_FOUND';
  readonly kind = 'not-found';

  constructor(orderId: bigint | string) {
    super(`No order has the id ${orderId}.`);
  }
}

export class OrderConflict extends DomainError {
  readonly code = 'ORDER_CONFLICT';
  readonly kind = 'conflict';

  constructor({ id, status }: { readonly id: bigint; readonly status: OrderStatus }, change: string) {
    super(`Order ${id} is ${status} and cannot ${change}.`);
  }
}

export class PetSold extends DomainError {
  readonly code = 'PET_SOLD';
  readonly kind = 'conflict';

  constructor(petId: bigint) {
    super(`Pet ${petId} is sold already.`);
  }
}

export class UnknownPet extends DomainError {
  readonly code = 'UNKNOWN_PET';
  readonly kind = 'unprocessable';

  constructor(petId: bigint, options: ErrorOptions) {
    super(`petId must be the id of a pet; no pet has the id ${petId}.`, options);
  }
}
