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
  /** Throws a StartError when another process serves the file, or the lock cannot be taken. */
  static take(file: string): SqliteLock {
    // As SQLite names the other files of the database: two paths may lead to it.
    const path = `${realpathSync(file)}${LOCK_SUFFIX}`;
    let connection: Database.Database | undefined;
    try {
      create(path, file);
      connection = new Database(path, { timeout: LOCK_TIMEOUT });
      connection.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      connection?.close();
      throw explained(error as NodeJS.ErrnoException, file, path);
    }
    return new SqliteLock(connection);
  }

  private constructor(private readonly connection: Database.Database) {}

  release(): void {
    this.connection.close();
  }
}

/** Never opens an existing file: closing it would drop this process's lock on it. */
function create(path: string, database: string): void {
  if (existsSync(path)) return;
  try {
    createForOwner(path, database);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function explained(error: NodeJS.ErrnoException, file: string, path: string): Error {
  const { code = '' } = error;
  if (code === 'SQLITE_BUSY')
    return new StartError(
      `Another process serves the database ${file}; stop that process first, or set another DATABASE_URL.`,
    );
  if (/^(EACCES|EPERM|EROFS)$/.test(code))
    return new StartError(
      `The lock file ${path} cannot be created (${code}); let the user of the service write to its folder.`,
      { cause: error },
    );
  // Another user has created the lock file, or the journal beside it.
  if (/^SQLITE_(CANTOPEN|READONLY|PERM)/.test(code))
    return new StartError(
      `The lock file ${path} cannot be opened (${code}); give it, and ${path}-journal if it exists, the owner of the database with chown.`,
      { cause: error },
    );
  return error;
}
