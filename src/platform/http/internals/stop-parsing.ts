import type { Socket } from 'node:net';

/** Node's HTTP parser of a connection. Returning 2 makes it skip the rest of what it has read, as for an upgrade. */
interface Parser {
  onIncoming: () => number;
}

type HttpSocket = Socket & { parser?: Parser | null; _paused?: boolean };

const SKIP_THE_REST = 2;

/**
 * Ends the reading of requests on a connection at once. Destroying the socket would not suffice: Node would still make a
 * request and a response of everything that it has read, and keep them until the end of the turn.
 */
export function stopParsing(socket: Socket): void {
  const connection = socket as HttpSocket;
  // Node then resumes the socket neither for a body nor after a response, when it would reset this.
  Object.defineProperty(connection, '_paused', { get: () => true, set: ignore });
  socket.pause();
  if (connection.parser) connection.parser.onIncoming = () => SKIP_THE_REST;
}

function ignore(): void {
  // Node's own value has no effect.
}
