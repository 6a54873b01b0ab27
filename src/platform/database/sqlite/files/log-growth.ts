import type { LoggerService } from '@nestjs/common';
import type { OpenedFile } from './opened-file.js';
import type { RequiredSizes } from './required-sizes.js';

/** Bytes. With short readers, the write-ahead log has about 4 MiB, and 64 MiB after a larger transaction. */
const LARGE_LOG = 256 * 1024 * 1024;

/** Milliseconds. Copying to the database what one large transaction has written, such as a VACUUM, takes seconds. */
const MAX_GROWTH_TIME = 10_000;

/**
 * Reports that the write-ahead log has become large, and that it no longer is. While another process reads, SQLite cannot
 * restart the log: it grows until the disk is full, and copying it to the database later delays requests. After one large
 * transaction, the file keeps its size until the next commit, which is no reason to report it.
 */
export class LogGrowth {
  #isReported = false;
  /** When there was first so much to copy, as `performance.now()`, and the number of frames then. */
  #first?: { readonly time: number; readonly frames: number };

  constructor(
    private readonly log: Pick<OpenedFile, 'path' | 'sizeInOrder'>,
    private readonly sizes: Pick<RequiredSizes, 'pending'>,
    private readonly logger: Pick<LoggerService, 'log' | 'warn'>,
  ) {}

  /** Uses the size that the log had when it was last found in order. */
  report(): void {
    const { path, sizeInOrder } = this.log;
    const isLarge = sizeInOrder > LARGE_LOG;
    if (this.#isReported ? isLarge : !this.#keepsGrowing(isLarge)) return;
    this.#isReported = isLarge;
    const size = `${path} has ${Math.round(sizeInOrder / 1024 / 1024)} MiB`;
    if (isLarge) {
      this.logger.warn(
        `${size} and may grow until the disk is full: end the other process that reads the database for so long ("fuser ${path}" lists it, and this service).`,
      );
    } else this.logger.log(`${size} again.`);
  }

  /** Whether further commits, each of which copies what it can, have left as much to copy for too long. */
  #keepsGrowing(isLarge: boolean): boolean {
    const pending = isLarge ? this.sizes.pending() : undefined;
    if (!pending || pending.bytes <= LARGE_LOG) {
      this.#first = undefined;
      return false;
    }
    const { frames } = pending;
    this.#first ??= { time: performance.now(), frames };
    return frames > this.#first.frames && performance.now() - this.#first.time >= MAX_GROWTH_TIME;
  }
}
