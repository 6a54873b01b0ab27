import type { HttpResponse } from '../http-response.js';
import type { CheckExchange } from '../exchange.js';
import { RawConnection, SETTLE_TIME } from './raw-socket.js';

export interface RawResponses {
  readonly responses: readonly HttpResponse[];
  /** Whether the service closed the connection. */
  readonly closed: boolean;
}

/** Sends bytes on a new connection and reads `count` responses. Throws when more bytes follow. */
export async function sendRaw(
  port: number,
  bytes: string | Buffer,
  { count = 1, check }: { count?: number; check?: CheckExchange } = {},
): Promise<RawResponses> {
  const connection = await RawConnection.open(port, check);
  try {
    connection.send(bytes);
    const responses = await Promise.all(Array.from({ length: count }, () => connection.response()));
    const isLast = responses.at(-1)?.header('connection') === 'close';
    const closed = await connection.isClosed(isLast ? undefined : SETTLE_TIME);
    if (connection.unread.length > 0) throw new Error(`${connection.unread.length} bytes came after the responses`);
    return { responses, closed };
  } finally {
    connection.close();
  }
}
