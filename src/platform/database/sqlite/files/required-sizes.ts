import type Database from 'better-sqlite3';
import type { OpenedFile } from './opened-file.js';
import type { OpenedLog } from './opened-log.js';

/** Bytes before the first frame of a write-ahead log, and in each frame before its page (SQLite's file format, section 4). */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** The number that a write-ahead log begins with; its lowest bit is the order of bytes in checksums. */
const LOG_MAGIC = 0x377f0682;

/** Looks before a size counts as wrong: another process may change sizes during one look, but not during all. */
const LOOKS = 3;

interface State {
  readonly pages: number;
  /** In the write-ahead log, and those among them that were copied to the database. */
  readonly frames: number;
  readonly copied: number;
}

/** Compares the sizes of a database and its write-ahead log with what SQLite expects of them. */
export class RequiredSizes {
  readonly #pageSize: number;
  readonly #pages: Database.Statement;
  readonly #frames: Database.Statement;

  constructor(
    connection: Database.Database,
    private readonly database: OpenedFile,
    private readonly log: OpenedLog,
  ) {
    this.#pageSize = connection.pragma('page_size', { simple: true }) as number;
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
      if (!short) return undefined;
    }
    return short;
  }

  /** What the write-ahead log has, and the bytes of it that are yet to be copied. Undefined while the database is locked. */
  pending(): { readonly frames: number; readonly bytes: number } | undefined {
    const state = this.#state();
    if (!state) return undefined;
    const { frames, copied } = state;
    return { frames, bytes: (frames - copied) * (FRAME_HEADER + this.#pageSize) };
  }

  /** Undefined while another process has locked the database. */
  #state(): State | undefined {
    try {
      const pages = this.#pages.get() as number;
      const [, frames, copied] = this.#frames.get() as [number, number, number];
      return frames < 0 ? undefined : { pages, frames, copied };
    } catch {
      // Also an error of the disk, which the requests report.
      return undefined;
    }
  }

  #tooShort(state: State): OpenedFile | undefined {
    const log = state.frames > 0 ? LOG_HEADER + state.frames * (FRAME_HEADER + this.#pageSize) : 0;
    if ((this.log.size() ?? 0) < log) return this.log;
    // The log was emptied, and is long enough again, such as by a later commit, whose frames are lost without the
    // header.
    if (log > 0 && (this.log.numberAt(0) & ~1) !== LOG_MAGIC) return this.log;
    return this.#lacksPages(state) ? this.database : undefined;
  }

  /** Whether a page is neither in the database nor in a frame that is yet to be copied to it. */
  #lacksPages({ pages, frames, copied }: State): boolean {
    const size = this.database.size() ?? 0;
    const present = Math.floor(size / this.#pageSize);
    // The first page is always in the file.
    if (present === 0 || pages - present > frames - copied) return true;
    // The file lacks the pages that were added last. It seldom becomes shorter: after a VACUUM of another process.
    if (size >= this.database.sizeInOrder) return false;
    const missing = new Set(Array.from({ length: Math.max(0, pages - present) }, (_, index) => present + index + 1));
    for (let frame = copied; frame < frames && missing.size > 0; frame += 1) {
      missing.delete(this.log.numberAt(LOG_HEADER + frame * (FRAME_HEADER + this.#pageSize)));
    }
    return missing.size > 0;
  }
}
