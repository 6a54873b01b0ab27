import { getMetadataArgsStorage } from 'typeorm';
import { DATABASE_DEFAULTS } from '../../src/config.js';
import { createDataSource } from '../../src/data-source.js';
import { PetEntity } from '../../src/pets/pet.entity.js';
import { isAppendOnly } from '../../src/platform/database/tables/columns/append-only.decorator.js';

const { options } = await createDataSource(DATABASE_DEFAULTS);
const tables = getMetadataArgsStorage().filterTables(options.entities as (() => unknown)[]);
const othersOfPets = tables.filter(({ name, target }) => name === 'pets' && target !== PetEntity);

/** Whether no other group changes pets. Once one does, standbys serve no pets, and copies compare them again. */
export const ARE_PETS_APPEND_ONLY = othersOfPets.every(isAppendOnly);
