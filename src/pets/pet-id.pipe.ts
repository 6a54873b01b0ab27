import { Injectable, type PipeTransform } from '@nestjs/common';
import { parseInt64 } from '../validation/int64.js';
import { PetNotFound } from './pet.errors.js';

/** What is no int64 in canonical decimal is the id of no pet. */
@Injectable()
export class PetIdPipe implements PipeTransform<string, bigint> {
  transform(petId: string): bigint {
    return parseInt64(petId) ?? refuse(petId);
  }
}

function refuse(petId: string): never {
  throw new PetNotFound(petId);
}
