import { existsSync, realpathSync } from 'node:fs';
import Database from 'better-sqlite3';
import { StartError } from '../../../process/start-error.js';
import { createForOwner } from './create-for-owner.js';

/** Milliseconds to wait for a service that is stopping. */
const LOCK_TIMEOUT = 1000;

/** What the name of the file with the lock adds to that of the database. */
export const LOCK_SUFFIX = '-lock';

/**
 * The right to serve an SQLite file, which one process has at a time. It is SQLite's own lock on an empty file beside the
 * database, because Node has none: the system releases it when the process ends, however it ends. The file is never
 * deleted: another process could have opened it just before.
 */
export class SqliteLock {
  /** Throws a StartError when another process serves the file. */
  static take(file: string): SqliteLock {
    // As SQLite names the other files of the database: two paths may lead to it.
    const path = `${realpathSync(file)}${LOCK_SUFFIX}`;
    create(path);
    const connection = new Database(path, { timeout: LOCK_TIMEOUT });
    try {
      connection.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      connection.close();
      if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
      throw new StartError(
        `Another process serves the database ${file}; stop that process first, or set another DATABASE_URL.`,
      );
    }
    return new SqliteLock(connection);
  }

  private constructor(private readonly connection: Database.Database) {}

  release(): void {
    this.connection.close();
  }
}

/** Never opens an existing file: closing it would drop this process's lock on it. */
function create(path: string): void {
  if (existsSync(path)) return;
  try {
    createForOwner(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
