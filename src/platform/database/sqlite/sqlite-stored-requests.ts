import type Database from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import type { StoredRequest, StoredRequests } from '../../idempotency/stored-response.js';
import { SqliteFileGuard } from './files/sqlite-file-guard.js';
import { sqliteConnection } from './sqlite.js';
import { sqliteFault } from './sqlite-fault.js';
import { SqliteReads } from './sqlite-reads.js';
import { SqliteRequests } from './sqlite-requests.js';
import { whenUnlocked } from './when-unlocked.js';
import { WriteTurns } from './write-turns.js';

export class SqliteStoredRequests implements StoredRequests {
  readonly #connection: Database.Database;
  readonly #guard: SqliteFileGuard;
  readonly #reads: SqliteReads;
  readonly #turns: WriteTurns;
  readonly #requests: SqliteRequests;

  constructor(dataSource: DataSource) {
    this.#connection = sqliteConnection(dataSource);
    this.#guard = SqliteFileGuard.of(this.#connection);
    this.#reads = new SqliteReads(this.#connection, this.#guard);
    this.#turns = WriteTurns.of(this.#connection);
    this.#requests = new SqliteRequests(this.#connection);
  }

  find(hash: string): Promise<StoredRequest | undefined> {
    return this.#reads.add(() => this.#requests.find(hash));
  }

  async prune(limit: number): Promise<number> {
    return this.#turns.run(() => whenUnlocked(() => this.#prune(limit)));
  }

  #prune(limit: number): number {
    try {
      this.#guard.checkBeforeCommit();
      const count = this.#requests.prune(limit);
      this.#guard.checkCommit();
      return count;
    } catch (error) {
      throw sqliteFault(error, this.#connection.open);
    }
  }
}
