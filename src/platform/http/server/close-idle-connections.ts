import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Lets a connection send what it has before it is closed for being idle. To Node an answer is done when it is handed over,
 * and `close` would cut off the rest of a large one, or of one that its reader takes slowly.
 */
export function sendBeforeClosing(server: Server, connections: ReadonlySet<Socket>): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    const sending = [...connections].filter(isSending);
    for (const socket of sending) Object.assign(socket, { destroy: endInstead });
    closeIdle();
    for (const socket of sending) Reflect.deleteProperty(socket, 'destroy');
  };
}

function endInstead(this: Socket): Socket {
  Reflect.deleteProperty(this, 'destroy');
  this.destroySoon();
  return this;
}

/** Whether bytes of an answer wait for the reader. */
export function isSending(socket: Socket): boolean {
  return socket.writableLength > 0;
}
