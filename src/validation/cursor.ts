import { crc32 } from 'node:zlib';

/** 8 bytes of id and 4 of checksum: 16 characters without padding, so each token has exactly one spelling. */
const TOKEN = /^[\w-]{16}$/;

/** Written anew for every token: to make a buffer costs more than to fill it. */
const scratch = Buffer.alloc(12);
const idPart = scratch.subarray(0, 8);

/** The opaque token of a page that begins at an id. */
export function writeCursor(from: bigint): string {
  idPart.writeBigInt64BE(from);
  scratch.writeUInt32BE(crc32(idPart), 8);
  return scratch.toString('base64url');
}

/** Undefined for whatever `writeCursor` has not written. The checksum finds slips, not forgers: an id is no secret. */
export function readCursor(token: string): bigint | undefined {
  if (!TOKEN.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  return crc32(bytes.subarray(0, 8)) === bytes.readUInt32BE(8) ? bytes.readBigInt64BE() : undefined;
}
