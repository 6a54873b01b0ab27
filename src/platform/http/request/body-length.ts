import type { IncomingMessage } from 'node:http';

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Bytes; infinite for a chunked body. */
export function declaredLength({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] ? Infinity : Number(headers['content-length']);
}
