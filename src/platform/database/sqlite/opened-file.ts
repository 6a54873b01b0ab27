import { statSync, type Stats } from 'node:fs';

/** A file that SQLite has opened. Only ever looks at its path: closing a descriptor would drop SQLite's locks on the file. */
export class OpenedFile {
  readonly #device: number | undefined;
  readonly #inode: number | undefined;
  /** The bytes that it had when it was last found in order. */
  sizeInOrder = 0;

  constructor(readonly path: string) {
    const stats = this.#stats();
    this.#device = stats?.dev;
    this.#inode = stats?.ino;
  }

  /** Its bytes; undefined when the path leads to no file or to another one. */
  size(): number | undefined {
    // Where SQLite cannot use a write-ahead log, it opens the database only.
    if (this.#inode === undefined) return 0;
    const stats = this.#stats();
    return stats && stats.ino === this.#inode && stats.dev === this.#device ? stats.size : undefined;
  }

  #stats(): Stats | undefined {
    return statSync(this.path, { throwIfNoEntry: false });
  }
}
