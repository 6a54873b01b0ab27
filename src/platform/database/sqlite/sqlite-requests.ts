import type Database from 'better-sqlite3';
import type { HeaderChanges } from '../../idempotency/header-changes.js';
import type { StoredRequest } from '../../idempotency/stored-response.js';
import { expiredUntil, storedAt } from '../../idempotency/retention.js';

/** The requests with an Idempotency-Key that changed something, on one connection. Each call is synchronous. */
export class SqliteRequests {
  readonly #find: Database.Statement;
  readonly #store: Database.Statement;
  readonly #prune: Database.Statement;

  constructor(connection: Database.Database) {
    this.#find = connection.prepare(FIND);
    this.#store = connection.prepare(STORE);
    this.#prune = connection.prepare(PRUNE);
  }

  find(hash: string): StoredRequest | undefined {
    const row = this.#find.get(hash, expiredUntil()) as Stored | undefined;
    if (!row) return undefined;
    const { fingerprint, status, headers, body } = row;
    return { hash, fingerprint, response: { status, headers: JSON.parse(headers) as HeaderChanges, body } };
  }

  /** The hashes of those that were stored: not of those whose key another request has. */
  store(requests: readonly StoredRequest[]): ReadonlySet<string> {
    const [now, expired] = [storedAt(), expiredUntil()];
    const stored = requests.filter(({ hash, fingerprint, response: { status, headers, body } }) => {
      const cells = [hash, fingerprint, status, JSON.stringify(headers), body, now, expired];
      return this.#store.run(cells).changes > 0;
    });
    return new Set(stored.map(({ hash }) => hash));
  }

  prune(limit: number): number {
    return this.#prune.run(expiredUntil(), limit).changes;
  }
}

interface Stored {
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: string;
  readonly body: string | null;
}

const FIND = `SELECT "fingerprint", "status", "headers", "body" FROM "idempotency_keys" WHERE "hash" = ? AND "storedAt" > ?`;

const STORE = `INSERT INTO "idempotency_keys" ("hash", "fingerprint", "status", "headers", "body", "storedAt")
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT ("hash") DO UPDATE SET "fingerprint" = excluded."fingerprint",
    "status" = excluded."status", "headers" = excluded."headers", "body" = excluded."body", "storedAt" = excluded."storedAt"
  WHERE "idempotency_keys"."storedAt" <= ?`;

const PRUNE = `DELETE FROM "idempotency_keys" WHERE "hash" IN (
    SELECT "hash" FROM "idempotency_keys" WHERE "storedAt" <= ? ORDER BY "storedAt" LIMIT ? + 0
  )`;
