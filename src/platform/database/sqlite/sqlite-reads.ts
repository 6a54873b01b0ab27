import type Database from 'better-sqlite3';
import { atEndOfTurn } from '../../process/end-of-turn.js';
import { databaseFault } from '../tables/database-fault.js';

interface PendingRead {
  /** Reads and resolves. */
  readonly run: () => void;
  readonly reject: (error: unknown) => void;
}

/** Bounds the memory that the results of one turn occupy. */
const MAX_READS = 64;

/**
 * Runs the reads of one turn of the event loop in one transaction: opening and closing a transaction costs as much as
 * finding a row (ADR 12). The transaction begins and ends within one synchronous call, so nothing else can join it.
 */
export class SqliteReads {
  #pending: PendingRead[] = [];
  readonly #runTogether: Database.Transaction<(reads: readonly PendingRead[]) => void>;

  constructor(private readonly connection: Database.Database) {
    this.#runTogether = connection.transaction((reads) => this.#runEach(reads));
  }

  /** Rejects with DatabaseUnavailable when the database cannot work now. */
  add<Result>(read: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const count = this.#pending.push({ run: () => resolve(read()), reject });
      if (count === 1) atEndOfTurn('read', () => this.#flush());
      else if (count === MAX_READS) this.#flush();
    });
  }

  #flush(): void {
    const reads = this.#pending;
    this.#pending = [];
    try {
      if (reads.length > 1) this.#runTogether(reads);
      else this.#runEach(reads);
    } catch (error) {
      // The transaction did not begin or end. Rejecting has no effect on reads that have succeeded.
      for (const read of reads) this.#reject(read, error);
    }
  }

  #runEach(reads: readonly PendingRead[]): void {
    for (const read of reads) {
      try {
        read.run();
      } catch (error) {
        this.#reject(read, error);
      }
    }
  }

  #reject({ reject }: PendingRead, error: unknown): void {
    reject(databaseFault(error, this.connection.open));
  }
}
