import type { DataSource } from 'typeorm';
import { IdempotencyKeyEntity } from '../../idempotency/idempotency-key.entity.js';
import type { StoredRequests } from '../../idempotency/stored-response.js';
import { StartError } from '../../process/start-error.js';
import { PostgresStoredRequests } from '../postgres/tables/postgres-stored-requests.js';
import { SqliteStoredRequests } from '../sqlite/sqlite-stored-requests.js';

/** The stored requests in the database of the DataSource. Throws a StartError when it has no table for them. */
export function openStoredRequests(dataSource: DataSource): StoredRequests {
  if (!dataSource.hasMetadata(IdempotencyKeyEntity)) {
    throw new StartError(
      'openapi.yaml declares an Idempotency-Key, but IdempotencyKeyEntity is not an entity of the DataSource; add it to "entities" in src/data-source.ts.',
    );
  }
  const isPostgres = dataSource.options.type === 'postgres';
  return new (isPostgres ? PostgresStoredRequests : SqliteStoredRequests)(dataSource);
}
