import { realpathSync } from 'node:fs';
import Database from 'better-sqlite3';
import { StartError } from '../../../process/start-error.js';
import { createForOwner } from './create-for-owner.js';

/** Milliseconds to wait for a service that is stopping. */
const LOCK_TIMEOUT = 1000;

/** What the name of the file with the right to serve adds to that of the database. */
export const LOCK_SUFFIX = '-lock';
/** The same for the right to migrate, which a process also takes while another one serves. */
const MIGRATION_SUFFIX = '-migration-lock';

/**
 * A right that one process has at a time. It is SQLite's own lock on an empty file beside the database, because Node has none:
 * the system releases it when the process ends, however it ends. The file is never deleted: another process could have opened
 * it just before.
 */
export class SqliteLock {
  /** The right to serve an SQLite file. Throws a StartError when another process serves it, or the lock cannot be taken. */
  static take(file: string): SqliteLock {
    const lock = takeLock(file, LOCK_SUFFIX, LOCK_TIMEOUT);
    if (lock === undefined)
      throw new StartError(
        `Another process serves the database ${file}; stop that process first, or set another DATABASE_URL.`,
      );
    return lock;
  }

  /** The right to migrate it; undefined while another process does. Throws a StartError when the lock cannot be taken. */
  static takeToMigrate(file: string): SqliteLock | undefined {
    return takeLock(file, MIGRATION_SUFFIX, 0);
  }

  constructor(private readonly connection: Database.Database) {}

  release(): void {
    this.connection.close();
  }
}

function takeLock(file: string, suffix: string, timeout: number): SqliteLock | undefined {
  // As SQLite names the other files of the database: two paths may lead to it.
  const path = `${realpathSync(file)}${suffix}`;
  let connection: Database.Database | undefined;
  try {
    // Never opens an existing file: closing it would drop this process's lock on it.
    createForOwner(path, file);
    connection = new Database(path, { timeout });
    connection.exec('BEGIN EXCLUSIVE');
    return new SqliteLock(connection);
  } catch (error) {
    connection?.close();
    if ((error as NodeJS.ErrnoException).code === 'SQLITE_BUSY') return undefined;
    throw explained(error as NodeJS.ErrnoException, path);
  }
}

function explained(error: NodeJS.ErrnoException, path: string): Error {
  const { code = '' } = error;
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
