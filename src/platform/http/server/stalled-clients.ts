import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { unsentBytes } from '../internals/unsent-bytes.js';

/**
 * Destroys connections whose client reads nothing: `timeout` milliseconds after a check, the same bytes of a response are
 * still waiting. Node would wait forever. Unlike a timer per connection, the checks cost a request nothing.
 */
export function destroyStalledClients(server: Server, connections: ReadonlySet<Socket>, timeout: number): void {
  const bytesRead = new WeakMap<Socket, number>();
  const check = (): void => {
    for (const socket of connections) {
      const read = socket.bytesWritten - unsentBytes(socket);
      if (socket.writableLength === 0) bytesRead.delete(socket);
      else if (bytesRead.get(socket) === read) socket.destroy();
      else bytesRead.set(socket, read);
    }
  };
  server.once('listening', () => {
    const timer = setInterval(check, timeout).unref();
    server.once('close', () => clearInterval(timer));
  });
}
