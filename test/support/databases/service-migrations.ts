import type { MigrationInterface } from 'typeorm';
import { createDataSource } from '../../../src/data-source.js';
import type { DatabaseConfig } from '../../../src/platform/database/database-config.js';

/** Those of the service, which create the sequences; the databases of the tests on PostgreSQL have them all. */
export async function serviceMigrations(config: DatabaseConfig): Promise<(new () => MigrationInterface)[]> {
  // As src/data-source.ts lists them.
  return (await createDataSource(config)).options.migrations as (new () => MigrationInterface)[];
}
