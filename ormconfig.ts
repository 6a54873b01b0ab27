import { DataSource } from 'typeorm';
import { ApiKeyEntity } from './src/auth/api-key.entity.js';
import { DATABASE_DEFAULTS, type DatabaseConfig } from './src/config.js';
import { CreateTables1795132800000 } from './src/database/migrations/1795132800000-create-tables.js';
import { isPostgres, postgresOptions } from './src/database/postgres.js';
import { SequenceEntity } from './src/database/sequence.entity.js';
import { sqliteOptions } from './src/database/sqlite.js';
import { PetEntity } from './src/pets/pet.entity.js';

/** The only DataSource: application, command line, migrations and tests all start here. */
export function createDataSource(config: DatabaseConfig): DataSource {
  const options = isPostgres(config.databaseUrl) ? postgresOptions(config) : sqliteOptions(config.databaseUrl);
  return new DataSource({
    ...options,
    entities: [ApiKeyEntity, PetEntity, SequenceEntity],
    migrations: [CreateTables1795132800000],
    // One by one, so that one of them may do without: an index is made CONCURRENTLY in no transaction.
    migrationsTransactionMode: 'each',
    // Unless DEBUG asks for it: what TypeORM says of a migration would go to standard output.
    logger: 'debug',
    synchronize: false,
  });
}

/** For TypeORM's command line. */
export default createDataSource({
  ...DATABASE_DEFAULTS,
  databaseUrl: process.env.DATABASE_URL || DATABASE_DEFAULTS.databaseUrl,
});
