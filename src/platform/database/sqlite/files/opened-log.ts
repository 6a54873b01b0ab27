import { closeSync, constants, openSync, readSync } from 'node:fs';
import { OpenedFile } from './opened-file.js';

/** Bytes that are read at once. */
const PIECE = 65_536;

/**
 * A write-ahead log, whose size is checked with each commit. Asking the system for it would cost a commit 25 to 40 µs:
 * Linux then writes a new time of change with the next commit (multigrain timestamps, Linux 6.13). Reading shows as
 * much. SQLite has no locks on this file that closing a descriptor would drop.
 */
export class OpenedLog extends OpenedFile {
  readonly #piece = Buffer.allocUnsafe(PIECE);
  #descriptor?: number;

  constructor(path: string) {
    super(path);
    if (this.isOpen) this.#descriptor = openQuietly(path);
  }

  /** Whether it is shorter than when it was last found in order. */
  hasShrunk(): boolean {
    return this.sizeInOrder > 0 && this.isOpen && this.#read(1, this.sizeInOrder - 1) === 0;
  }

  /** Considers what was appended as in order. */
  addAppended(): void {
    let count: number;
    do {
      count = this.#read(PIECE, this.sizeInOrder);
      this.sizeInOrder += count;
    } while (count === PIECE);
  }

  /** The number in the four bytes at a position: a frame begins with that of its page. 0 beyond the end. */
  numberAt(position: number): number {
    return this.#read(4, position) === 4 ? this.#piece.readUInt32BE() : 0;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** How many bytes there are from a position on. Never throws: after a commit, that would repeat it. */
  #read(length: number, position: number): number {
    if (this.#descriptor === undefined) return 0;
    try {
      return readSync(this.#descriptor, this.#piece, 0, length, position);
    } catch {
      // An error of the disk, which SQLite reports as well.
      return 0;
    }
  }
}

/** Reading must change no time of access, which would cost as much. Only the owner of a file may ask for that. */
function openQuietly(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOATIME);
  } catch {
    return openSync(path, constants.O_RDONLY);
  }
}
