/* eslint-disable no-underscore-dangle -- Node's names */
import { IncomingMessage } from 'node:http';
import { hasBody } from '../request/body-length.js';
import type { BodyReceiver } from '../request/edge-request.js';

/** Internal members of Node's requests; INTERNALS.md lists them. */
interface Internals {
  _dumped: boolean;
  readonly _eventsCount: number;
  readonly _readableState: Record<'ended' | 'endEmitted' | 'destroyed' | 'closed' | 'closeEmitted', boolean>;
}

/**
 * A class of requests that end without stream events when nothing listens for them. Node discards even a body that is
 * absent: it resumes the stream, and emits `end` and `close`, in five ticks (ADR 23). The methods of `prototype`
 * apply between this class and Node's. `onBodyEnd` is called with the end of each body, before anything is done for it.
 */
export function quietRequests(prototype: object, onBodyEnd: () => void) {
  class QuietRequest extends IncomingMessage {
    #receiver?: BodyReceiver = undefined;

    /** Passes the body to a receiver instead of to the stream, unless something already listens to the stream. */
    receiveBody(receiver: BodyReceiver): void {
      if (isListenedTo(this)) {
        this.on('data', (chunk: Buffer) => void receiver.add(chunk));
        this.on('end', () => receiver.end());
        this.on('error', () => receiver.abort());
        return;
      }
      // What has arrived while the request waited for its turn.
      const arrived = this.read() as Buffer | null;
      if (this.destroyed) receiver.abort();
      else if (arrived && !receiver.add(arrived)) this.resume();
      else if (this.complete) receiver.end();
      else this.#receiver = receiver;
    }

    /** Node's parser calls it with each piece of a body, and then with null. */
    override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
      if (chunk === null && hasBody(this)) onBodyEnd();
      const receiver = this.#receiver;
      if (!receiver) return super.push(chunk, encoding);
      if (chunk !== null) {
        if (!receiver.add(chunk)) this.#discardRest();
        return true;
      }
      this.#receiver = undefined;
      if (!this.endQuietly()) {
        super.push(null);
        // Without data to read, this makes it emit `end`.
        this.read();
      }
      receiver.end();
      return false;
    }

    /** Marks the stream as read to its end. False when something listens, so that Node must end it. */
    endQuietly(): boolean {
      if (isListenedTo(this)) return false;
      // Node does not declare these members.
      const internals = this as unknown as Internals;
      internals._dumped = true;
      const state = internals._readableState;
      state.ended = true;
      state.endEmitted = true;
      state.destroyed = true;
      state.closed = true;
      state.closeEmitted = true;
      return true;
    }

    /** Otherwise the rest would fill the stream, and Node would read nothing more from the connection. */
    #discardRest(): void {
      this.#receiver = undefined;
      this.resume();
    }

    override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
      this.#receiver?.abort();
      this.#receiver = undefined;
      super._destroy(error, done);
    }
  }

  Object.setPrototypeOf(QuietRequest.prototype, prototype);
  return QuietRequest;
}

/** `eventNames` would report the same, but costs 2 µs. */
function isListenedTo(request: IncomingMessage): boolean {
  // Node does not declare this member.
  return (request as unknown as Internals)._eventsCount !== 0;
}
