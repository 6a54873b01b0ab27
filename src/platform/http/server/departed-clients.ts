import type { Socket } from 'node:net';
import { currentResponse } from '../internals/parsed-requests.js';

/** Milliseconds between two checks. */
const INTERVAL = 1000;

/**
 * Checks without a byte after which a client that has ended its side counts as gone. Counted, so that a process that was
 * blocked for seconds can still send what is ready.
 */
const SILENT_CHECKS = 5;

/**
 * Destroys the connection of a client that has ended its side, when nothing more is written to it. A client that has left
 * looks like one that waits for its response: only the second write after it left would fail. The request and the response
 * then emit `close`, so that a long poll ends and an event stream without news is unsubscribed. Only a client that ends its
 * side before it has its response costs a timer.
 */
export function destroyOnDeparture(socket: Socket): void {
  socket.once('end', () => {
    // Node has ended the connection.
    if (!currentResponse(socket)) return;
    let { bytesWritten } = socket;
    let silentChecks = 0;
    const timer = setInterval(() => {
      // While bytes wait for the client to read, `destroyStalledClients` decides.
      const isSilent = socket.bytesWritten === bytesWritten && socket.writableLength === 0;
      silentChecks = isSilent ? silentChecks + 1 : 0;
      ({ bytesWritten } = socket);
      if (silentChecks === SILENT_CHECKS) socket.destroy();
    }, INTERVAL);
    socket.once('close', () => clearInterval(timer));
  });
}
