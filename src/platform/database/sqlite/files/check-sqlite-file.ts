import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { StartError } from '../../../process/start-error.js';
import { createFolder, createForOwner } from './create-for-owner.js';
import { isMountPoint } from './mount-point.js';

/**
 * Bytes up to which every page is checked. At 3 ms per MiB, and more from a cold disk, this takes 50 of the 600 ms that a
 * start may take. For a larger file, SQLite's own check of header, length and schema must suffice.
 */
const FULL_CHECK = 16 * 1024 * 1024;
/** Milliseconds to wait for another process's lock. */
const LOCK_TIMEOUT = 1000;

/**
 * Throws a StartError when the file is unusable: read-only, corrupt, locked, with a hard link, mounted alone, of
 * another program, or written by a newer release. Only reads such a file, so that it stays unchanged, unless a killed
 * process left it in the middle of a transaction. Creates a missing file. `known` are the names of our migrations;
 * without them, any release may have written it.
 */
export function checkSqliteFile(file: string, known?: readonly string[]): void {
  try {
    if (existsSync(file)) checkExisting(file, known);
    else create(file);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The database ${file} ${complaint(error as NodeJS.ErrnoException)}.`);
  }
}

/** The same for a file that must have been in use: a missing or empty one is refused, and not created. */
export function checkUsedFile(file: string, known?: readonly string[]): void {
  refuseMissing(file);
  checkSqliteFile(file, known);
  if (statSync(file).size === 0) throw empty(file);
}

export function refuseMissing(file: string): void {
  if (!existsSync(file)) throw new StartError(`The database ${file} does not exist; correct DATABASE_URL.`);
}

/** Throws a StartError when the database has no table of this application. `file` is its name in messages. */
export function refuseUnused(connection: Database.Database, file: string): void {
  const tables = tablesOf(connection, file);
  if (tables.every((name) => name === 'migrations' || name.startsWith('sqlite_'))) throw empty(file);
}

const empty = (file: string): StartError =>
  new StartError(`The database ${file} is empty; restore it from a backup, or correct DATABASE_URL.`);

function create(file: string): void {
  makeFolder(dirname(file));
  createForOwner(file);
}

/** Node's own `recursive` never returns when the parent exists but refuses a folder, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  createFolder(folder);
}

function checkExisting(file: string, known: readonly string[] | undefined): void {
  accessSync(file, constants.R_OK | constants.W_OK);
  const stats = statSync(file);
  const { size, nlink } = stats;
  if (stats.isDirectory()) throw new StartError(`The database ${file} is a directory; name a file in DATABASE_URL.`);
  if (nlink > 1) {
    throw new StartError(
      `The database ${file} has a second name, a hard link, by which another process could change it unnoticed; delete that name ("find DIRECTORY -samefile ${file}" finds it).`,
    );
  }
  if (isMountPoint(file)) {
    throw new StartError(
      `The database ${file} is mounted alone, so that another process could change it unnoticed, and its log would stay behind; mount its folder instead.`,
    );
  }
  if (size === 0) return;
  try {
    checkContent(file, size, known, { readonly: true });
  } catch (error) {
    // Before anything can be read, the first connection that may write undoes the transaction.
    if ((error as NodeJS.ErrnoException).code !== 'SQLITE_READONLY_ROLLBACK') throw error;
    checkContent(file, size, known, { readonly: false });
  }
}

function checkContent(
  file: string,
  size: number,
  known: readonly string[] | undefined,
  access: { readonly: boolean },
): void {
  const connection = new Database(file, { ...access, fileMustExist: true, timeout: LOCK_TIMEOUT });
  try {
    const tables = tablesOf(connection, file);
    checkIntegrity(connection, file, size);
    if (tables.length > 0 && known !== undefined) checkMigrations(connection, file, known);
  } finally {
    connection.close();
  }
}

/** Throws a StartError when they are those of another application. A new database has none. */
function tablesOf(connection: Database.Database, file: string): string[] {
  const query = `SELECT "name" FROM "sqlite_schema" WHERE "type" = 'table'`;
  const tables = connection.prepare(query).pluck().all() as string[];
  if (tables.length > 0 && !tables.includes('migrations')) {
    throw new StartError(`The database ${file} belongs to another application; choose another DATABASE_URL.`);
  }
  return tables;
}

function checkIntegrity(connection: Database.Database, file: string, size: number): void {
  if (size > FULL_CHECK) return;
  const [finding] = connection.pragma('quick_check(1)') as { quick_check: string }[];
  if (finding?.quick_check !== 'ok') {
    throw new StartError(`The database ${file} is corrupt; restore it from a backup.`);
  }
}

function checkMigrations(connection: Database.Database, file: string, known: readonly string[]): void {
  const done = connection.prepare('SELECT "name" FROM "migrations"').pluck().all() as string[];
  const unknown = done.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new StartError(`The database ${file} was migrated by a newer release (it has ${unknown}); start that release.`);
}

function complaint({ code = '' }: NodeJS.ErrnoException): string {
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) return 'is corrupt or not an SQLite file; restore it from a backup';
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'is locked by another process; stop that process first';
  if (/^(SQLITE_(FULL|IOERR)|ENOSPC|EDQUOT|EFBIG)/.test(code))
    return `cannot be written (${code}); free space on its disk, or repair the disk`;
  if (code === 'SQLITE_CANTOPEN')
    return `cannot be opened for writing (${code}); choose another DATABASE_URL, fix its permissions or allow more open files (ulimit -n)`;
  return `cannot be opened for writing (${code}); choose another DATABASE_URL or fix its permissions`;
}
