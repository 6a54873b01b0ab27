import type { LoggerService } from '@nestjs/common';
import type { OpenedFile } from './opened-file.js';

/** Bytes. With short readers, the write-ahead log has about 4 MiB, and 64 MiB after a larger transaction. */
const LARGE = 256 * 1024 * 1024;

/**
 * Reports that the write-ahead log has become large, and that it no longer is. While another process reads, SQLite cannot begin
 * the log anew: it grows until the disk is full, and copying it to the database later delays requests.
 */
export class LogGrowth {
  #isLarge = false;

  constructor(
    private readonly log: OpenedFile,
    private readonly logger: Pick<LoggerService, 'log' | 'warn'>,
  ) {}

  /** By its size when it was last found in order. */
  report(): void {
    const { path, sizeInOrder } = this.log;
    const isLarge = sizeInOrder > LARGE;
    if (isLarge === this.#isLarge) return;
    this.#isLarge = isLarge;
    const size = `${path} has ${Math.round(sizeInOrder / 1024 / 1024)} MiB`;
    if (isLarge) {
      this.logger.warn(
        `${size} and may grow until the disk is full: end the process that reads the database for so long ("fuser ${path}" lists those that use it).`,
      );
    } else this.logger.log(`${size} again.`);
  }
}
