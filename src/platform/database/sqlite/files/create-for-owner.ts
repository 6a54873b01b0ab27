import { chmodSync, closeSync, fchmodSync, fstatSync, mkdirSync, openSync, statSync } from 'node:fs';

const READ_WRITE = 0o600;
const ALL = 0o700;

/**
 * Creates an empty file that only its owner can read and write, whatever the umask is: a database contains the hashes
 * of API keys. SQLite gives the files beside it the same mode.
 */
export function createForOwner(file: string): void {
  const descriptor = openSync(file, 'wx', READ_WRITE);
  try {
    // Only if necessary: some file systems refuse every change of a mode.
    if (lacks(fstatSync(descriptor).mode, READ_WRITE)) fchmodSync(descriptor, READ_WRITE);
  } finally {
    closeSync(descriptor);
  }
}

/** Creates a folder that its owner can use, whatever the umask is. */
export function createFolder(folder: string): void {
  mkdirSync(folder);
  const { mode } = statSync(folder);
  if (lacks(mode, ALL)) chmodSync(folder, mode | ALL);
}

function lacks(mode: number, rights: number): boolean {
  return (mode & rights) !== rights;
}
