import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What Node's HTTP parser of a connection calls with each request; `isPersistent`: its response does not close the connection. */
type OnIncoming = (request: IncomingMessage, isPersistent: boolean) => number;

interface Parser {
  onIncoming: OnIncoming;
}

type HttpSocket = Socket & { parser?: Parser | null; _httpMessage?: ServerResponse | null; _paused?: boolean };

/** Results of `onIncoming`. The second one makes the parser skip the rest of what it has read, as for an upgrade. */
const READ_ON = 0;
const SKIP_THE_REST = 2;

/**
 * Passes each request to `take` before Node makes a response for it. When `take` returns true, Node does nothing for this
 * request, which must have no body.
 */
export function takeRequests(socket: Socket, take: (request: IncomingMessage, isPersistent: boolean) => boolean): void {
  const { parser } = socket as HttpSocket;
  if (!parser) return;
  const { onIncoming } = parser;
  parser.onIncoming = (request, isPersistent) =>
    take(request, isPersistent) ? READ_ON : onIncoming(request, isPersistent);
}

/**
 * Ends the reading of requests on a connection at once. Destroying the socket would not suffice: Node would still make a
 * request and a response of everything that it has read, and keep them until the end of the turn.
 */
export function stopParsing(socket: Socket): void {
  const connection = socket as HttpSocket;
  // Keeps Node from resuming the socket for a body, or after a response, when it would reset this property.
  Object.defineProperty(connection, '_paused', { get: () => true, set: ignore });
  socket.pause();
  if (connection.parser) connection.parser.onIncoming = () => SKIP_THE_REST;
}

/**
 * Ends the reading of requests on a connection whose next response is its last one: what still arrives is discarded, so that
 * nothing is carried out for it, and the client can read that response.
 */
export function discardInput(socket: Duplex): void {
  socket.removeAllListeners('data');
  // Node's parser reads from the connection itself until something listens.
  socket.on('data', discard);
}

/** The response that Node sends next, if any: it has not been passed to the socket as a whole. */
export function currentResponse(socket: Duplex): ServerResponse | undefined {
  // Node's internal reference, which its own handler of errors reads as well.
  // oxlint-disable-next-line no-underscore-dangle
  return (socket as HttpSocket)._httpMessage ?? undefined;
}

function discard(): void {
  // Nothing uses these bytes.
}

function ignore(): void {
  // The value that Node sets has no effect.
}
