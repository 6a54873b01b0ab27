/** Calls the callback of a write that is dropped. `args` are those of `write` or `end`. */
export function callSoon(args: readonly unknown[]): void {
  const callback = callbackOf(args);
  if (callback) process.nextTick(callback);
}

export function callbackOf(args: readonly unknown[]): (() => void) | undefined {
  return args.find((argument) => typeof argument === 'function') as (() => void) | undefined;
}

/** In bytes. */
export function sizeOf(chunk: unknown, encoding: unknown): number {
  if (typeof chunk !== 'string') return chunk instanceof Uint8Array ? chunk.length : 0;
  return encoding === 'latin1' ? chunk.length : Buffer.byteLength(chunk, encoding as BufferEncoding);
}

/** The bytes that Node writes; none without a chunk. Not a copy: as for Node, the caller must not change them. */
export function bytesOf([chunk, encoding]: readonly unknown[]): Buffer {
  if (typeof chunk === 'string') {
    return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
  }
  return chunk instanceof Uint8Array ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : NO_BYTES;
}

const NO_BYTES = Buffer.alloc(0);
