import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { isatty } from 'node:tty';

/** Bytes of lines that wait for the reader of the log; further lines are dropped. */
const MAX_PENDING = 1024 * 1024;

/** Milliseconds until the next attempt to write. */
const RETRY_AFTER = 100;

/** Milliseconds that the reader of the log has for the last lines when the process exits. */
const FLUSH_TIME = 500;

/** Writes as many bytes as possible without waiting, and returns their number. */
type Write = (bytes: Buffer) => number;

/**
 * Writes lines to a descriptor. Neither a full disk nor a reader that has stopped can block or end the process: lines wait
 * up to a limit, then they are dropped, and `reportDropped` receives their number once the log can be written again.
 */
export class LogDestination {
  readonly #write: Write;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #dropped = 0;
  #droppedInTotal = 0;
  #isScheduled = false;

  constructor(
    fd: number,
    private readonly reportDropped: (count: number) => void,
  ) {
    this.#write = openWithoutBlocking(fd);
    process.on('exit', () => this.flushSync());
  }

  /** Writes at the end of the turn, with the other lines of the turn. */
  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#pendingBytes + bytes.length > MAX_PENDING) {
      this.#dropped += 1;
      this.#droppedInTotal += 1;
      return;
    }
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#continue());
  }

  get droppedInTotal(): number {
    return this.#droppedInTotal;
  }

  /** Waits for the reader, but not for longer than `FLUSH_TIME`. pino calls it after a fatal line. */
  flushSync(): void {
    const deadline = performance.now() + FLUSH_TIME;
    while (!this.#writePending() && performance.now() < deadline) pause(FLUSH_TIME / 50);
  }

  #continue(): void {
    if (!this.#writePending()) {
      setTimeout(() => this.#continue(), RETRY_AFTER).unref();
      return;
    }
    this.#isScheduled = false;
    if (this.#dropped === 0) return;
    const count = this.#dropped;
    this.#dropped = 0;
    this.reportDropped(count);
  }

  /** False if some bytes are left. */
  #writePending(): boolean {
    if (this.#pendingBytes === 0) return true;
    const bytes = Buffer.concat(this.#pending);
    const written = this.#write(bytes);
    this.#pending = [bytes.subarray(written)];
    this.#pendingBytes -= written;
    return this.#pendingBytes === 0;
  }
}

/**
 * A pipe or a terminal is opened again, because "does not block" is a property of the open file, which other processes
 * share. Some cannot be: a socket, which Node's own class makes non-blocking, or a terminal of another user, which is left
 * as it is.
 */
function openWithoutBlocking(fd: number): Write {
  if (fstatSync(fd).isFile()) return writeTo(fd);
  try {
    return writeTo(openSync(`/dev/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY));
  } catch {
    if (!isatty(fd)) stopBlocking(fd);
    return writeTo(fd);
  }
}

function writeTo(fd: number): Write {
  return (bytes) => {
    try {
      return writeSync(fd, bytes);
    } catch {
      // The disk is full, the reader has stopped or is gone.
      return 0;
    }
  };
}

/** Writes nothing through the class: what it has taken would be lost when the process exits. */
function stopBlocking(fd: number): void {
  const socket = new Socket({ fd, readable: false, writable: true });
  socket.unref();
  // The reader is gone.
  socket.on('error', () => {});
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
