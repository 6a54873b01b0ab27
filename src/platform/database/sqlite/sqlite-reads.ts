import type Database from 'better-sqlite3';
import { atEndOfTurn, leaveForLater } from '../../process/end-of-turn.js';
import type { SqliteFileGuard } from './files/sqlite-file-guard.js';
import { sqliteFault } from './sqlite-fault.js';

interface PendingRead {
  readonly read: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Milliseconds for which a read waits for others, and then for which reads run before the first responses are written. */
const MAX_TIME = 1;

/**
 * Runs the reads of one turn of the event loop in one transaction: opening and closing a transaction costs as much as
 * finding a row (ADR 12). The transaction begins and ends within one synchronous call, so nothing else can join it.
 */
export class SqliteReads {
  #pending: PendingRead[] = [];
  /** When the first of them arrived. */
  #pendingSince = 0;
  readonly #runTogether: Database.Transaction<(reads: readonly PendingRead[]) => void>;

  constructor(
    private readonly connection: Database.Database,
    private readonly guard: SqliteFileGuard,
  ) {
    this.#runTogether = connection.transaction((reads) => this.#runInTime(reads));
  }

  /** Rejects with DatabaseUnavailable when the database cannot work now. */
  add<Result>(read: () => Result): Promise<Result> {
    return new Promise<unknown>((resolve, reject) => {
      const count = this.#pending.push({ read, resolve, reject });
      if (count === 1) {
        this.#pendingSince = performance.now();
        atEndOfTurn('read', () => this.#flush());
      } else if (performance.now() - this.#pendingSince >= MAX_TIME) this.#flush();
    }) as Promise<Result>;
  }

  #flush(): void {
    const reads = this.#pending;
    this.#pending = [];
    try {
      this.guard.assertIntact();
      if (reads.length > 1) this.#runTogether(reads);
      else this.#runInTime(reads);
    } catch (error) {
      // The files are not intact, or the transaction did not begin or end. Rejecting has no effect on reads that have succeeded.
      for (const read of reads) this.#reject(read, error);
    }
  }

  /** Leaves what exceeds the time to the next turn, so that the first responses do not wait for the last read. */
  #runInTime(reads: readonly PendingRead[]): void {
    const start = performance.now();
    for (const [index, read] of reads.entries()) {
      try {
        read.resolve(read.read());
      } catch (error) {
        this.#reject(read, error);
      }
      if (performance.now() - start >= MAX_TIME && index + 1 < reads.length) {
        this.#defer(reads.slice(index + 1));
        return;
      }
    }
  }

  #defer(reads: PendingRead[]): void {
    this.#pending = reads;
    this.#pendingSince = performance.now();
    leaveForLater('read', () => this.#flush());
  }

  #reject({ reject }: PendingRead, error: unknown): void {
    reject(sqliteFault(error, this.connection.open));
  }
}
