import { Injectable, type PipeTransform } from '@nestjs/common';
import { parseInt64 } from '../platform/values/int64.js';
import { PetNotFound } from './pet.errors.js';

/** Anything but a canonical int64 cannot identify a pet: the response is 404, as for an unknown id. */
@Injectable()
export class PetIdPipe implements PipeTransform<string, bigint> {
  transform(petId: string): bigint {
    const id = parseInt64(petId);
    if (id === undefined) throw new PetNotFound(petId);
    return id;
  }
}
