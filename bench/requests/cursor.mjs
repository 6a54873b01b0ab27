/** The `cursor` of the page that begins at this id, as `src/platform/paging/cursor.ts` encodes it. */
export function cursorOf(firstId) {
  const from = BigInt(firstId);
  return `${from}-${BigInt.asUintN(32, (from * 0x9e3779b97f4a7c15n) >> 32n)}`;
}
