import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { sizeOf } from './write-arguments.js';

/** What is wrong with a body of so many bytes, which may get more unless it has ended. */
type Check = (bytes: number, hasEnded: boolean) => Error | undefined;

/**
 * Passes chunks on, each when the next one or the end is known: a client must not take a body for complete because it has
 * the declared length.
 */
class MeasuredStream extends Transform {
  #held: unknown;
  #bytes = 0;

  constructor(private readonly check: Check) {
    super({ objectMode: true });
  }

  override _transform(chunk: unknown, _encoding: string, done: TransformCallback): void {
    this.#bytes += sizeOf(chunk, 'utf8');
    const before = this.#held;
    this.#held = chunk;
    done(this.check(this.#bytes, false), before);
  }

  override _flush(done: TransformCallback): void {
    done(this.check(this.#bytes, true), this.#held);
  }
}

/** A stream that fails with the error that `check` returns. */
export function measured(source: Readable, check: Check): Readable {
  // The reader handles the errors of the stream.
  return pipeline(source, new MeasuredStream(check), () => {});
}
