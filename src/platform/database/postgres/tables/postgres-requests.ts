import type { HeaderChanges } from '../../../idempotency/header-changes.js';
import type { StoredRequest } from '../../../idempotency/stored-response.js';
import { KEPT } from '../../../idempotency/retention.js';
import type { StatementRunner } from '../postgres-statements.js';

/** The requests with an Idempotency-Key that changed something. */
export async function findRequest(server: StatementRunner, hash: string): Promise<StoredRequest | undefined> {
  const [row] = await server.run(FIND, [hash]);
  if (!row) return undefined;
  const [fingerprint, status, headers, body] = row as [string, string, string, string | null];
  return {
    hash,
    fingerprint,
    response: { status: Number(status), headers: JSON.parse(headers) as HeaderChanges, body },
  };
}

/** Resolves with the hashes of those that were stored: not of those whose key another request has, or is about to have. */
export async function storeRequests(
  server: StatementRunner,
  requests: readonly StoredRequest[],
): Promise<ReadonlySet<string>> {
  const responses = requests.map(({ response }) => response);
  const rows = await server.run(STORE, [
    requests.map(({ hash }) => hash),
    requests.map(({ fingerprint }) => fingerprint),
    responses.map(({ status }) => status),
    responses.map(({ headers }) => JSON.stringify(headers)),
    responses.map(({ body }) => body),
  ]);
  return new Set(rows.map(([hash]) => hash as string));
}

/** Resolves with the number of those that were removed. */
export async function pruneRequests(server: StatementRunner, limit: number): Promise<number> {
  return (await server.run(PRUNE, [limit])).length;
}

/** Milliseconds since 1970 by the clock of the server: one replica with a wrong clock would remove the responses of all. */
const NOW = '(extract(epoch FROM statement_timestamp()) * 1000)::bigint';
const EXPIRED = `${NOW} - ${KEPT}`;

const FIND = {
  name: 'idempotency_keys_find',
  text: `SELECT "fingerprint", "status", "headers", "body" FROM "idempotency_keys"
    WHERE "hash" = $1 AND "storedAt" > ${EXPIRED}`,
};

/**
 * The lock lasts until the commit. If two replicas store the same key at once, the second one stores nothing, instead
 * of waiting for the first one, which may have stopped.
 */
const STORE = {
  name: 'idempotency_keys_store',
  text: `INSERT INTO "idempotency_keys" AS "old" ("hash", "fingerprint", "status", "headers", "body", "storedAt")
    SELECT "hash", "fingerprint", "status", "headers", "body", ${NOW}
    FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[])
      AS "new" ("hash", "fingerprint", "status", "headers", "body")
    WHERE pg_try_advisory_xact_lock(hashtextextended("hash", 0))
    ON CONFLICT ("hash") DO UPDATE SET "fingerprint" = excluded."fingerprint", "status" = excluded."status",
      "headers" = excluded."headers", "body" = excluded."body", "storedAt" = excluded."storedAt"
    WHERE "old"."storedAt" <= ${EXPIRED}
    RETURNING "hash"`,
};

/** Replicas that prune at once take different rows. */
const PRUNE = {
  name: 'idempotency_keys_prune',
  text: `DELETE FROM "idempotency_keys" WHERE "hash" IN (
      SELECT "hash" FROM "idempotency_keys" WHERE "storedAt" <= ${EXPIRED} ORDER BY "storedAt" LIMIT $1 FOR UPDATE SKIP LOCKED
    ) RETURNING "hash"`,
};
