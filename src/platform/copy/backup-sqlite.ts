import Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fstatSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { refuseMissing, refuseUnused } from '../database/sqlite/files/check-sqlite-file.js';
import { createForOwner } from '../database/sqlite/files/create-for-owner.js';
import { refuseUnfinishedCopy } from '../database/unfinished-copy.js';
import { StartError } from '../process/start-error.js';
import { Progress } from './progress.js';

/** Pages between two moments in which a signal ends the backup, and progress shows: 4 MB. */
const STEP = 1000;

/**
 * Copies a database that a service may be writing to, as of one moment, into a single file. The file appears under its name
 * when it is complete, checked and on disk; a process that exits before then leaves nothing. Refuses a database that a
 * restore could not serve: an empty one, one of another application, and an unfinished copy.
 */
export async function backUpSqlite(from: string, to: string): Promise<void> {
  refuseMissing(from);
  if (existsSync(to)) throw exists(to);
  if (!existsSync(dirname(to))) throw new StartError(`The folder ${dirname(to)} does not exist; create it.`);
  // Random, so that concurrent backups to the same file do not share it.
  const unfinished = `${to}.${randomBytes(6).toString('hex')}.unfinished`;
  const descriptor = create(unfinished);
  const removeUnfinished = (): void => remove(unfinished);
  process.once('exit', removeUnfinished);
  try {
    await copyPages(from, unfinished);
    await check(unfinished, from);
    // SQLite checks in this thread: a signal that has arrived meanwhile ends the backup here.
    await nextTurn();
    // SQLite may have created the file again, empty or for everyone to read.
    if (fstatSync(descriptor).nlink === 0) throw deleted(unfinished);
    fsyncSync(descriptor);
    publish(unfinished, to);
    sync(dirname(to));
  } catch (error) {
    throw explained(error, from, unfinished);
  } finally {
    closeSync(descriptor);
    removeUnfinished();
    process.off('exit', removeUnfinished);
  }
}

const exists = (file: string): StartError => new StartError(`The file ${file} exists; choose another --to.`);

const deleted = (file: string): StartError =>
  new StartError(`The file ${file} was deleted by another process before it was complete; run the backup again.`);

/** Returns a descriptor of it, by which a deletion is noticed. */
function create(file: string): number {
  try {
    createForOwner(file);
    return openSync(file, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`The file ${file} cannot be created (${code}); choose another --to.`, { cause: error });
  }
}

/** Unlike a rename, a link never replaces a file that another backup has just published. */
function publish(unfinished: string, to: string): void {
  try {
    linkSync(unfinished, to);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || existsSync(to)) throw exists(to);
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(code)) throw error;
    // The file system has no links.
    renameSync(unfinished, to);
  }
}

function explained(error: unknown, from: string, unfinished: string): unknown {
  if (error instanceof StartError) return error;
  if (!existsSync(unfinished)) return deleted(unfinished);
  if (!(error instanceof Database.SqliteError)) return error;
  const remedy = error.code === 'SQLITE_FULL' ? `; free space in ${dirname(unfinished)}` : '';
  return new StartError(`The database ${from} cannot be backed up: ${error.message}${remedy}.`, { cause: error });
}

/** Inside a transaction: without one, each commit of the service would make the copy begin again. */
async function copyPages(from: string, to: string): Promise<void> {
  const source = new Database(from, { readonly: true, fileMustExist: true });
  let progress: Progress | undefined;
  try {
    source.exec('BEGIN');
    // Its first read decides what the transaction sees.
    source.prepare('SELECT 1 FROM "sqlite_master"').get();
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        progress ??= new Progress('copying', totalPages, 0, 'pages');
        progress.step(totalPages - remainingPages);
        return STEP;
      },
    });
  } finally {
    progress?.clear();
    source.close();
  }
}

/**
 * Also leaves write-ahead mode, so that the backup is one file. The service returns to that mode when it opens it. `from` is
 * the database in messages.
 */
async function check(file: string, from: string): Promise<void> {
  const copy = new Database(file, { fileMustExist: true });
  try {
    copy.pragma('journal_mode = DELETE');
    const result = copy.pragma('integrity_check(1)', { simple: true });
    if (result !== 'ok')
      throw new StartError(
        `The database is damaged (${String(result).replaceAll('\n', ' ')}); keep your earlier backups.`,
      );
    // Of the copy, because the database may change meanwhile.
    refuseUnused(copy, from);
    await refuseUnfinishedCopy({ query: async (text) => copy.prepare(text).all() }, from);
  } finally {
    copy.close();
  }
}

/** Waits until the names in a folder are on disk. */
function sync(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function remove(file: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}
