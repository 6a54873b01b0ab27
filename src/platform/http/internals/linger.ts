import type { Duplex } from 'node:stream';

/** Milliseconds for which a connection stays open after its last response. */
export const LINGER_TIME = 1000;

/**
 * Ends our side of a connection, after `last`. Closing it at once would reset it while bytes of the client are unread, and
 * a client that has yet to read responses would lose them (RFC 9112, section 9.6).
 */
export function endAndLinger(socket: Duplex, last?: string): void {
  socket.end(last);
  socket.once('finish', () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_TIME);
    socket.once('close', () => clearTimeout(timer));
  });
}
