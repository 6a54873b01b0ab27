/* eslint-disable no-underscore-dangle -- the names that Node documents for implementers of streams */
import { AsyncResource } from 'node:async_hooks';
import { Socket } from 'node:net';
import { atEndOfTurn, isBehind, willCommit } from '../../process/end-of-turn.js';

/** Maximum milliseconds for which a response is held; checked with each request, each end of a body and each response. */
const MAX_DELAY = 1;

type Write = Parameters<Socket['_write']>;
type Writev = Parameters<NonNullable<Socket['_writev']>>;

/** A connection, which counts the bytes of responses that its client has yet to read. */
export interface Outgoing {
  readonly socket: Socket;
  addUnsent(bytes: number): void;
  releaseUnsent(bytes: number): void;
}

/** Keeps the asynchronous context of its request, for listeners that read an AsyncLocalStorage. */
class HeldWrite extends AsyncResource {
  constructor(
    private readonly connection: Outgoing,
    private readonly args: Write,
  ) {
    super('HeldWrite');
  }

  send(): void {
    const [chunk, encoding, done] = this.args;
    // Node calls listeners in a later tick too: one that throws or destroys connections must not affect other responses.
    const later = (error?: Error | null) => process.nextTick(done, error);
    this.runInAsyncScope(writeTo, undefined, this.connection, chunk, encoding, later);
  }
}

/** Counts what the kernel does not take at once, because the client has yet to read. */
function writeTo(connection: Outgoing, chunk: Write[0], encoding: Write[1], done: Write[2]): void {
  let isDone = false;
  let unsent = 0;
  Socket.prototype._write.call(connection.socket, chunk, encoding, (error) => {
    isDone = true;
    if (unsent > 0) connection.releaseUnsent(unsent);
    done(error);
  });
  if (isDone) return;
  unsent = Buffer.byteLength(chunk as Buffer | string, encoding);
  connection.addUnsent(unsent);
}

/**
 * Holds the responses to all requests that arrive in one turn of the event loop, and writes them one after the other at
 * its end: those that are ready before its commit, then those to what was committed. A write wakes the process at the
 * other end, which is expensive; while that process is awake, further writes are cheap (ADR 9). Depends on each response
 * being a single piece.
 */
export class BatchedWrites {
  #held: HeldWrite[] = [];
  /** When the first of them was held. */
  #heldSince = 0;
  #isHolding = false;

  /** Must be called with each request and each end of a body, before anything is done for it. */
  holdUntilEndOfTurn(): void {
    if (this.#isHolding) {
      if (this.#held.length > 0 && performance.now() - this.#heldSince >= MAX_DELAY) this.#send();
      return;
    }
    this.#isHolding = true;
    atEndOfTurn('respond', () => {
      this.#isHolding = false;
      this.#send();
      // Results of deferred reads, and of a commit that follows, arrive without a request that would call this.
      if (isBehind() || willCommit()) this.holdUntilEndOfTurn();
    });
  }

  attach(connection: Outgoing): void {
    const { socket } = connection;
    socket._write = (...args) => {
      if (this.#isHolding) this.#hold(new HeldWrite(connection, args));
      else writeTo(connection, ...args);
    };
    socket._writev = writeAsOnePiece;
    socket._destroy = (...args) => {
      // A response that precedes the destruction must still be sent.
      this.#send();
      Socket.prototype._destroy.apply(socket, args);
    };
  }

  #hold(write: HeldWrite): void {
    const now = performance.now();
    if (this.#held.length === 0) this.#heldSince = now;
    this.#held.push(write);
    // Further commits, of single rows, may follow before the turn ends.
    if (now - this.#heldSince >= MAX_DELAY) this.#send();
  }

  #send(): void {
    const held = this.#held;
    this.#held = [];
    for (const write of held) write.send();
  }
}

/**
 * Most releases of Node end each response with an empty second piece, and `_writev` copies both to the heap before it hands
 * them to the kernel. Without the empty one, `_write` suffices: it skips the copy, and can be held.
 */
function writeAsOnePiece(this: Socket, pieces: Writev[0], done: Writev[1]): void {
  const first = pieces[0];
  // Without destructuring, whose iterators cost 0.3 µs.
  if (first !== undefined && pieces.length === 2 && pieces[1]?.chunk === '')
    this._write(first.chunk, first.encoding, done);
  else (Socket.prototype._writev as typeof writeAsOnePiece).call(this, pieces, done);
}
