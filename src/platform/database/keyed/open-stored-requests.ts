import type { DataSource } from 'typeorm';
import { IdempotencyKeyEntity } from '../../idempotency/idempotency-key.entity.js';
import type { StoredRequests } from '../../idempotency/stored-response.js';
import { StartError } from '../../process/start-error.js';
import type { ServedDatabase } from '../served/served-database.js';
import { PostgresStoredRequests } from '../postgres/tables/postgres-stored-requests.js';
import { SqliteStoredRequests } from '../sqlite/sqlite-stored-requests.js';

/**
 * The stored requests in the database, once it is open. Throws a StartError when the database has no table for them:
 * now, or when it is opened later.
 */
export function openStoredRequests(served: ServedDatabase): StoredRequests {
  let requests: StoredRequests | undefined;
  served.whenOpen(() => void (requests = openNow(served.dataSource)));
  const current = (): StoredRequests => {
    if (!requests || !served.isOpen) throw served.unavailable();
    return requests;
  };
  return { find: async (hash) => current().find(hash), prune: async (limit) => current().prune(limit) };
}

function openNow(dataSource: DataSource): StoredRequests {
  if (!dataSource.hasMetadata(IdempotencyKeyEntity)) {
    throw new StartError(
      'openapi.yaml declares an Idempotency-Key, but IdempotencyKeyEntity is not an entity of the DataSource; add it to "entities" in src/data-source.ts.',
    );
  }
  const isPostgres = dataSource.options.type === 'postgres';
  return new (isPostgres ? PostgresStoredRequests : SqliteStoredRequests)(dataSource);
}
