import { parseInt64 } from '../values/int64.js';

/** 2^64 divided by the golden ratio: spreads neighbouring ids far apart (Knuth, volume 3, section 6.4). */
const MULTIPLIER = 0x9e3779b97f4a7c15n;

/** The opaque token of a page that begins at an id: the id and a checksum against mistakes, not against forgery. */
export function writeCursor(from: bigint): string {
  return `${from}-${BigInt.asUintN(32, (from * MULTIPLIER) >> 32n)}`;
}

/** Undefined for a token that `writeCursor` did not write. */
export function readCursor(token: string): bigint | undefined {
  const from = parseInt64(token.slice(0, Math.max(0, token.lastIndexOf('-'))));
  return from !== undefined && writeCursor(from) === token ? from : undefined;
}
