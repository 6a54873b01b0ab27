import { chmodSync, closeSync, fchmodSync, fchownSync, fstatSync, mkdirSync, openSync, statSync } from 'node:fs';

const READ_WRITE = 0o600;
const ALL = 0o700;

/**
 * Creates an empty file that only its owner can read and write, whatever the umask is: a database contains the hashes
 * of API keys. SQLite gives the files beside it the same mode. `beside` is the file whose owner it gets, when root creates it.
 * An existing file, which another process may have created just now, stays as it is and is not opened.
 */
export function createForOwner(file: string, beside?: string): void {
  const descriptor = createNew(file);
  if (descriptor === undefined) return;
  try {
    // Only if necessary: some file systems refuse every change of a mode.
    if (lacks(fstatSync(descriptor).mode, READ_WRITE)) fchmodSync(descriptor, READ_WRITE);
    if (beside !== undefined) giveToOwnerOf(beside, descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Undefined when the file exists. */
function createNew(file: string): number | undefined {
  try {
    return openSync(file, 'wx', READ_WRITE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}

/** As SQLite does for its own files, so that a command that root runs does not lock the user of the service out. */
function giveToOwnerOf(beside: string, descriptor: number): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(beside);
  try {
    fchownSync(descriptor, uid, gid);
  } catch {
    // Root may lack the right in a container, and some file systems have no owners. SQLite ignores that as well.
  }
}

/** Creates a folder that its owner can use, whatever the umask is. */
export function createFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have created it just now.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const { mode } = statSync(folder);
  if (lacks(mode, ALL)) chmodSync(folder, mode | ALL);
}

function lacks(mode: number, rights: number): boolean {
  return (mode & rights) !== rights;
}
