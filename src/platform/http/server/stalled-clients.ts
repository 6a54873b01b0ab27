import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Destroys connections whose client reads nothing: `timeout` milliseconds after a check, the same bytes of a response are
 * still waiting. Node would wait forever. Unlike a timer per connection, the checks cost a request nothing.
 */
export function destroyStalledClients(server: Server, connections: ReadonlySet<Socket>, timeout: number): void {
  const bytesWritten = new WeakMap<Socket, number>();
  const check = (): void => {
    for (const socket of connections) {
      if (socket.writableLength === 0) bytesWritten.delete(socket);
      else if (bytesWritten.get(socket) === socket.bytesWritten) socket.destroy();
      else bytesWritten.set(socket, socket.bytesWritten);
    }
  };
  server.once('listening', () => {
    const timer = setInterval(check, timeout).unref();
    server.once('close', () => clearInterval(timer));
  });
}
