import { existsSync, statSync, type Stats } from 'node:fs';
import { FileFault } from './file-fault.js';

/** A file that SQLite has opened. Looks only at its path: closing a descriptor would drop SQLite's locks. */
export class OpenedFile {
  readonly #device: number | undefined;
  readonly #inode: number | undefined;
  /** The bytes that it had when it was last found in order. */
  sizeInOrder = 0;
  #names = 1;

  constructor(readonly path: string) {
    const stats = this.#stats();
    this.#device = stats?.dev;
    this.#inode = stats?.ino;
  }

  /** False for the files beside the database where SQLite cannot use a write-ahead log, and so does not open them. */
  get isOpen(): boolean {
    return this.#inode !== undefined;
  }

  /** Its bytes; undefined when the path leads to no file or to another one. */
  size(): number | undefined {
    if (!this.isOpen) return 0;
    const stats = this.#stats();
    this.#names = stats?.nlink ?? 0;
    return stats && stats.ino === this.#inode && stats.dev === this.#device ? stats.size : undefined;
  }

  /** Whether it had a hard link when it was last asked for its size: SQLite keeps a write-ahead log for each name. */
  get hasSecondName(): boolean {
    return this.#names > 1;
  }

  /** Whether its path leads to a file, perhaps another one. Cheaper than `size`. */
  exists(): boolean {
    return !this.isOpen || existsSync(this.path);
  }

  /** Throws a FileFault when the path cannot be followed now: a folder may not be entered, a network does not respond. */
  #stats(): Stats | undefined {
    try {
      return statSync(this.path, { throwIfNoEntry: false });
    } catch (error) {
      throw new FileFault(`${this.path} cannot be found now`, { cause: error });
    }
  }
}
