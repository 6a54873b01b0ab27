import type { IncomingMessage } from 'node:http';
import { LINGER_TIME } from '../internals/linger.js';
import { hasBody } from '../request/body-length.js';

/** Bytes of an unread body that are still read after its response. */
export const LINGER_BYTES = 16_777_216;

/** By connection: the request that was answered before its body had arrived. */
const answeredEarly = new WeakMap<object, IncomingMessage>();

export function markAnsweredEarly(request: IncomingMessage): void {
  answeredEarly.set(request.socket, request);
}

/** Whether the request that is still arriving already has its response: writing anything more would corrupt the stream. */
export function isAnsweredEarly(socket: object): boolean {
  return answeredEarly.get(socket)?.complete === false;
}

/** Whether the body is still arriving. */
export function isIncomplete(request: IncomingMessage): boolean {
  return !request.complete && hasBody(request);
}

/** Reads and discards the body until it ends or reaches a limit, then calls `done`. */
export function discardBody(request: IncomingMessage, done: () => void): void {
  let bytes = 0;
  const stop = () => {
    clearTimeout(timer);
    request.off('data', count).off('end', stop).off('close', stop);
    done();
  };
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LINGER_BYTES) stop();
  };
  const timer = setTimeout(stop, LINGER_TIME);
  request.on('data', count).once('end', stop).once('close', stop);
}
