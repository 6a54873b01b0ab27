import { parseInt64 } from '../values/int64.js';

/** 2^64 divided by the golden ratio: neighbours become numbers far from each other (Knuth, volume 3, section 6.4). */
const MULTIPLIER = 0x9e3779b97f4a7c15n;

/** The opaque token of a page that begins at an id: the id and a checksum, which finds slips, not forgers. */
export function writeCursor(from: bigint): string {
  return `${from}-${BigInt.asUintN(32, (from * MULTIPLIER) >> 32n)}`;
}

/** Undefined for whatever `writeCursor` has not written. */
export function readCursor(token: string): bigint | undefined {
  const from = parseInt64(token.slice(0, Math.max(0, token.lastIndexOf('-'))));
  return from !== undefined && writeCursor(from) === token ? from : undefined;
}
