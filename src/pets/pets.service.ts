import { Injectable } from '@nestjs/common';
import { InjectTable } from '../platform/database/tables/inject-table.decorator.js';
import type { KeysetTable } from '../platform/database/tables/keyset-table.js';
import { PetEntity } from './pet.entity.js';
import { PetNotFound } from './pet.errors.js';
import type { ListPetsQuery, NewPet, Pet } from './pets.dto.js';

interface PetsPage {
  readonly pets: Pet[];
  /** The id at which the next page starts; absent on the last page. */
  readonly next?: bigint;
}

@Injectable()
export class PetsService {
  constructor(@InjectTable(PetEntity) private readonly pets: KeysetTable<PetEntity>) {}

  /** In ascending order of id. */
  async list({ limit, status, cursor }: ListPetsQuery): Promise<PetsPage> {
    // One pet more than requested shows whether there is a next page, and where it starts.
    const pets = await this.pets.page({ from: cursor, where: { status }, limit: limit + 1 });
    const next = pets.length > limit ? pets.pop()?.id : undefined;
    return { pets, next };
  }

  /** Resolves when the pet is stored durably. */
  async create({ name, categoryId, status }: NewPet): Promise<Pet> {
    const id = await this.pets.insert({ name, categoryId, status });
    return { id, name, categoryId, status };
  }

  /** Throws PetNotFound. */
  async get(petId: bigint): Promise<Pet> {
    const pet = await this.pets.find(petId);
    if (!pet) throw new PetNotFound(petId);
    return pet;
  }
}
