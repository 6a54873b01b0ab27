import { DataSource, type DataSourceOptions } from 'typeorm';
import { ApiKeyEntity } from './src/auth/api-key.entity.js';
import { DATABASE_DEFAULTS, type DatabaseConfig } from './src/config.js';
import { CreateTables1795132800000 } from './src/database/migrations/1795132800000-create-tables.js';
import { isPostgres } from './src/database/postgres.js';
import { SequenceEntity } from './src/database/sequence.entity.js';
import { sqliteOptions } from './src/database/sqlite.js';
import { PetEntity } from './src/pets/pet.entity.js';

/** The only DataSource: application, command line, migrations and tests all start here. */
export async function createDataSource(config: DatabaseConfig): Promise<DataSource> {
  return new DataSource({
    ...(await optionsOf(config)),
    entities: [ApiKeyEntity, PetEntity, SequenceEntity],
    migrations: [CreateTables1795132800000],
    // One by one, so that one of them may do without: an index is made CONCURRENTLY in no transaction.
    migrationsTransactionMode: 'each',
    // Unless DEBUG asks for it: what TypeORM says of a migration would go to standard output.
    logger: 'debug',
    synchronize: false,
  });
}

/** What is for PostgreSQL is loaded for PostgreSQL only: it takes time and memory of a start. */
async function optionsOf(config: DatabaseConfig): Promise<DataSourceOptions> {
  if (!isPostgres(config.databaseUrl)) return sqliteOptions(config.databaseUrl);
  const { postgresOptions } = await import('./src/database/postgres-pools.js');
  return postgresOptions(config);
}

/** For TypeORM's command line, which alone waits for it. */
const forCommandLine = createDataSource({
  ...DATABASE_DEFAULTS,
  databaseUrl: process.env.DATABASE_URL || DATABASE_DEFAULTS.databaseUrl,
});
forCommandLine.catch(() => {});
export default forCommandLine;
