import type { DataSource } from 'typeorm';
import type { StoredRequest, StoredRequests } from '../../../idempotency/stored-response.js';
import { PostgresStatements } from '../postgres-statements.js';
import { keepsPreparedStatements, postgresPool } from '../postgres.js';
import { findRequest, pruneRequests } from './postgres-requests.js';

/** On the primary: a standby may not have the newest. */
export class PostgresStoredRequests implements StoredRequests {
  readonly #server: PostgresStatements;

  constructor(dataSource: DataSource) {
    this.#server = new PostgresStatements(postgresPool(dataSource), keepsPreparedStatements(dataSource));
  }

  find(hash: string): Promise<StoredRequest | undefined> {
    return findRequest(this.#server, hash);
  }

  prune(limit: number): Promise<number> {
    return pruneRequests(this.#server, limit);
  }
}
