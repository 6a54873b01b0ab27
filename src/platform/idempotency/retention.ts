/** Milliseconds for which a response is kept: 24 hours. */
const KEPT = 24n * 3_600_000n;

/** Milliseconds since 1970. It must be the same time after a restart and on every replica, so no other clock will do. */
export function storedAt(): bigint {
  return BigInt(Date.now());
}

/** What was stored until then is not kept any longer. */
export function expiredUntil(): bigint {
  return storedAt() - KEPT;
}
