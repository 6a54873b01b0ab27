/** An integer of JSON, which the tests read as a bigint beyond 2^53. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}
