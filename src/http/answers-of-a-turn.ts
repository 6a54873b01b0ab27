/* eslint-disable no-underscore-dangle -- what a stream of Node's calls its own methods */
import { AsyncResource } from 'node:async_hooks';
import { Socket } from 'node:net';

/** Answers that are written at once, so that among a thousand requests the first does not wait for the last. */
const MAX_HELD = 64;

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
  #isReading = false;

  /** To be called with each request: the turn ends when those are read that have arrived with it. */
  begin(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    setImmediate(() => {
      this.#isReading = false;
      this.#release();
    });
  }

  hold(socket: Socket): void {
    socket._write = (...write) => this.#add(new HeldWrite(socket, write));
    // Whoever destroys a connection has said what he had to say.
    socket._destroy = (...destruction) => {
      this.#release();
      Socket.prototype._destroy.apply(socket, destruction);
    };
  }

  #add(write: HeldWrite): void {
    const count = this.#held.push(write);
    if (count === MAX_HELD) this.#release();
    // An answer that had to be waited for comes with others of its kind, as those to creations of one commit do.
    else if (count === 1 && !this.#isReading) process.nextTick(() => this.#release());
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    for (const write of held) write.release();
  }
}
