import type Database from 'better-sqlite3';
import type { OpenedFile } from './opened-file.js';

/** Bytes before the first frame of a write-ahead log, and in each frame before its page (SQLite's file format, section 4). */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;

/** Looks at sizes that another process may change at the same time; it cannot spoil so many in a row. */
const LOOKS = 3;

interface State {
  /** Changes with each commit of another process. */
  readonly version: number;
  readonly pages: number;
  /** In the write-ahead log, and those among them that were copied to the database. */
  readonly frames: number;
  readonly copied: number;
}

/** Compares the sizes of a database and its write-ahead log with what SQLite expects of them. */
export class RequiredSizes {
  readonly #pageSize: number;
  readonly #version: Database.Statement;
  readonly #pages: Database.Statement;
  readonly #frames: Database.Statement;
  /** The state in which both were last found in order. */
  #inOrder?: State;

  constructor(
    connection: Database.Database,
    private readonly database: OpenedFile,
    private readonly log: OpenedFile,
  ) {
    this.#pageSize = connection.pragma('page_size', { simple: true }) as number;
    this.#version = connection.prepare('PRAGMA data_version').pluck();
    this.#pages = connection.prepare('PRAGMA page_count').pluck();
    // NOOP only counts the frames; the other modes copy them.
    this.#frames = connection.prepare('PRAGMA wal_checkpoint(NOOP)').raw();
  }

  /** The file that was truncated. */
  truncated(): OpenedFile | undefined {
    let short: OpenedFile | undefined;
    for (let look = 0; look < LOOKS; look += 1) {
      const state = this.#state();
      short = state && this.#tooShort(state);
      if (short) continue;
      this.#inOrder = state;
      return undefined;
    }
    return short;
  }

  /** Undefined while another process has locked the database. */
  #state(): State | undefined {
    try {
      const version = this.#version.get() as number;
      const pages = this.#pages.get() as number;
      const [, frames, copied] = this.#frames.get() as [number, number, number];
      return frames < 0 ? undefined : { version, pages, frames, copied };
    } catch {
      // Also an error of the disk, which the requests report.
      return undefined;
    }
  }

  #tooShort(state: State): OpenedFile | undefined {
    const log = state.frames > 0 ? LOG_HEADER + state.frames * (FRAME_HEADER + this.#pageSize) : 0;
    if ((this.log.size() ?? 0) < log) return this.log;
    return (this.database.size() ?? 0) < this.#databaseSize(state) ? this.database : undefined;
  }

  #databaseSize({ version, pages, frames, copied }: State): number {
    // Each page that the file lacks is in a frame that is yet to be copied. The first page is always in the file.
    const required = Math.max(1, pages - (frames - copied)) * this.#pageSize;
    // Only a VACUUM of another process makes the file shorter: to the pages that are left, when they are copied.
    if (this.#inOrder?.version !== version) return required;
    return Math.max(required, Math.min(this.database.sizeInOrder, this.#inOrder.pages * this.#pageSize));
  }
}
