import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Makes `closeIdleConnections` flush a connection before it closes it. Node considers a response done, and its connection
 * idle, as soon as the socket has taken the bytes: it would cut off a response that is large, or that is read slowly.
 */
export function flushBeforeClosing(server: Server, connections: ReadonlySet<Socket>): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    const sending = [...connections].filter(isSending);
    // Only Node knows which connections are idle, and it closes them by `destroy`.
    for (const socket of sending) Object.assign(socket, { destroy: flushAndDestroy });
    closeIdle();
    for (const socket of sending) Reflect.deleteProperty(socket, 'destroy');
  };
}

function flushAndDestroy(this: Socket): Socket {
  Reflect.deleteProperty(this, 'destroy');
  this.destroySoon();
  return this;
}

/** Whether bytes of a response are still waiting for the client. */
export function isSending(socket: Socket): boolean {
  return socket.writableLength > 0;
}
