import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Ends connections on which the same bytes of an answer wait at two looks, `patience` milliseconds apart. Node waits for
 * ever for a client that reads nothing. A look costs a request nothing, which a timer of each connection would.
 */
export function endUnreadAnswers(server: Server, connections: ReadonlySet<Socket>, patience: number): void {
  const seen = new WeakMap<Socket, number>();
  const look = (): void => {
    for (const socket of connections) {
      if (socket.writableLength === 0) seen.delete(socket);
      else if (seen.get(socket) === socket.bytesWritten) socket.destroy();
      else seen.set(socket, socket.bytesWritten);
    }
  };
  server.once('listening', () => {
    const timer = setInterval(look, patience).unref();
    server.once('close', () => clearInterval(timer));
  });
}
