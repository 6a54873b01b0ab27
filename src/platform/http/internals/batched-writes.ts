/* eslint-disable no-underscore-dangle -- what a stream of Node's calls its own methods */
import { AsyncResource } from 'node:async_hooks';
import { Socket } from 'node:net';

/** Milliseconds that an answer is held at most; they are looked at with each request and each end of a body. */
const PATIENCE = 1;

type Write = Parameters<Socket['_write']>;

/** Remembers in which request it was made: whoever listens for the end of an answer may ask (AsyncLocalStorage). */
class HeldWrite extends AsyncResource {
  constructor(
    private readonly socket: Socket,
    private readonly write: Write,
  ) {
    super('HeldWrite');
  }

  release(): void {
    this.runInAsyncScope(() => {
      const [chunk, encoding, done] = this.write;
      // Whoever listens is called afterwards, as by Node: what he throws, or destroys, is not to reach other answers.
      Socket.prototype._write.call(this.socket, chunk, encoding, (error) => process.nextTick(done, error));
    });
  }
}

/**
 * Writes the answers to the requests of one turn of the event loop one after the other, when the turn has read them all.
 * A write wakes whoever waits for it at the other end, which costs time; while that one is awake, the writes that follow
 * do not: docs/performance.md and ADR 9.
 */
export class AnswersOfATurn {
  #held: HeldWrite[] = [];
  /** When the first of them was added. */
  #since = 0;
  #isReading = false;

  /**
   * To be called with each request, and with each end of a body, before anything is done for it: the turn ends when all
   * is read that has arrived with it, and before what was put off until then, such as a commit.
   */
  begin(): void {
    if (this.#isReading) {
      if (this.#held.length > 0 && performance.now() - this.#since >= PATIENCE) this.#release();
      return;
    }
    this.#isReading = true;
    setImmediate(() => {
      this.#isReading = false;
      this.#release();
    });
  }

  /** Has what is written to a connection held during such a turn; at other times it is written at once. */
  hold(socket: Socket): void {
    socket._write = (...write) => {
      if (this.#isReading) this.#add(new HeldWrite(socket, write));
      else Socket.prototype._write.apply(socket, write);
    };
    // Whoever destroys a connection has said what he had to say.
    socket._destroy = (...destruction) => {
      this.#release();
      Socket.prototype._destroy.apply(socket, destruction);
    };
  }

  #add(write: HeldWrite): void {
    if (this.#held.length === 0) this.#since = performance.now();
    this.#held.push(write);
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    for (const write of held) write.release();
  }
}
