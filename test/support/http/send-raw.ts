import type { Answer } from './answer.js';
import type { CheckExchange } from './exchange.js';
import { RawConnection, SETTLING } from './raw-socket.js';

export interface RawAnswers {
  readonly answers: readonly Answer[];
  /** Whether the service closed the connection. */
  readonly closed: boolean;
}

/** Sends bytes on a connection of their own and takes as many answers as asked for. Throws when more bytes come. */
export async function sendRaw(
  port: number,
  bytes: string | Buffer,
  { count = 1, check }: { count?: number; check?: CheckExchange } = {},
): Promise<RawAnswers> {
  const connection = await RawConnection.open(port, check);
  try {
    connection.send(bytes);
    const answers = await Promise.all(Array.from({ length: count }, () => connection.answer()));
    const isLast = answers.at(-1)?.header('connection') === 'close';
    const closed = await connection.isClosed(isLast ? undefined : SETTLING);
    if (connection.unread.length > 0) throw new Error(`${connection.unread.length} bytes came after the answers`);
    return { answers, closed };
  } finally {
    connection.close();
  }
}
