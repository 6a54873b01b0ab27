import type Database from 'better-sqlite3';
import { SerialQueue } from '../transactions/serial-queue.js';

const turns = new WeakMap<Database.Database, WriteTurns>();

/**
 * The queue of this process's writes to one file, except those to API keys: commits and transactions run one after
 * another, in order of arrival. SQLite has one lock for writing, for which a connection could only poll.
 */
export class WriteTurns extends SerialQueue {
  /** Whether a transaction of this process holds the lock of the file. */
  isLocked = false;

  /** The queue of the file that the connection has opened. */
  static of(connection: Database.Database): WriteTurns {
    const queue = turns.get(connection) ?? new WriteTurns();
    turns.set(connection, queue);
    return queue;
  }
}
