import Database from 'better-sqlite3';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createForOwner } from '../database/sqlite/files/create-for-owner.js';
import { StartError } from '../process/start-error.js';

/** More pages than a database can have. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies a database that a service may be writing to, as of one moment, into a single file. The file appears under its name
 * when it is complete, checked and on disk.
 */
export async function backUpSqlite(from: string, to: string): Promise<void> {
  if (!existsSync(from)) throw new StartError(`The database ${from} does not exist; correct DATABASE_URL.`);
  if (existsSync(to)) throw new StartError(`The file ${to} exists; choose another --to.`);
  if (!existsSync(dirname(to))) throw new StartError(`The folder ${dirname(to)} does not exist; create it.`);
  const unfinished = `${to}.unfinished`;
  create(unfinished);
  try {
    await copyPages(from, unfinished);
    check(unfinished);
    sync(unfinished);
    renameSync(unfinished, to);
    sync(dirname(to));
  } catch (error) {
    throw explained(error, from);
  } finally {
    remove(unfinished);
  }
}

function create(file: string): void {
  try {
    remove(file);
    createForOwner(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`The file ${file} cannot be created (${code}); choose another --to.`, { cause: error });
  }
}

function explained(error: unknown, from: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  return new StartError(`The database ${from} cannot be backed up: ${error.message}.`, { cause: error });
}

/** In one step: a copy in several would start again whenever the service commits between two of them. */
async function copyPages(from: string, to: string): Promise<void> {
  const source = new Database(from, { readonly: true, fileMustExist: true });
  try {
    await source.backup(to, { progress: () => ALL_PAGES });
  } finally {
    source.close();
  }
}

/** Also leaves write-ahead mode, so that the backup is one file. The service returns to that mode when it opens it. */
function check(file: string): void {
  const copy = new Database(file);
  try {
    copy.pragma('journal_mode = DELETE');
    const result = copy.pragma('integrity_check(1)', { simple: true });
    if (result !== 'ok')
      throw new StartError(
        `The database is damaged (${String(result).replaceAll('\n', ' ')}); keep your earlier backups.`,
      );
  } finally {
    copy.close();
  }
}

/** Waits until a file, or the names in a folder, are on disk. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function remove(file: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}
