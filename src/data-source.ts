import { DataSource } from 'typeorm';
import { ApiKeyEntity } from './auth/api-key.entity.js';
import { CreateTables1795132800000 } from './migrations/1795132800000-create-tables.js';
import { AddIdempotencyKeys1795176000000 } from './migrations/1795176000000-add-idempotency-keys.js';
import { LimitApiKeys1795305600000 } from './migrations/1795305600000-limit-api-keys.js';
import { PetEntity } from './pets/pet.entity.js';
import type { DatabaseConfig } from './platform/database/database-config.js';
import { dataSourceOptions } from './platform/database/data-source-options.js';
import { IdempotencyKeyEntity } from './platform/idempotency/idempotency-key.entity.js';
import { SequenceEntity } from './platform/database/tables/sequence.entity.js';

/** Creates a DataSource with every entity and migration of the application; does not connect. */
export async function createDataSource(config: DatabaseConfig): Promise<DataSource> {
  return new DataSource({
    ...(await dataSourceOptions(config)),
    entities: [ApiKeyEntity, IdempotencyKeyEntity, PetEntity, SequenceEntity],
    migrations: [CreateTables1795132800000, AddIdempotencyKeys1795176000000, LimitApiKeys1795305600000],
  });
}
