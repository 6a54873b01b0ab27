import { readCursor } from '../platform/paging/cursor.js';
import { CursorParameter, EnumField, Int64Field, IntegerParameter, TextField } from '../platform/validation/fields.js';
import { PetStatus } from './pet-status.js';

export class NewPet {
  @TextField()
  name: string;

  @Int64Field()
  categoryId: bigint;

  @EnumField(PetStatus, 'PetStatus', { required: false })
  status?: PetStatus;
}

export class Pet extends NewPet {
  @Int64Field()
  id: bigint;
}

export class ListPetsQuery {
  @IntegerParameter({ minimum: 1, maximum: 100, default: 20 })
  limit = 20;

  @EnumField(PetStatus, 'PetStatus', { required: false })
  status?: PetStatus;

  /** The id at which the page starts. */
  @CursorParameter(readCursor)
  cursor?: bigint;
}
