/** Milliseconds for which a response is kept: 24 hours. */
export const KEPT = 24n * 3_600_000n;

/**
 * Milliseconds since 1970. The system clock: the time must be the same after a restart. On PostgreSQL, the clock of the server
 * counts instead, because those of replicas differ.
 */
export function storedAt(): bigint {
  return BigInt(Date.now());
}

/** Responses stored at or before this time have expired. */
export function expiredUntil(): bigint {
  return storedAt() - KEPT;
}
