/* eslint-disable no-underscore-dangle -- what a stream of Node's calls its own methods */
import { Socket } from 'node:net';

/**
 * Has an answer written in one piece. Node ends each with an empty second piece, to hear when all is written; two pieces
 * are first copied to the heap (`writev`), where one goes to the kernel by way of the stack: docs/performance.md.
 */
export function writeInOnePiece(socket: Socket): void {
  socket._writev = writev;
}

const writev: NonNullable<Socket['_writev']> = function (this: Socket, pieces, done) {
  const [only, last] = pieces;
  if (pieces.length === 2 && last!.chunk === '') this._write(only!.chunk, only!.encoding, done);
  else Socket.prototype._writev!.call(this, pieces, done);
};
