/* eslint-disable no-underscore-dangle -- what a stream of Node's calls its own methods */
import { AsyncResource } from 'node:async_hooks';
import { Socket } from 'node:net';

/** Milliseconds after which answers are written before the turn ends: the first of many need not wait for the last. */
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
    this.runInAsyncScope(() => Socket.prototype._write.apply(this.socket, this.write));
  }
}

/**
 * Writes the answers to the requests of one turn of the event loop one after the other, when the turn has read them all.
 * A write wakes whoever waits for it at the other end, which is half of what it costs; while that one is awake, the
 * writes that follow cost the other half: docs/performance.md.
 */
export class AnswersOfATurn {
  #held: HeldWrite[] = [];
  /** When the first of them was added. */
  #since = 0;
  #isReading = false;

  /** To be called with each request: the turn ends when those are read that have arrived with it. */
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

  /** What is written outside of such a turn is written at once. */
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
