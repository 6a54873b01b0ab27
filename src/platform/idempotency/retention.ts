/** Milliseconds for which a response is kept: 24 hours. */
const KEPT = 24n * 3_600_000n;

/** Milliseconds since 1970. The system clock: the time must be the same after a restart and on every replica. */
export function storedAt(): bigint {
  return BigInt(Date.now());
}

/** Responses stored at or before this time have expired. */
export function expiredUntil(): bigint {
  return storedAt() - KEPT;
}
