import { Logger } from '@nestjs/common';
import type Database from 'better-sqlite3';
import { realpathSync } from 'node:fs';
import { FileFault } from './file-fault.js';
import { LogGrowth } from './log-growth.js';
import { OpenedFile } from './opened-file.js';
import { OpenedLog } from './opened-log.js';
import { RequiredSizes } from './required-sizes.js';
import { LOCK_SUFFIX } from './sqlite-lock.js';

const RESTORE = 'stop the service, restore the file and start it again';

/** Milliseconds between two checks without a request. */
const INTERVAL = 500;

/**
 * Milliseconds after which a commit asks at its end, too, whether the database is in order, and whether another file has
 * replaced the log. A missing log shows at once. Asking at the end of each commit would cost a twentieth of it.
 */
const COMMIT_INTERVAL = 10;

const guards = new WeakMap<Database.Database, SqliteFileGuard>();

/**
 * Notices that a file of the database was deleted, moved, replaced or truncated, or the database linked to a second
 * name. SQLite would keep using the open file, and acknowledge rows that are lost. From then on, every check fails
 * until a restart.
 */
export class SqliteFileGuard {
  readonly #logger = new Logger('SqliteFileGuard');
  readonly #database: OpenedFile;
  readonly #log: OpenedLog;
  readonly #index: OpenedFile;
  /** Without it, a second process could serve the database. */
  readonly #lock: OpenedFile;
  readonly #sizes: RequiredSizes;
  readonly #growth: LogGrowth;
  readonly #timer: NodeJS.Timeout;
  #fault?: FileFault;
  /** When a commit must ask for the files again, as `performance.now()`. */
  #checkFilesAt = 0;

  /** The guard of a connection that is open and has read from its database, so that all files exist. */
  static of(connection: Database.Database): SqliteFileGuard {
    const guard = guards.get(connection) ?? new SqliteFileGuard(connection);
    guards.set(connection, guard);
    return guard;
  }

  private constructor(private readonly connection: Database.Database) {
    this.#database = new OpenedFile(connection.name);
    // SQLite follows symbolic links before it names the other files.
    const path = realpathSync(connection.name);
    this.#log = new OpenedLog(`${path}-wal`);
    this.#index = new OpenedFile(`${path}-shm`);
    this.#lock = new OpenedFile(`${path}${LOCK_SUFFIX}`);
    this.#sizes = new RequiredSizes(connection, this.#database, this.#log);
    this.#growth = new LogGrowth(this.#log, this.#sizes, this.#logger);
    this.#timer = setInterval(() => this.#watch(), INTERVAL).unref();
  }

  /** Throws when an earlier check failed. */
  assertIntact(): void {
    if (this.#fault) throw this.#fault;
  }

  /** Call before a commit: the commit and its checkpoint would hide a truncation by filling the gap with zeros. */
  checkBeforeCommit(): void {
    this.assertIntact();
    this.#checkFile(this.#database);
    if (this.#log.hasShrunk()) this.#checkFile(this.#log);
  }

  /** Call after a commit, before its caller gets the result. Never fails because of a lock: the commit would be repeated. */
  checkCommit(): void {
    const now = performance.now();
    if (now < this.#checkFilesAt && this.#log.exists()) {
      this.#log.addAppended();
      return;
    }
    this.#checkFilesAt = now + COMMIT_INTERVAL;
    this.#checkFile(this.#database);
    this.#checkFile(this.#log);
  }

  /** Checks everything. */
  check(): void {
    this.assertIntact();
    this.#checkFilesAt = 0;
    this.checkCommit();
    this.#checkFile(this.#index);
    this.#checkFile(this.#lock);
    this.#checkSizes();
  }

  #watch(): void {
    try {
      if (!this.connection.open) this.#stop();
      else {
        this.check();
        this.#growth.report();
      }
    } catch {
      // Requests fail for the same reason.
    }
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#log.close();
  }

  #checkFile(file: OpenedFile): void {
    const size = file.size();
    // Closing the connection deletes the log.
    if (!this.connection.open) return;
    if (size === undefined) this.#failLost(file);
    // A second name of another file leads to no database: it is harmful only beside a copy of the database in use.
    if (file === this.#database && file.hasSecondName) {
      const remedy = `delete that name ("find DIRECTORY -samefile ${file.path}" finds it) and restart the service`;
      this.#fail(`${file.path} was linked to a second name`, remedy);
    }
    // A file seldom becomes shorter: only then SQLite has to say whether it may.
    if (size < file.sizeInOrder) this.#checkSizes();
    file.sizeInOrder = size;
  }

  #checkSizes(): void {
    const truncated = this.#sizes.truncated();
    if (!truncated) return;
    // Lost since it was last asked for its size, which counts as empty.
    if (truncated.size() === undefined) this.#failLost(truncated);
    this.#fail(`${truncated.path} was truncated`);
  }

  #failLost(file: OpenedFile): never {
    this.#fail(`${file.path} was deleted, moved or replaced`);
  }

  #fail(event: string, remedy = RESTORE): never {
    this.#fault = new FileFault(`${event} while in use, so every request gets 503: ${remedy}.`);
    this.#logger.error(this.#fault.message);
    throw this.#fault;
  }
}
