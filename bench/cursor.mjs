import { crc32 } from 'node:zlib';

/** The service's own `cursor` of the page that begins at this id: 64-bit id, then its checksum, in base64url. */
export function cursorOf(firstId) {
  const bytes = Buffer.alloc(12);
  bytes.writeBigInt64BE(BigInt(firstId));
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8);
  return bytes.toString('base64url');
}
